/* SPDX-License-Identifier: MIT */
/*
 * Where a worker's thread runs, how it is ranked, and where its memory lies: the parameters, made
 * ready for use.  Files that include this begin with config.h.
 */
#ifndef IOB_JOB_PLACEMENT_H
#define IOB_JOB_PLACEMENT_H

#include <sched.h>
#include <stdbool.h>

#include "base/error.h"
#include "job/job.h"

/* As set_mempolicy(2) numbers them. */
enum iob_mem_policy {
	IOB_MEM_POLICY_NONE = -1, /* as it is */
	IOB_MEM_POLICY_DEFAULT = 0,
	IOB_MEM_POLICY_PREFER = 1,
	IOB_MEM_POLICY_BIND = 2,
	IOB_MEM_POLICY_INTERLEAVE = 3,
	IOB_MEM_POLICY_LOCAL = 4,
};

struct iob_placement {
	bool has_nice;
	int nice;
	unsigned prioclass, prio; /* class 0 = as it is */
	bool has_cpu_nodes;
	cpu_set_t cpu_nodes; /* numbers of NUMA nodes */
	enum iob_mem_policy mem_policy;
	cpu_set_t mem_nodes; /* likewise */
};

/* 0 or a usage error. */
int iob_placement_init(struct iob_placement *, const struct iob_job *, struct iob_error *);

#endif
