/* SPDX-License-Identifier: MIT */
#include "ui/keymap.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ui/escape.h"

#include "base/clock.h"

TestSuite(keymap, .timeout = 10);

static int has_key(const struct iob_binding *b, int key)
{
	return b->key == key || (b->twin && b->twin == key);
}

Test(keymap, no_key_has_two_meanings_on_one_screen)
{
	for (size_t i = 0; i < iob_nbindings; i++) {
		for (size_t j = i + 1; j < iob_nbindings; j++) {
			const struct iob_binding *a = &iob_bindings[i], *b = &iob_bindings[j];

			if ((a->screens & b->screens) == 0)
				continue;
			cr_expect_not(has_key(a, b->key) || (b->twin && has_key(a, b->twin)),
				"rows %zu and %zu", i, j);
		}
	}
}

/* The row whose text speaks for this one: itself, or the last one before it that has a text. */
static const struct iob_binding *spoken(size_t i)
{
	while (i > 0 && !iob_bindings[i].keys)
		i--;
	return &iob_bindings[i];
}

Test(keymap, every_action_is_in_the_help)
{
	for (int action = IOB_ACT_NONE + 1; action < IOB_NACTIONS; action++) {
		size_t found = 0;

		for (size_t i = 0; i < iob_nbindings; i++)
			if (iob_bindings[i].action == (enum iob_action)action && spoken(i)->help)
				found++;
		cr_expect_geq(found, 1, "action %d", action);
	}
}

Test(keymap, keys_and_help_come_together_and_fit_the_help_screen)
{
	cr_assert_not_null(iob_bindings[0].keys);
	for (size_t i = 0; i < iob_nbindings; i++) {
		const struct iob_binding *b = &iob_bindings[i];

		cr_expect_eq(b->keys == NULL, b->help == NULL);
		cr_expect(!b->hint || b->keys);
		if (b->keys) {
			cr_expect_leq(strlen(b->keys), 10, "%s", b->keys);
			cr_expect_leq(strlen(b->help), 27, "%s", b->help);
		}
	}
}

Test(keymap, reserved_control_keys_are_left_alone)
{
	/* Prefixes of screen, tmux, minicom, flow control, telnet and ssh. */
	static const int reserved[] = {IOB_KEY_CTRL('A'), IOB_KEY_CTRL('B'), IOB_KEY_CTRL('S'),
		IOB_KEY_CTRL('Q'), IOB_KEY_CTRL(']'), '~'};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		for (unsigned screen = 1; screen & IOB_SCREEN_ALL; screen <<= 1)
			cr_expect_eq(iob_keymap_find((enum iob_screen)screen, reserved[i]),
				IOB_ACT_NONE);
}

Test(keymap, escape_never_quits_and_arrows_never_tune)
{
	for (unsigned screen = 1; screen & IOB_SCREEN_ALL; screen <<= 1) {
		enum iob_screen s = (enum iob_screen)screen;

		cr_expect_neq(iob_keymap_find(s, IOB_KEY_ESC), IOB_ACT_QUIT);
		for (int key = IOB_KEY_UP; key <= IOB_KEY_RIGHT; key++)
			cr_expect_not(iob_action_is_tuning(iob_keymap_find(s, key)));
	}
}

Test(keymap, function_keys_have_a_twin_among_ordinary_keys)
{
	for (unsigned screen = 1; screen & IOB_SCREEN_ALL; screen <<= 1) {
		for (int n = 1; n <= 12; n++) {
			enum iob_action action =
				iob_keymap_find((enum iob_screen)screen, IOB_KEY_F(n));
			int twins = 0;

			/* Stopping is also the quit question's second answer. */
			if (action == IOB_ACT_NONE || action == IOB_ACT_STOP)
				continue;
			for (size_t i = 0; i < iob_nbindings; i++)
				twins += iob_bindings[i].action == action &&
					 (iob_bindings[i].screens & screen) &&
					 (iob_bindings[i].key < IOB_KEY_SPECIAL ||
						 iob_bindings[i].key == IOB_KEY_ENTER);
			cr_expect_geq(twins, 1, "F%d on screen %u", n, screen);
		}
	}
}

Test(keymap, the_manual_page_lists_all_keys)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	iob_keymap_print(f);
	fclose(f);
	cr_expect_not_null(strstr(text, ".It Ic \\&[ \\&] F7 F8\niodepth half / double\n"));
	cr_expect_not_null(strstr(text, ".It Ic Ctrl-C\n"));
	size_t rows = 0;
	for (size_t i = 0; i < iob_nbindings; i++)
		rows += iob_bindings[i].keys ? 1 : 0;
	for (const char *p = text; (p = strstr(p, ".It Ic")); p += 4)
		rows--;
	cr_expect_eq(rows, 0);
	free(text);
}

/* Feed a text key by key; what is acted upon comes back as text, 'E' for Esc. */
static const char *filtered(struct iob_escape *e, const char *keys, uint64_t now, uint64_t gap)
{
	static char out[64];
	size_t n = 0;

	for (; *keys; keys++, now += gap) {
		int key = iob_escape_filter(e, *keys, now);

		if (key)
			out[n++] = key == IOB_KEY_ESC ? 'E' : key < 128 ? (char)key : 'F';
	}
	out[n] = '\0';
	return out;
}

Test(keymap, the_rest_of_a_split_arrow_key_is_swallowed)
{
	struct iob_escape e = {.since_ns = 0};
	uint64_t now = 100 * IOB_NS_PER_S;

	cr_expect_str_eq(filtered(&e, "\033[A]", now, 400 * IOB_NS_PER_MS), "E]");
	cr_expect_str_eq(filtered(&e, "\033OA]", now += 5 * IOB_NS_PER_S, 0), "E]");
	cr_expect_str_eq(filtered(&e, "\033[1;5C]", now += 5 * IOB_NS_PER_S, 0), "E]");
	cr_expect_str_eq(filtered(&e, "\033[[A]", now += 5 * IOB_NS_PER_S, 0), "E]");
	cr_expect_str_eq(filtered(&e, "\033[15~{", now += 5 * IOB_NS_PER_S, 0), "E{");
	cr_expect_str_eq(filtered(&e, "\0335q", now += 5 * IOB_NS_PER_S, 0), "EFq");
	cr_expect_str_eq(filtered(&e, "\033q[", now += 5 * IOB_NS_PER_S, 0), "Eq[");
}

Test(keymap, quarantine_ends_after_a_second)
{
	struct iob_escape e = {.since_ns = 0};

	cr_expect_str_eq(filtered(&e, "\033[", 100 * IOB_NS_PER_S, 1001 * IOB_NS_PER_MS), "E[");
}

Test(keymap, more_than_ten_tuning_keys_at_once_are_a_paste)
{
	struct iob_escape e = {.since_ns = 0};
	uint64_t now = 100 * IOB_NS_PER_S;
	int keys[64];

	for (int i = 0; i < 64; i++)
		keys[i] = ']';
	cr_expect_eq(iob_escape_paste(&e, keys, 10, IOB_SCREEN_RUN, now), 10);
	cr_expect_eq(iob_escape_paste(&e, keys, 11, IOB_SCREEN_RUN, now), 0);
	/* The tail of the same paste. */
	cr_expect_eq(iob_escape_paste(&e, keys, 3, IOB_SCREEN_RUN, now + IOB_NS_PER_MS), 0);
	cr_expect_eq(iob_escape_paste(&e, keys, 3, IOB_SCREEN_RUN, now + IOB_NS_PER_S), 3);
	/* Where they mean nothing they are harmless. */
	cr_expect_eq(iob_escape_paste(&e, keys, 64, IOB_SCREEN_HELP, now + IOB_NS_PER_S), 64);
}

Test(keymap, what_the_terminal_marks_as_pasted_is_dropped)
{
	struct iob_escape e = {.since_ns = 0};
	int keys[] = {'v', IOB_KEY_PASTE_BEGIN, ']', 'q', IOB_KEY_PASTE_END, 'z'};

	cr_expect_eq(iob_escape_paste(&e, keys, 6, IOB_SCREEN_RUN, IOB_NS_PER_S), 2);
	cr_expect_eq(keys[1], 'z');
}

Test(keymap, a_click_on_a_hint_is_its_key)
{
	cr_expect_eq(iob_keymap_hint_key(IOB_SCREEN_RUN, 80, 1), '[');
	cr_expect_eq(iob_keymap_hint_key(IOB_SCREEN_RUN, 80, 3), ']');
	cr_expect_eq(iob_keymap_hint_key(IOB_SCREEN_RUN, 80, 5), '[');
	cr_expect_eq(iob_keymap_hint_key(IOB_SCREEN_RUN, 80, 9), '{');
	cr_expect_eq(iob_keymap_hint_key(IOB_SCREEN_RUN, 80, 0), 0);
	cr_expect_eq(iob_keymap_hint_key(IOB_SCREEN_RUN, 80, 7), 0);
	for (int x = 0; x < 250; x++) {
		int key = iob_keymap_hint_key(IOB_SCREEN_RUN, 250, x);

		cr_expect(key == 0 || iob_keymap_find(IOB_SCREEN_RUN, key) != IOB_ACT_NONE);
	}
}
