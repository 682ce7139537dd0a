/* SPDX-License-Identifier: MIT */
/* Rows: what is worked on. */
#include "job/param_rows.h"

static const struct iob_param rows[] = {
	TEXT_ROW("filename", "where", 0, filename, "",
		"File or block device to work on; the same as TARGET."),
	TEXT_ROW("directory", "where", 0, directory, "",
		"Make scratch files in this directory and remove them afterwards."),
	{
		.name = "nrfiles",
		.aliases = "nr_files",
		.group = "where",
		.type = IOB_P_UINT,
		FIELD(nrfiles),
		.min = 1,
		.max = 1024,
		.initial = "1",
		.unit = "files",
		.help = "Number of scratch files that the size is divided among.",
	},
	{
		.name = "size",
		.group = "where",
		.type = IOB_P_AMOUNT,
		.flags = IOB_PF_COMMON,
		FIELD(size),
		.min = 1,
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "How much of the target is used, in bytes or per cent. Not given: all of it; a "
			"scratch file has 1 GiB.",
	},
	{
		.name = "offset",
		.aliases = "fileoffset",
		.group = "where",
		.type = IOB_P_AMOUNT,
		FIELD(offset),
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "Where the used part of the target begins, in bytes or per cent.",
	},
	TEXT_ROW("ioscheduler", "where", 0, ioscheduler, "",
		"Scheduler of the disk during the run, restored afterwards (needs root). The "
		"old names noop, deadline and cfq stand for none, mq-deadline and bfq."),
	{
		.name = "offset_increment",
		.group = "where",
		.type = IOB_P_AMOUNT,
		FIELD(pattern.offset_increment),
		.max = MOST_BYTES,
		.initial = "",
		.unit = "bytes",
		.help = "Each worker begins so much later than the one before, in bytes or per cent, "
			"and covers size from there; the parts may overlap.",
	},
	BYTES_ROW("offset_align", "where", 0, pattern.offset_align, GIB, "0",
		"What an offset in per cent is rounded up to; 0 = the smallest size of bs."),
};

IOB_PARAM_ROWS(iob_param_where, rows);
