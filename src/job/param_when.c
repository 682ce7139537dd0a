/* SPDX-License-Identifier: MIT */
/* Rows: when a worker ends. */
#include "job/param_rows.h"

static const struct iob_param rows[] = {
	{
		.name = "runtime",
		.aliases = "timeout",
		.group = "when",
		.type = IOB_P_TIME,
		.flags = IOB_PF_COMMON,
		FIELD(runtime_ns),
		.max = MOST_RUNTIME,
		.initial = "30s",
		.unit = "s",
		.help = "How long to measure; 0 has no limit.",
	},
	BOOL_ROW("time_based", "when", 0, time_based, "1",
		"Start again at the end of the region until runtime is over; 0 ends there."),
	TIME_ROW("ramp_time", "when", IOB_PF_COMMON, ramp_time_ns, MOST_RUNTIME, "0s",
		"How long to run before the measuring starts."),
	{
		.name = "io_size",
		.aliases = "io_limit",
		.group = "when",
		.type = IOB_P_AMOUNT,
		FIELD(io_size),
		.min = 1,
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "How much each worker transfers when time_based=0, in bytes or per cent of "
			"size. Not given: size.",
	},
	UINT_ROW("number_ios", "when", 0, number_ios, 0, UINT64_MAX, "0", "I/Os",
		"Stop each worker after so many requests; 0 has no limit."),
};

IOB_PARAM_ROWS(iob_param_when, rows);
