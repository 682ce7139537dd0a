/* SPDX-License-Identifier: MIT */
/*
 * Two guards between the keyboard and the live knobs.
 *
 * Quarantine: a slow line splits an arrow key into Esc, '[' and 'A'; as keys of their own they
 * would change parameters.  After a lone Esc, '[' or 'O' and all up to the sequence's final byte
 * are swallowed if they come within a second; digits become function keys.
 *
 * Paste: nobody presses more than ten tuning keys at once.
 */
#ifndef IOB_UI_ESCAPE_H
#define IOB_UI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/keymap.h"

enum iob_escape_state { IOB_ESCAPE_IDLE, IOB_ESCAPE_LONE, IOB_ESCAPE_CSI, IOB_ESCAPE_SS3 };

/* Zeroed = idle. */
struct iob_escape {
	enum iob_escape_state state;
	uint64_t since_ns;
	uint64_t paste_until_ns;
	bool in_paste; /* between the terminal's own paste marks */
};

/* The key to act on, or 0 if it is swallowed. */
int iob_escape_filter(struct iob_escape *, int key, uint64_t now_ns);
/* Drop what looks like a paste from the keys of one read; returns how many are left. */
size_t iob_escape_paste(struct iob_escape *, int *key, size_t n, enum iob_screen, uint64_t now_ns);

#endif
