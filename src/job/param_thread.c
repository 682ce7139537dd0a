/* SPDX-License-Identifier: MIT */
/* Rows of the group "how": CPUs and priorities of the workers. */
#include "job/param_rows.h"

static const struct iob_param_choice cpus_policy_choices[] = {
	{"shared", IOB_CPUS_SHARED, "each worker may run on all of them"},
	{"split", IOB_CPUS_SPLIT, "each worker has one of them, in turn"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	TEXT_ROW("cpus_allowed", "how", 0, cpus_allowed, "",
		"CPUs that the workers may run on, such as 0-3,8."),
	TEXT_ROW("nice", "how", 0, nice, "",
		"Nice value of the workers, -20 to 19; below 0 for root only."),
	UINT_ROW("prioclass", "how", 0, prioclass, 0, 3, "0", "",
		"Class of the I/O priority: 1 real time (root), 2 best effort, 3 idle; 0 "
		"leaves it."),
	UINT_ROW("prio", "how", 0, prio, 0, 7, "0", "",
		"I/O priority within its class, 0 (highest) to 7."),
	CHOICE_ROW("cpus_allowed_policy", "how", 0, cpus_policy, "shared", cpus_policy_choices,
		"How workers share the CPUs of cpus_allowed."),
	TEXT_ROW("numa_cpu_nodes", "how", 0, numa_cpu_nodes, "",
		"Run on the CPUs of these NUMA nodes, such as 0-1."),
};

IOB_PARAM_ROWS(iob_param_thread, rows);
