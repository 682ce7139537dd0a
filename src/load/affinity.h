/* SPDX-License-Identifier: MIT */
/* The list of CPUs that workers may run on: "0-3,8". */
#ifndef IOB_LOAD_AFFINITY_H
#define IOB_LOAD_AFFINITY_H

#include "base/error.h"

/* Parse and bind the calling thread; a CPU that is not there or not ours is an error. */
int iob_affinity_bind(const char *list, struct iob_error *);

#endif
