/* SPDX-License-Identifier: MIT */
/* Rows that are there because command lines of fio have them. */
#include "job/param_rows.h"

static const struct iob_param rows[] = {
	{
		.name = "thread",
		.aliases = "threads",
		.group = "compatibility",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_NO_EFFECT,
		FIELD(thread),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "No effect: workers are always threads.",
	},
	BOOL_ROW("group_reporting", "compatibility", IOB_PF_NO_EFFECT | IOB_PF_FIO, group_reporting,
		"0",
		"One report for all workers of a group (fio); no effect elsewhere: reports "
		"always sum up all workers of a stage."),
	BOOL_ROW("gtod_reduce", "compatibility", IOB_PF_NO_EFFECT | IOB_PF_FIO, gtod_reduce, "0",
		"Leave latencies out of the report (fio); no effect elsewhere: full "
		"statistics cost too little to be worth leaving out."),
};

IOB_PARAM_ROWS(iob_param_compat, rows);
