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
	{
		.name = "time_based",
		.group = "when",
		.type = IOB_P_BOOL,
		FIELD(time_based),
		.max = 1,
		.initial = "1",
		.unit = "",
		.help = "Start again at the end of the region until runtime is over; 0 ends there.",
	},
	{
		.name = "ramp_time",
		.group = "when",
		.type = IOB_P_TIME,
		.flags = IOB_PF_COMMON,
		FIELD(ramp_time_ns),
		.max = MOST_RUNTIME,
		.initial = "0s",
		.unit = "s",
		.help = "How long to run before the measuring starts.",
	},
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
	{
		.name = "number_ios",
		.group = "when",
		.type = IOB_P_UINT,
		FIELD(number_ios),
		.max = UINT64_MAX,
		.initial = "0",
		.unit = "I/Os",
		.help = "Stop each worker after so many requests; 0 has no limit.",
	},
};

IOB_PARAM_ROWS(iob_param_when, rows);
