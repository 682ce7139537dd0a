/* SPDX-License-Identifier: MIT */
/*
 * A program on a pseudo terminal whose output goes through libvterm: the test sees the grid as a
 * user does, and waits for it with a deadline instead of sleeping.
 */
#ifndef IOB_TESTS_PTY_H
#define IOB_TESTS_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

struct iob_pty {
	int master, slave; /* slave stays open: its settings outlive the program */
	pid_t pid;
	struct termios before;
	VTerm *vt;
	VTermScreen *screen;
	int rows, cols;
	bool alternate, cursor; /* as the program left them */
	size_t bytes;           /* that came from the program */
	bool saw_query;         /* it asked the terminal something */
	bool exited;
	int status; /* of waitpid */
};

/* 0x0: a terminal that does not know its size.  argv[0] is the program; env: "NAME=value" or "NAME"
 * (removed), ends with NULL. */
bool iob_pty_open(
	struct iob_pty *, int rows, int cols, const char *const *argv, const char *const *env);
/* Kills the program if it still runs. */
void iob_pty_close(struct iob_pty *);
void iob_pty_send(struct iob_pty *, const char *keys);
void iob_pty_resize(struct iob_pty *, int rows, int cols);
/* Read for at most ms; false if nothing came. */
bool iob_pty_pump(struct iob_pty *, int ms);

/* Text of a row, trailing blanks cut. */
const char *iob_pty_row(struct iob_pty *, int y);
/* Row that contains the text, -1 = none. */
int iob_pty_find(struct iob_pty *, const char *text);
/* Wait until the text is (or is no longer) on the screen; dumps the grid when it fails. */
bool iob_pty_wait(struct iob_pty *, const char *text, int ms);
bool iob_pty_wait_gone(struct iob_pty *, const char *text, int ms);
/* Exit status, 128 + n for a signal, -1 if it has not ended in time. */
int iob_pty_wait_exit(struct iob_pty *, int ms);
void iob_pty_dump(struct iob_pty *);
/* Settings of the line, screen and cursor are as they were. */
bool iob_pty_is_restored(struct iob_pty *);

#endif
