/* SPDX-License-Identifier: MIT */
/* Puts the calling thread where its job wants it: nice value, I/O priority, NUMA nodes. */
#ifndef IOB_LOAD_PLACEMENT_H
#define IOB_LOAD_PLACEMENT_H

#include "base/error.h"
#include "job/job.h"

/* Before it allocates.  root: "" or the folder that stands in for /, for tests. */
int iob_placement_apply(const struct iob_job *, const char *root, struct iob_error *);

#endif
