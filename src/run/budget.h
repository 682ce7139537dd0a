/* SPDX-License-Identifier: MIT */
/* What a plan takes of memory, said and checked before anything starts. */
#ifndef IOB_RUN_BUDGET_H
#define IOB_RUN_BUDGET_H

#include "job/plan.h"
#include "load/engine.h"

#define IOB_BUDGET_WORTH_TELLING (UINT64_C(256) << 20)

/* Of the stage that takes most. */
struct iob_budget {
	const struct iob_job *job; /* NULL: nothing is known (engines that there are not) */
	uint64_t bytes;            /* all in all */
	uint64_t depth, block;     /* of a worker's buffers: requests, bytes of each */
	uint64_t logs;             /* of a worker's I/O logs, as far as their length is known */
};

/* Requests that a worker of this job must be able to have in flight. */
unsigned iob_budget_capacity(
	const struct iob_engine *, const struct iob_job *, const struct iob_plan *);

/* An error with the amounts when it is more than there is. */
int iob_budget_check(struct iob_budget *, const struct iob_plan *, struct iob_error *);
/* The same for buffers alone, that are to be allocated while the job runs. */
int iob_budget_check_live(const struct iob_job *, const struct iob_engine *,
	const struct iob_live *, struct iob_error *);
/* What a run of this job alone takes with detailed statistics and these logs; 0 = not known. */
uint64_t iob_budget_of(const struct iob_job *, const struct iob_plan_log *);
/* Runs side by side, each with a process of its own, that take so much together. */
int iob_budget_check_together(unsigned runs, uint64_t bytes, struct iob_error *);
/* "64 workers take 1.2GiB of memory: 2048 requests of 1MiB".  Returns buf. */
char *iob_budget_words(const struct iob_budget *, char *buf, size_t n);

/* Of a worker, beside its buffers: for samples and statistics, and for logs. */
uint64_t iob_budget_records(bool detail);
uint64_t iob_budget_logs(const struct iob_job *, const struct iob_plan_log *);

#endif
