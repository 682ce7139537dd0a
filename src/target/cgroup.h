/* SPDX-License-Identifier: MIT */
/*
 * Limits that the control group of this process, or one around it, sets: CPU quota, and what a disk
 * may be asked for.  Both versions.  Nothing here touches a target.
 */
#ifndef IOB_TARGET_CGROUP_H
#define IOB_TARGET_CGROUP_H

#include <stdint.h>

/* A plain value; 0 = no limit. */
struct iob_cgroup {
	double cpu_quota;         /* CPUs; the tightest */
	uint64_t cpu_held_ns;     /* for which quotas have stopped the group so far */
	uint64_t cpu_held;        /* how often */
	uint64_t bps[2], iops[2]; /* read, write; the tightest */
};

/* root: "" = the real machine.  major, minor: of the whole disk.  Never fails. */
void iob_cgroup_read(struct iob_cgroup *, const char *root, unsigned major, unsigned minor);

#endif
