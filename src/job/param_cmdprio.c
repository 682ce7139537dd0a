/* SPDX-License-Identifier: MIT */
/* Rows of the group "engine": priorities of single requests. */
#include "job/cmdprio.h"
#include "job/param_rows.h"

static const struct iob_param rows[] = {
	UINT_ROW("cmdprio_percentage", IOB_PARAM_GROUP_ENGINE, IOB_PF_SPLIT, cmdprio.percentage, 0,
		100, "0", "%",
		"So many of the requests go with the priority of cmdprio_class and cmdprio, "
		"the others with that of the worker. With a comma: reads, writes."),
	UINT_ROW("cmdprio_class", IOB_PARAM_GROUP_ENGINE, IOB_PF_SPLIT, cmdprio.prioclass, 0, 3,
		"1", "",
		"Class of these requests: 1 real time (root), 2 best effort, 3 idle. With a "
		"comma: reads, writes."),
	UINT_ROW("cmdprio", IOB_PARAM_GROUP_ENGINE, IOB_PF_SPLIT, cmdprio.level, 0, 7, "0", "",
		"Priority of these requests within their class, 0 (highest) to 7. With a "
		"comma: reads, writes."),
	{
		.name = "cmdprio_bssplit",
		.group = IOB_PARAM_GROUP_ENGINE,
		.type = IOB_P_TEXT,
		FIELD(cmdprio.bssplit),
		.size = IOB_CMDPRIO_TEXT,
		.initial = "",
		.unit = "",
		.check = iob_cmdprio_check,
		.help = "The same by size: 4k/20:64k/5 gives a priority to a fifth of the requests of "
			"4k, 4k/20/2/3 a class and a level of their own. With a comma: reads, writes.",
	},
};

IOB_PARAM_ROWS(iob_param_cmdprio, rows);
