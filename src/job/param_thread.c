/* SPDX-License-Identifier: MIT */
/* Rows of the group "how": CPUs and priorities of the workers. */
#include "job/param_rows.h"

static const struct iob_param_choice cpus_policy_choices[] = {
	{"shared", IOB_CPUS_SHARED, "each worker may run on all of them"},
	{"split", IOB_CPUS_SPLIT, "each worker has one of them, in turn"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	{
		.name = "cpus_allowed",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(cpus_allowed),
		.initial = "",
		.unit = "",
		.help = "CPUs that the workers may run on, such as 0-3,8.",
	},
	{
		.name = "nice",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(nice),
		.initial = "",
		.unit = "",
		.help = "Nice value of the workers, -20 to 19; below 0 for root only.",
	},
	{
		.name = "prioclass",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(prioclass),
		.max = 3,
		.initial = "0",
		.unit = "",
		.help = "Class of the I/O priority: 1 real time (root), 2 best effort, 3 idle; 0 "
			"leaves it.",
	},
	{
		.name = "prio",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(prio),
		.max = 7,
		.initial = "0",
		.unit = "",
		.help = "I/O priority within its class, 0 (highest) to 7.",
	},
	{
		.name = "cpus_allowed_policy",
		.group = "how",
		.type = IOB_P_CHOICE,
		FIELD(cpus_policy),
		.initial = "shared",
		.unit = "",
		.choices = cpus_policy_choices,
		.help = "How workers share the CPUs of cpus_allowed.",
	},
	{
		.name = "numa_cpu_nodes",
		.group = "how",
		.type = IOB_P_TEXT,
		TEXT_FIELD(numa_cpu_nodes),
		.initial = "",
		.unit = "",
		.help = "Run on the CPUs of these NUMA nodes, such as 0-1.",
	},
};

IOB_PARAM_ROWS(iob_param_thread, rows);
