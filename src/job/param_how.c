/* SPDX-License-Identifier: MIT */
/* Rows: how many requests at a time, how fast, by which engine. */
#include "job/param_rows.h"

static const struct iob_param_choice rate_choices[] = {
	{"linear", IOB_RATE_LINEAR, "evenly spaced"},
	{"poisson", IOB_RATE_POISSON, "at random, as from many independent users"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	{
		.name = "ioengine",
		.group = "how",
		.type = IOB_P_TEXT,
		.flags = IOB_PF_COMMON,
		TEXT_FIELD(ioengine),
		.initial = "io_uring",
		.unit = "",
		.help = "How requests reach the kernel; \"iotop-bench engines\" lists the ways.",
	},
	{
		.name = "iodepth",
		.group = "how",
		.type = IOB_P_UINT,
		.flags = IOB_PF_LIVE | IOB_PF_COMMON,
		FIELD(iodepth),
		.min = 1,
		.max = MOST_DEPTH,
		.initial = "1",
		.unit = "I/Os",
		.help = "Requests that each worker keeps in flight. Synchronous engines have one.",
	},
	{
		.name = "iodepth_batch",
		.aliases = "iodepth_batch_submit",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_batch),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Most requests submitted at once; 0 = groups of 8, larger where requests "
			"complete at once.",
	},
	{
		.name = "iodepth_batch_complete",
		.aliases = "iodepth_batch_complete_min",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_batch_complete),
		.max = MOST_DEPTH,
		.initial = "1",
		.unit = "I/Os",
		.help = "Fewest completions to wait for at once; 0 never waits and keeps a CPU "
			"busy.",
	},
	{
		.name = "rate_iops",
		.group = "how",
		.type = IOB_P_UINT,
		.flags = IOB_PF_LIVE | IOB_PF_SPLIT,
		FIELD(rate_iops),
		.max = MOST_RATE,
		.initial = "0",
		.unit = "I/Os per second",
		.help = "Requests that each worker starts per second, at times set beforehand; latency "
			"is then counted from these times, too. 0 goes as fast as iodepth allows. With "
			"commas: reads, writes, trims; in a mixed job the rates make the mix.",
	},
	{
		.name = "rate_process",
		.group = "how",
		.type = IOB_P_CHOICE,
		FIELD(rate_process),
		.initial = "linear",
		.unit = "",
		.choices = rate_choices,
		.help = "How the requests of rate_iops are spread over time.",
	},
	{
		.name = "numjobs",
		.group = "how",
		.type = IOB_P_UINT,
		.flags = IOB_PF_LIVE | IOB_PF_COMMON | IOB_PF_ONES,
		FIELD(numjobs),
		.min = 1,
		.max = 512,
		.initial = "1",
		.unit = "workers",
		.help = "Workers (threads) that do the same at the same time, on parts of their "
			"own.",
	},
	{
		.name = "iodepth_batch_complete_max",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_batch_complete_max),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "Most completions to take back at once in a job of fio; 0 = as many as "
			"iodepth_batch_complete asks for. Elsewhere all that is there is taken.",
	},
	{
		.name = "iodepth_low",
		.group = "how",
		.type = IOB_P_UINT,
		FIELD(iodepth_low),
		.max = MOST_DEPTH,
		.initial = "0",
		.unit = "I/Os",
		.help = "In a job of fio: drain a full queue down to so many before it is filled "
			"again; 0 = iodepth, which refills it at once.",
	},
	MORE_BOOL("serialize_overlap", "how", IOB_PF_JOBFILE, serialize_overlap, "0",
		"A request that overlaps one in flight of the same worker waits until that is back."),
};

IOB_PARAM_ROWS(iob_param_how, rows);
