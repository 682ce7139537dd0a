/* SPDX-License-Identifier: MIT */
/* The terminal: taken over, and given back on every way out. */
#ifndef IOB_UI_TERM_H
#define IOB_UI_TERM_H

#include <stdbool.h>

#include "base/error.h"
#include "ui/caps.h"

/* Once per process, from the thread that draws.  Signals are caught from here on.  On failure the
 * terminal is as it was. */
int iob_term_open(struct iob_caps *, const struct iob_caps_facts *, struct iob_error *);
/* Terminal and signal handlers as they were.  Idempotent. */
void iob_term_close(void);
/* The same without a call that could wait for a terminal which does not read; what it does not take
 * is left out. */
void iob_term_abandon(void);
/* Facts about this terminal and environment; colors is filled by iob_term_open. */
void iob_term_facts(struct iob_caps_facts *);

/* Readable when a signal waits. */
int iob_term_signal_fd(void);
/* The next signal that came, 0 = none. */
int iob_term_next_signal(void);
/* Does it ask us to end? */
bool iob_term_ends(int number);
/* Would a frame be taken without blocking? */
bool iob_term_writable(void);
/* What was painted.  False if the terminal did not take it, and a signal came that asks us to end:
 * then the library was left in the middle, and nothing but iob_term_abandon may follow. */
bool iob_term_show(void);
/* Nothing can come from the keyboard any more. */
bool iob_term_is_gone(void);
/* To the shell and back; group: also those started together with us, as the terminal's own Ctrl-Z
 * does. */
void iob_term_suspend(bool group);
/* Wheel and clicks: IOB_KEY_UP, _DOWN and _CLICK, whose place is told here. */
void iob_term_mouse(bool on);
void iob_term_click(int *y, int *x);
/* A key as keymap.h has it, 0 = none waits; *resized is set when the size changed. */
int iob_term_key(bool *resized);

/*
 * What there is to draw on.  A terminal that is said to wrap at once after its last column (ansi)
 * seldom does: nearly all wait for the next character, and what the library sends next then goes
 * astray.  There the last column stays free.
 */
void iob_term_size(int *rows, int *cols);

#endif
