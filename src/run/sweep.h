/* SPDX-License-Identifier: MIT */
/* Drives the sweep of a plan: called by whoever follows the run, between two looks at it. */
#ifndef IOB_RUN_SWEEP_H
#define IOB_RUN_SWEEP_H

#include "run/run.h"

/*
 * Asks for the value that is due by the stage's clock, if another is in force.  Does nothing for a
 * plan without a sweep.  A refused step (usage error, no memory) is returned; the sweep goes on
 * with the value in force.
 */
int iob_sweep_follow(struct iob_run *, const struct iob_snapshot *, struct iob_error *);

#endif
