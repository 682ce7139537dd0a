/* SPDX-License-Identifier: MIT */
#include "ui/escape.h"

#include "base/clock.h"

#define QUARANTINE_NS  IOB_NS_PER_S
#define PASTE_QUIET_NS (200 * IOB_NS_PER_MS)
#define PASTE_KEYS     10

static int after_lone_escape(struct iob_escape *e, int key, uint64_t now_ns)
{
	e->state = IOB_ESCAPE_IDLE;
	if (key == '[')
		e->state = IOB_ESCAPE_CSI;
	else if (key == 'O')
		e->state = IOB_ESCAPE_SS3;
	else if (key >= '1' && key <= '9')
		return IOB_KEY_F(key - '0');
	else if (key == '0')
		return IOB_KEY_F(10);
	else
		return key;
	e->since_ns = now_ns;
	return 0;
}

int iob_escape_filter(struct iob_escape *e, int key, uint64_t now_ns)
{
	if (now_ns - e->since_ns > QUARANTINE_NS)
		e->state = IOB_ESCAPE_IDLE;
	if (key == IOB_KEY_ESC) {
		e->state = IOB_ESCAPE_LONE;
		e->since_ns = now_ns;
		return key;
	}
	/* Not a byte of a split sequence: control characters and whole function keys. */
	if (key < ' ' || key >= 0x7f) {
		e->state = IOB_ESCAPE_IDLE;
		return key;
	}
	switch (e->state) {
	case IOB_ESCAPE_IDLE:
		break;
	case IOB_ESCAPE_LONE:
		return after_lone_escape(e, key, now_ns);
	case IOB_ESCAPE_SS3:
		e->state = IOB_ESCAPE_IDLE;
		return 0;
	case IOB_ESCAPE_CSI:
		/* "[[A" is the kernel console's F1: the second '[' is no final byte. */
		if (key >= '@' && key != '[')
			e->state = IOB_ESCAPE_IDLE;
		else
			e->since_ns = now_ns;
		return 0;
	}
	return key;
}

/* Take out what the terminal itself marks as pasted. */
static size_t drop_marked(struct iob_escape *e, int *key, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (key[i] == IOB_KEY_PASTE_BEGIN)
			e->in_paste = true;
		else if (key[i] == IOB_KEY_PASTE_END)
			e->in_paste = false;
		else if (!e->in_paste || key[i] == IOB_KEY_CTRL('C'))
			key[kept++] = key[i];
	}
	return kept;
}

size_t iob_escape_paste(
	struct iob_escape *e, int *key, size_t n, enum iob_screen screen, uint64_t now_ns)
{
	size_t tuning = 0;

	n = drop_marked(e, key, n);
	for (size_t i = 0; i < n; i++)
		tuning += iob_action_is_tuning(iob_keymap_find(screen, key[i])) ? 1 : 0;
	if (n && tuning <= PASTE_KEYS && now_ns >= e->paste_until_ns)
		return n;
	if (!n)
		return 0;
	/* The rest of a long paste comes in further reads. */
	e->paste_until_ns = now_ns + PASTE_QUIET_NS;
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (key[i] == IOB_KEY_CTRL('C'))
			key[kept++] = key[i];
	return kept;
}
