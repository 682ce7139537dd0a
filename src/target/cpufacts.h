/* SPDX-License-Identifier: MIT */
/* What /sys tells of the CPUs that workers may use.  Nothing here touches a target.  Files that
 * include this begin with config.h. */
#ifndef IOB_TARGET_CPUFACTS_H
#define IOB_TARGET_CPUFACTS_H

#include <sched.h>
#include <stdint.h>

/* A plain value; 0 and "" = not known. */
struct iob_cpufacts {
	char governor[24];     /* of the first CPU that saves power, else of the first of all */
	uint64_t khz, max_khz; /* of that CPU: now, at most */
	int saves;             /* that governor keeps the frequency down */
	unsigned cpus;         /* of the set that exist */
	unsigned off_node;     /* of them, not on the node that was named */
	uint64_t throttles;    /* by heat, over all of them, since the machine started */
};

/* list: as cpus_allowed, "" = those of this process.  node: -1 = none.  root: "" = the real one. */
void iob_cpufacts_read(struct iob_cpufacts *, const char *root, const char *list, int node);

#endif
