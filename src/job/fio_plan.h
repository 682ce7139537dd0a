/* SPDX-License-Identifier: MIT */
/*
 * A job file as the plan of one run: what a stonewall separates becomes stages.  Jobs that would
 * run at the same time must be the same (they become workers of one stage); for all else there is
 * `fio`.
 */
#ifndef IOB_JOB_FIO_PLAN_H
#define IOB_JOB_FIO_PLAN_H

#include <stddef.h>

#include "job/fio_jobs.h"
#include "job/plan.h"

/* The first thing that was warned of, "" = nothing. */
struct iob_fio_note {
	char text[200];
};

/* Into plan->stage and plan->profile (the rest stays).  only: names of sections, n of them (0 =
 * all).  *jobs is filled with what was read, for its warnings, and is to be freed also after a
 * failure; warnings of the reader are moved there. */
int iob_fio_plan_load(struct iob_plan *, struct iob_fio_jobs *jobs, const char *path,
	const char *const *only, size_t n, struct iob_error *);

#endif
