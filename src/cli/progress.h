/* SPDX-License-Identifier: MIT */
/*
 * What a run says on stderr while it goes on: on a terminal one line that is written again, else a
 * plain line each second; a line of its own for each phase and each warning.
 */
#ifndef IOB_CLI_PROGRESS_H
#define IOB_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "run/snapshot.h"

struct iob_progress {
	FILE *stream; /* NULL = say nothing */
	bool terminal;
	size_t columns;   /* of the terminal */
	uint64_t next_ns; /* when the line is due again */
	size_t shown;     /* cells of the line that stand there */
	int phase;        /* the last one that was announced, -1 = none */
	unsigned stage;
	unsigned warnings; /* announced so far */
};

/* Looks whether the stream is a terminal. */
void iob_progress_init(struct iob_progress *, FILE *stream);
/* Writes what is due: a new phase, new warnings, the line once a second. */
void iob_progress_show(struct iob_progress *, const struct iob_snapshot *, uint64_t now_ns);
/* The line is due at once. */
void iob_progress_hurry(struct iob_progress *);
/* Clears the line, so that others can write. */
void iob_progress_end(struct iob_progress *);

/* The line itself: state, share, rates, latency, depth, time left. */
void iob_progress_line(char *buf, size_t n, const struct iob_snapshot *);

#endif
