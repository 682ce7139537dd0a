/* SPDX-License-Identifier: MIT */
/* The changes of a run, to be made again in the next one at the same times. */
#ifndef IOB_UI_REPLAY_H
#define IOB_UI_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/changes.h"

#define IOB_REPLAY_MOST 256

struct iob_replay_step {
	uint64_t at_ms; /* since the start of the load */
	struct iob_live live;
};

/* Zeroed = nothing to make again. */
struct iob_replay {
	struct iob_replay_step step[IOB_REPLAY_MOST];
	size_t count, next;
};

/* The segments under load after the first; pauses are not among them.  False if there is none. */
bool iob_replay_record(struct iob_replay *, const struct iob_changes *);
/* The step that is due, which then counts as taken; NULL if none is. */
const struct iob_live *iob_replay_due(struct iob_replay *, uint64_t now_ms);

#endif
