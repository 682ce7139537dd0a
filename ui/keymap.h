/* SPDX-License-Identifier: MIT */
/*
 * The one table of keys: dispatch, the hint line, the help screen, the manual page and the tests
 * all walk it.  Knows no curses: loop.c translates.
 */
#ifndef IOB_UI_KEYMAP_H
#define IOB_UI_KEYMAP_H

#include <stddef.h>
#include <stdio.h>

#include "ui/action.h"

/* Keys are code points (control characters included) or one of these. */
#define IOB_KEY_SPECIAL 0x110000
#define IOB_KEY_F(n)    (IOB_KEY_SPECIAL + (n))
enum {
	IOB_KEY_UP = IOB_KEY_SPECIAL + 32,
	IOB_KEY_DOWN,
	IOB_KEY_LEFT,
	IOB_KEY_RIGHT,
	IOB_KEY_HOME,
	IOB_KEY_END,
	IOB_KEY_PAGE_UP,
	IOB_KEY_PAGE_DOWN,
	IOB_KEY_BACKTAB,
	IOB_KEY_BACKSPACE,
	IOB_KEY_DELETE,
	IOB_KEY_ENTER,
	IOB_KEY_CLICK,
	IOB_KEY_PASTE_BEGIN,
	IOB_KEY_PASTE_END,
	IOB_KEY_OTHER,
};
#define IOB_KEY_ESC     27
#define IOB_KEY_CTRL(c) ((c)&0x1f)

enum iob_screen {
	IOB_SCREEN_SETUP = 1,
	IOB_SCREEN_RUN = 2,
	IOB_SCREEN_SUMMARY = 4,
	IOB_SCREEN_HELP = 8,
	IOB_SCREEN_COMPARE = 16,
	IOB_SCREEN_OPTIONS = 32,
};
#define IOB_SCREEN_ALL 63

enum iob_key_group { IOB_KEYS_TUNE, IOB_KEYS_LOOK, IOB_KEYS_RUN, IOB_KEYS_MOVE, IOB_NKEYGROUPS };

struct iob_binding {
	int key, twin; /* twin 0 = has none */
	enum iob_action action;
	unsigned screens; /* IOB_SCREEN_* */
	enum iob_key_group group;
	const char *keys; /* as shown, for this row and those after it that have none */
	const char *hint; /* word for the hint line, NULL = not there */
	const char *help; /* NULL exactly if keys is NULL */
};

extern const struct iob_binding iob_bindings[];
extern const size_t iob_nbindings;
const char *iob_key_group_name(enum iob_key_group);

/* The next entry of the hint line from row `at` on: its keys and its word.  Returns where to go on,
 * 0 when there is none. */
size_t iob_keymap_hint(enum iob_screen, size_t at, char *keys, size_t n, const char **word);
/* The key whose name stands at column x of the hint line, 0 = none; cols: of the screen. */
int iob_keymap_hint_key(enum iob_screen, int cols, int x);
enum iob_action iob_keymap_find(enum iob_screen, int key);
/* The manual page's list of keys, in mdoc. */
void iob_keymap_print(FILE *);

#endif
