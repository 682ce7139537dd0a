/* SPDX-License-Identifier: MIT */
/*
 * bssplit: how often each size of request is drawn.  "4k/10:64k/50:32k/" for all directions, with
 * commas for read, write, trim: shares in per cent of the requests; those without one divide what
 * is left evenly.  What the shares lack of 100 falls to the largest size.
 */
#ifndef IOB_JOB_BSSPLIT_H
#define IOB_JOB_BSSPLIT_H

#include <stdint.h>

#include "base/direction.h"
#include "base/error.h"

struct iob_job;

#define IOB_BSSPLIT_MOST  64
#define IOB_BSSPLIT_WHOLE UINT32_C(100000000)

struct iob_bssplit_entry {
	uint32_t bytes;
	uint32_t share; /* of IOB_BSSPLIT_WHOLE */
};

/* By size, the smallest first. */
struct iob_bssplit {
	unsigned count; /* 0 = there is none */
	struct iob_bssplit_entry entry[IOB_BSSPLIT_MOST];
};

/* Returns 0, or -EINVAL with *why. */
int iob_bssplit_parse(struct iob_bssplit out[IOB_NDIR], const char *text, const char **why);

/* Is it right?  As a check of the parameter table. */
int iob_bssplit_check(const char *text, const char **why);
/* The sizes of the job's directions that are split: from the smallest to the largest. */
void iob_bssplit_settle(struct iob_job *);

#endif
