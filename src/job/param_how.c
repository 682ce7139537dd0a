/* SPDX-License-Identifier: MIT */
/* Rows: how many requests at a time, how fast, by which engine. */
#include "job/param_rows.h"

static const struct iob_param_choice rate_choices[] = {
	{"linear", IOB_RATE_LINEAR, "evenly spaced"},
	{"poisson", IOB_RATE_POISSON, "at random, as from many independent users"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	TEXT_ROW("ioengine", "how", IOB_PF_COMMON, ioengine, "io_uring",
		"How requests reach the kernel; \"iotop-bench engines\" lists the ways."),
	UINT_ROW("iodepth", "how", IOB_PF_LIVE | IOB_PF_COMMON, iodepth, 1, MOST_DEPTH, "1", "I/Os",
		"Requests that each worker keeps in flight. Synchronous engines have one."),
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
	UINT_ROW("rate_iops", "how", IOB_PF_LIVE | IOB_PF_SPLIT, rate_iops, 0, MOST_RATE, "0",
		"I/Os per second",
		"Requests that each worker starts per second, at times set beforehand; latency "
		"is then counted from these times, too. 0 goes as fast as iodepth allows. With "
		"commas: reads, writes, trims; in a mixed job the rates make the mix."),
	CHOICE_ROW("rate_process", "how", 0, rate_process, "linear", rate_choices,
		"How the requests of rate_iops are spread over time."),
	UINT_ROW("numjobs", "how", IOB_PF_LIVE | IOB_PF_COMMON | IOB_PF_ONES, numjobs, 1, 512, "1",
		"workers",
		"Workers (threads) that do the same at the same time, on parts of their "
		"own."),
	UINT_ROW("iodepth_batch_complete_max", "how", 0, iodepth_batch_complete_max, 0, MOST_DEPTH,
		"0", "I/Os",
		"Most completions to take back at once in a job of fio; 0 = as many as "
		"iodepth_batch_complete asks for. Elsewhere all that is there is taken."),
	UINT_ROW("iodepth_low", "how", 0, iodepth_low, 0, MOST_DEPTH, "0", "I/Os",
		"In a job of fio: drain a full queue down to so many before it is filled "
		"again; 0 = iodepth, which refills it at once."),
	BOOL_ROW("serialize_overlap", "how", IOB_PF_JOBFILE, serialize_overlap, "0",
		"A request that overlaps one in flight of the same worker waits until that is back."),
};

IOB_PARAM_ROWS(iob_param_how, rows);
