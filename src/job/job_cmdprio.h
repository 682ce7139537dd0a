/* SPDX-License-Identifier: MIT */
/* Priorities of single requests, as rows of the parameter table have them; job/cmdprio.h makes them
 * ready for use. */
#ifndef IOB_JOB_JOB_CMDPRIO_H
#define IOB_JOB_JOB_CMDPRIO_H

#include <stdint.h>

#include "base/direction.h"

#define IOB_CMDPRIO_TEXT 1024

/* Of reads and writes; trims have none. */
struct iob_job_cmdprio {
	uint64_t percentage[IOB_NDIR]; /* of the requests; 0 = none */
	uint64_t prioclass[IOB_NDIR];  /* 1..3; 0 = 1 */
	uint64_t level[IOB_NDIR];      /* 0 (highest)..7 */
	char bssplit[IOB_CMDPRIO_TEXT];
};

#endif
