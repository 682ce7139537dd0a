/* SPDX-License-Identifier: MIT */
#include "ui/keymap.h"

#include <stdbool.h>
#include <string.h>

#define SETUP   IOB_SCREEN_SETUP
#define RUN     IOB_SCREEN_RUN
#define SUMMARY IOB_SCREEN_SUMMARY
#define HELP    IOB_SCREEN_HELP
#define COMPARE IOB_SCREEN_COMPARE
#define OPTIONS IOB_SCREEN_OPTIONS
#define LISTS   ALL
#define ALL     IOB_SCREEN_ALL
#define TUNE    IOB_KEYS_TUNE
#define LOOK    IOB_KEYS_LOOK
#define WORK    IOB_KEYS_RUN
#define MOVE    IOB_KEYS_MOVE
#define CTRL(c) IOB_KEY_CTRL(c)
#define F(n)    IOB_KEY_F(n)

/* The order is that of the hint line: what is left of it comes first when room is short. */
const struct iob_binding iob_bindings[] = {
	{'[', F(7), IOB_ACT_DEPTH_DOWN, RUN, TUNE, "[ ] F7 F8", "qd", "iodepth half / double"},
	{']', F(8), IOB_ACT_DEPTH_UP, RUN, TUNE, NULL, NULL, NULL},
	{'{', 0, IOB_ACT_BS_DOWN, RUN, TUNE, "{ }", "bs", "block size half / double"},
	{'}', 0, IOB_ACT_BS_UP, RUN, TUNE, NULL, NULL, NULL},
	{'<', 0, IOB_ACT_READ_DOWN, RUN, TUNE, "< >", "rd%", "read share -5 / +5 %"},
	{'>', 0, IOB_ACT_READ_UP, RUN, TUNE, NULL, NULL, NULL},
	{'+', '=', IOB_ACT_STEP_UP, SETUP | RUN | OPTIONS, TUNE, "+ -", NULL,
		"step the focused value"},
	{'-', 0, IOB_ACT_STEP_DOWN, SETUP | RUN | OPTIONS, TUNE, NULL, NULL, NULL},
	{IOB_KEY_ENTER, 0, IOB_ACT_EDIT, RUN | OPTIONS, TUNE, "Enter", NULL,
		"type it; in a list: go to"},
	{'u', 0, IOB_ACT_UNDO, RUN, TUNE, "u Ctrl-R", NULL, "undo / redo a change"},
	{CTRL('R'), 0, IOB_ACT_REDO, RUN, TUNE, NULL, NULL, NULL},
	{'r', 0, IOB_ACT_RESET, RUN, TUNE, "r", NULL, "figures anew: new segment"},
	{'p', 0, IOB_ACT_PAUSE, RUN, TUNE, "p", "pause", "pause / resume the load"},
	{'(', 0, IOB_ACT_CAP_DOWN, RUN, TUNE, "( )", NULL, "rate cap -10 / +10 %"},
	{')', 0, IOB_ACT_CAP_UP, RUN, TUNE, NULL, NULL, NULL},
	{'c', 0, IOB_ACT_CAP, RUN, TUNE, "c", NULL, "rate cap on / off"},
	{'t', 0, IOB_ACT_JOBS_DOWN, RUN, TUNE, "t T", NULL, "workers -1 / +1"},
	{'T', 0, IOB_ACT_JOBS_UP, RUN, TUNE, NULL, NULL, NULL},
	{'w', 0, IOB_ACT_RW_UP, RUN, TUNE, "w W", NULL, "pattern: reads, writes ..."},
	{'W', 0, IOB_ACT_RW_DOWN, RUN, TUNE, NULL, NULL, NULL},
	{'K', 0, IOB_ACT_SWEEP, RUN, TUNE, "K", NULL, "sweep iodepth: the knee"},

	{'S', F(5), IOB_ACT_START, SETUP, WORK, "F5 S", "start", "start the run"},
	{IOB_KEY_ENTER, 0, IOB_ACT_EDIT, SETUP, WORK, "Enter", "go/edit",
		"start; on a parameter: edit"},
	{'S', F(5), IOB_ACT_START, SUMMARY, WORK, "F5 S", "again", "run the same again"},
	{'R', F(6), IOB_ACT_REPLAY, SUMMARY, WORK, "R F6", "replay", "again, with its changes"},
	{'S', F(5), IOB_ACT_RESTART, RUN, WORK, "S F5", NULL, "start again (asks)"},
	{'\t', 0, IOB_ACT_NEXT_FIELD, SETUP, MOVE, "Tab S-Tab", "list", "next / previous list"},
	{IOB_KEY_BACKTAB, 0, IOB_ACT_PREVIOUS_FIELD, SETUP, MOVE, NULL, NULL, NULL},
	{'\t', 0, IOB_ACT_NEXT_FIELD, RUN, MOVE, "Tab S-Tab", NULL, "next / previous panel"},
	{IOB_KEY_BACKTAB, 0, IOB_ACT_PREVIOUS_FIELD, RUN, MOVE, NULL, NULL, NULL},
	{'f', 0, IOB_ACT_PATH, SETUP, WORK, "f", "file", "a path: target or job file"},

	{'s', 0, IOB_ACT_SAVE, RUN | SUMMARY, WORK, "s", "save", "save the figures so far"},
	{'s', 0, IOB_ACT_SAVE, SETUP, WORK, "s", NULL, "save as a profile of yours"},
	{'s', 0, IOB_ACT_SAVE, OPTIONS, WORK, "s", "keep", "keep for the next time"},
	{'a', 0, IOB_ACT_SET_A, COMPARE, WORK, "a b", "choose", "take the run as A / as B"},
	{'b', 0, IOB_ACT_SET_B, COMPARE, WORK, NULL, NULL, NULL},
	{'x', 0, IOB_ACT_SWAP, COMPARE, WORK, "x", "swap", "swap A and B"},
	{'?', F(1), IOB_ACT_HELP, SETUP | RUN | SUMMARY, LOOK, "? F1", "help", "this help"},
	{'?', F(1), IOB_ACT_CANCEL, HELP, LOOK, NULL, NULL, NULL},
	{'q', F(10), IOB_ACT_QUIT, SETUP | RUN | SUMMARY, WORK, "q F10", "quit",
		"quit; asks during a run"},
	{'Q', 0, IOB_ACT_QUIT_NOW, SETUP | RUN | SUMMARY, WORK, "Q", NULL,
		"stop, quit: report remains"},
	{'q', F(10), IOB_ACT_CANCEL, HELP, WORK, NULL, NULL, NULL},
	{'r', F(9), IOB_ACT_RESCAN, SETUP, WORK, "r F9", "rescan", "look for disks again"},
	{'q', F(10), IOB_ACT_CANCEL, COMPARE | OPTIONS, WORK, "q Esc", "back", "back"},

	{'v', F(6), IOB_ACT_VIEW_NEXT, RUN, LOOK, "v V F6", "view", "next / previous graph"},
	{'V', 0, IOB_ACT_VIEW_PREVIOUS, RUN, LOOK, NULL, NULL, NULL},
	{'z', 0, IOB_ACT_ZOOM_OUT, RUN, LOOK, "z Z", "zoom", "time axis out / in"},
	{'Z', 0, IOB_ACT_ZOOM_IN, RUN, LOOK, NULL, NULL, NULL},
	{'m', 0, IOB_ACT_MARK, RUN, LOOK, "m", "mark", "put a mark on the time axis"},
	{'b', 0, IOB_ACT_BASELINE, RUN, LOOK, "b", "base", "baseline: compare with now"},
	{' ', 0, IOB_ACT_FREEZE, RUN, LOOK, "Space", "freeze", "freeze display, run goes on"},
	{'C', F(4), IOB_ACT_COMPARE, SETUP | RUN | SUMMARY, LOOK, "C F4", "compare",
		"compare two kept runs"},
	{'o', F(2), IOB_ACT_OPTIONS, SETUP | RUN | SUMMARY, LOOK, "o F2", "options",
		"symbols, colours, delay ..."},
	{'y', 0, IOB_ACT_Y_AXIS, RUN, LOOK, "y", NULL, "y: auto, sticky, fixed, log"},
	{'1', 0, IOB_ACT_PANEL_1, RUN, LOOK, "1 .. 5", NULL, "show / hide a panel"},
	{'2', 0, IOB_ACT_PANEL_2, RUN, LOOK, NULL, NULL, NULL},
	{'3', 0, IOB_ACT_PANEL_3, RUN, LOOK, NULL, NULL, NULL},
	{'4', 0, IOB_ACT_PANEL_4, RUN, LOOK, NULL, NULL, NULL},
	{'5', 0, IOB_ACT_PANEL_5, RUN, LOOK, NULL, NULL, NULL},
	{'e', 0, IOB_ACT_ENLARGE, RUN, LOOK, "e", NULL, "enlarge the panel"},
	{'/', F(3), IOB_ACT_SEARCH, SETUP | RUN | HELP, MOVE, "/ F3", NULL, "search"},
	{'n', 0, IOB_ACT_SEARCH_NEXT, SETUP | RUN | HELP, MOVE, "n N", NULL, "next / previous hit"},
	{'N', 0, IOB_ACT_SEARCH_PREVIOUS, SETUP | RUN | HELP, MOVE, NULL, NULL, NULL},
	{':', 0, IOB_ACT_COMMAND, SETUP | RUN | SUMMARY, WORK, ":", NULL, "command: `:qd 64`"},
	{CTRL('L'), 0, IOB_ACT_REPAINT, ALL, LOOK, "Ctrl-L", NULL, "paint the screen anew"},

	{F(9), 0, IOB_ACT_STOP, RUN, WORK, "F9", NULL, "stop and show the summary"},
	{IOB_KEY_ESC, 0, IOB_ACT_CANCEL, ALL, MOVE, "Esc", NULL, "cancel, close; never quits"},
	{CTRL('C'), 0, IOB_ACT_INTERRUPT, ALL, WORK, "Ctrl-C", NULL, "stop; twice: leave at once"},
	{CTRL('Z'), 0, IOB_ACT_SUSPEND, ALL, WORK, "Ctrl-Z", NULL, "to the shell; fg comes back"},

	{IOB_KEY_UP, 'k', IOB_ACT_UP, LISTS, MOVE, "arrows jk", NULL, "move in a list or panel"},
	{IOB_KEY_DOWN, 'j', IOB_ACT_DOWN, LISTS, MOVE, NULL, NULL, NULL},
	{IOB_KEY_LEFT, 'h', IOB_ACT_LEFT, SETUP | RUN | OPTIONS, MOVE, "arrows hl", NULL,
		"pick a value; time back"},
	{IOB_KEY_RIGHT, 'l', IOB_ACT_RIGHT, SETUP | RUN | OPTIONS, MOVE, NULL, NULL, NULL},
	{IOB_KEY_PAGE_UP, 0, IOB_ACT_PAGE_UP, LISTS, MOVE, "PgUp PgDn", NULL, "page in a list"},
	{IOB_KEY_PAGE_DOWN, 0, IOB_ACT_PAGE_DOWN, LISTS, MOVE, NULL, NULL, NULL},
	{IOB_KEY_HOME, 'g', IOB_ACT_FIRST, LISTS, MOVE, "g G", NULL, "first / last line"},
	{IOB_KEY_END, 'G', IOB_ACT_LAST, LISTS, MOVE, NULL, NULL, NULL},
};

const size_t iob_nbindings = sizeof(iob_bindings) / sizeof(iob_bindings[0]);

const char *iob_key_group_name(enum iob_key_group group)
{
	static const char *const names[IOB_NKEYGROUPS] = {
		"TUNE (0.4 s after the last press)", "LOOK", "RUN", "MOVE"};

	return names[group];
}

/* "]", "F5", "Ctrl-C". */
static void name_key(char *buf, size_t n, int key)
{
	static const struct {
		int key;
		const char *name;
	} names[] = {{' ', "Space"}, {'\t', "Tab"}, {IOB_KEY_ESC, "Esc"}, {IOB_KEY_ENTER, "Enter"},
		{IOB_KEY_BACKTAB, "S-Tab"}, {IOB_KEY_UP, "Up"}, {IOB_KEY_DOWN, "Down"},
		{IOB_KEY_PAGE_UP, "PgUp"}, {IOB_KEY_PAGE_DOWN, "PgDn"}, {IOB_KEY_HOME, "Home"},
		{IOB_KEY_END, "End"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].key == key) {
			snprintf(buf, n, "%s", names[i].name);
			return;
		}
	}
	if (key >= IOB_KEY_F(1) && key <= IOB_KEY_F(12))
		snprintf(buf, n, "F%d", key - IOB_KEY_F(0));
	else if (key < ' ')
		snprintf(buf, n, "Ctrl-%c", key | 0x40);
	else
		snprintf(buf, n, "%c", key);
}

size_t iob_keymap_hint(enum iob_screen screen, size_t at, char *keys, size_t n, const char **word)
{
	for (; at < iob_nbindings; at++) {
		const struct iob_binding *b = &iob_bindings[at];

		if (!(b->screens & screen) || !b->hint)
			continue;
		name_key(keys, n, b->key);
		*word = b->hint;
		for (at++; at < iob_nbindings && !iob_bindings[at].keys &&
			   (iob_bindings[at].screens & screen);
			at++) {
			size_t used = strlen(keys);

			/* A pair of single characters stands together; a second name is left out.
			 */
			if (used == 1 && used + 2 < n && iob_bindings[at].key < IOB_KEY_SPECIAL) {
				keys[used] = ' ';
				name_key(keys + used + 1, n - used - 1, iob_bindings[at].key);
			}
		}
		return at;
	}
	return 0;
}

int iob_keymap_hint_key(enum iob_screen screen, int cols, int x)
{
	const char *word = NULL;
	char keys[24];
	size_t from = 0;
	int left = 1;

	for (size_t at = 0; (at = iob_keymap_hint(screen, from, keys, sizeof(keys), &word)) != 0;
		from = at) {
		int wide = (int)(strlen(keys) + strlen(word)) + 1;

		if (left + wide > cols || x < left)
			return 0;
		if (x < left + wide) {
			while (!(iob_bindings[from].screens & screen) || !iob_bindings[from].hint)
				from++;
			/* "[ ] qd": the second name is that of the row after it. */
			bool second = keys[1] == ' ' && x == left + 2;
			return iob_bindings[from + (second ? 1 : 0)].key;
		}
		left += wide + 2;
	}
	return 0;
}

enum iob_action iob_keymap_find(enum iob_screen screen, int key)
{
	for (size_t i = 0; i < iob_nbindings; i++) {
		const struct iob_binding *b = &iob_bindings[i];

		if ((b->screens & screen) && (b->key == key || (b->twin && b->twin == key)))
			return b->action;
	}
	return IOB_ACT_NONE;
}

/* A word that is punctuation alone would be taken as such by mdoc. */
static void print_words(FILE *f, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		fprintf(f, " %s%.*s", n == 1 ? "\\&" : "", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	putc('\n', f);
}

void iob_keymap_print(FILE *f)
{
	for (int group = 0; group < IOB_NKEYGROUPS; group++) {
		fprintf(f, ".Ss %s\n.Bl -tag -width \"PgUp PgDn\"\n",
			iob_key_group_name((enum iob_key_group)group));
		for (size_t i = 0; i < iob_nbindings; i++) {
			const struct iob_binding *b = &iob_bindings[i];

			if (b->group != (enum iob_key_group)group || !b->keys)
				continue;
			fputs(".It Ic", f);
			print_words(f, b->keys);
			fprintf(f, "%s\n", b->help);
		}
		fputs(".El\n", f);
	}
}
