/* SPDX-License-Identifier: MIT */
/*
 * Priorities of single requests (cmdprio_percentage, cmdprio_bssplit): which share of the requests
 * of which size goes with which priority.  The others have that of the worker's thread.
 */
#ifndef IOB_JOB_CMDPRIO_H
#define IOB_JOB_CMDPRIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/direction.h"
#include "base/error.h"

struct iob_job;

#define IOB_CMDPRIO_MOST        64
#define IOB_CMDPRIO_LEVELS      8
#define IOB_CMDPRIO_REAL_TIME   1 /* classes */
#define IOB_CMDPRIO_BEST_EFFORT 2
#define IOB_CMDPRIO_IDLE        3
/* Classes times levels: iob_cmdprio_index lies below. */
#define IOB_CMDPRIO_VALUES      32

struct iob_cmdprio_entry {
	uint32_t bytes;   /* of the request; 0 = of any size */
	uint32_t percent; /* 0..100; those of one size together at most 100 */
	uint16_t ioprio;  /* as ioprio_set(2) knows it */
};

struct iob_cmdprio {
	unsigned count[IOB_NDIR]; /* 0 = all have the thread's priority */
	struct iob_cmdprio_entry entry[IOB_NDIR][IOB_CMDPRIO_MOST];
};

/* Has any request of this job a priority of its own? */
bool iob_cmdprio_is_wanted(const struct iob_job *);
/* A usage error names what is wrong; all zero if none is wanted. */
int iob_cmdprio_init(struct iob_cmdprio *, const struct iob_job *, struct iob_error *);
/* Of the worker's thread, as far as the job says; 0 = it does not. */
uint16_t iob_cmdprio_of_thread(const struct iob_job *);

static inline unsigned iob_cmdprio_class(uint16_t ioprio)
{
	return ioprio >> 13;
}

/* A number for each priority, those of the same class together. */
static inline unsigned iob_cmdprio_index(uint16_t ioprio)
{
	return (iob_cmdprio_class(ioprio) * IOB_CMDPRIO_LEVELS + ioprio % IOB_CMDPRIO_LEVELS) %
	       IOB_CMDPRIO_VALUES;
}

/* As a check of the parameter table: of the text of cmdprio_bssplit. */
int iob_cmdprio_check(const char *text, const char **why);

#endif
