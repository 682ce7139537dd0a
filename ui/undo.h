/* SPDX-License-Identifier: MIT */
/* The parameter sets that were in force one after the other, to go back and forth between. */
#ifndef IOB_UI_UNDO_H
#define IOB_UI_UNDO_H

#include <stdbool.h>

#include "job/job.h"

#define IOB_UNDO_MOST 64

/* Zeroed = empty. */
struct iob_undo {
	struct iob_live state[IOB_UNDO_MOST];
	unsigned count;
	unsigned at; /* which of them is in force */
};

/* A change came into force; what could be redone is forgotten.  When all places are taken the
 * oldest goes. */
void iob_undo_note(struct iob_undo *, const struct iob_live *before, const struct iob_live *after);
/* The set `by` steps from the present one (-1 undo, +1 redo); NULL if there is none. */
const struct iob_live *iob_undo_peek(const struct iob_undo *, int by);
/* It is in force now. */
void iob_undo_move(struct iob_undo *, int by);

#endif
