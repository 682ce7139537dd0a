/* SPDX-License-Identifier: MIT */
/* Marks that somebody put on the time axis while a run was on. */
#ifndef IOB_RUN_MARKS_H
#define IOB_RUN_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IOB_MARKS_MOST 64

struct iob_mark {
	uint64_t ms; /* since t0 */
	char text[64];
};

/* Zeroed = none. */
struct iob_marks {
	struct iob_mark item[IOB_MARKS_MOST];
	size_t count;
};

/* The text is cleaned; false when there is no room for another. */
bool iob_marks_add(struct iob_marks *, uint64_t ms, const char *text);

#endif
