/* SPDX-License-Identifier: MIT */
/* The list of CPUs that workers may run on: "0-3,8". */
#ifndef IOB_LOAD_AFFINITY_H
#define IOB_LOAD_AFFINITY_H

#include <sched.h>

#include "base/error.h"

/* Strict; a usage error names what is wrong.  CPUs are not yet checked for existence. */
int iob_affinity_parse(cpu_set_t *, const char *list, struct iob_error *);
/* Parse and bind the calling thread; a CPU that is not there or not ours is an error. */
int iob_affinity_bind(const char *list, struct iob_error *);

#endif
