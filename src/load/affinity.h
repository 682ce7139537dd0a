/* SPDX-License-Identifier: MIT */
/* The list of CPUs that workers may run on: "0-3,8". */
#ifndef IOB_LOAD_AFFINITY_H
#define IOB_LOAD_AFFINITY_H

#include <limits.h>

#include "base/error.h"

#define IOB_AFFINITY_ALL UINT_MAX

/* Parse and bind the calling thread; a CPU that is not there or not ours is an error.  turn: bind
 * it to one of them alone, thread after thread; IOB_AFFINITY_ALL = to all. */
int iob_affinity_bind(const char *list, unsigned turn, struct iob_error *);

#endif
