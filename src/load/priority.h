/* SPDX-License-Identifier: MIT */
/* Gives requests priorities of their own (cmdprio_percentage, cmdprio_bssplit); one for each worker
 * whose job wants that. */
#ifndef IOB_LOAD_PRIORITY_H
#define IOB_LOAD_PRIORITY_H

#include "base/rng.h"
#include "job/cmdprio.h"
#include "load/engine.h"

struct iob_priorities {
	struct iob_cmdprio rules;
	struct iob_rng rng;
};

/* For a worker's number and the run's seed. */
int iob_priorities_init(struct iob_priorities *, const struct iob_job *, uint64_t seed,
	unsigned number, struct iob_error *);
/* Set ioprio of each; 0 = that of the thread. */
void iob_priorities_give(struct iob_priorities *, struct iob_req *const *reqs, unsigned n);

#endif
