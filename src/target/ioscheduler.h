/* SPDX-License-Identifier: MIT */
/* Which scheduler of a disk a name stands for. */
#ifndef IOB_TARGET_IOSCHEDULER_H
#define IOB_TARGET_IOSCHEDULER_H

#include <stddef.h>

#include "base/error.h"

/*
 * The name as the kernel knows it, and the one that is active now.  The single-queue schedulers of
 * older kernels stand for their successors: noop for none, deadline for mq-deadline, cfq for bfq.
 * Usage error when the kernel offers none of that name (names those it does).  root: "" = the real
 * /sys.
 */
struct iob_ioscheduler {
	char name[64], active[64];
};

int iob_ioscheduler_find(struct iob_ioscheduler *, const char *root, const char *disk,
	const char *name, struct iob_error *);

#endif
