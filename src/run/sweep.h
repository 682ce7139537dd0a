/* SPDX-License-Identifier: MIT */
/* Drives the sweep of a plan: called by whoever follows the run, between two looks at it. */
#ifndef IOB_RUN_SWEEP_H
#define IOB_RUN_SWEEP_H

#include "run/run.h"

/*
 * Asks for the value that is due by the stage's clock, if another is in force.  Does nothing for a
 * plan without a sweep.  A step that was refused, at once (usage error) or by the workers (no
 * memory), is returned and not asked for again; the value before it stays in force.
 */
int iob_sweep_follow(struct iob_run *, const struct iob_snapshot *, struct iob_error *);

#endif
