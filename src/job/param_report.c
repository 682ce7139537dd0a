/* SPDX-License-Identifier: MIT */
/* Rows for job files: what the report says. */
#include "job/param_rows.h"

static const struct iob_param_choice kb_base_choices[] = {
	{"1024", 1024, "KiB, MiB, GiB"},
	{"1000", 1000, "kB, MB, GB"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice unit_base_choices[] = {
	{"0", 0, "as it comes"},
	{"8", 8, "bytes"},
	{"1", 1, "bits"},
	{NULL, 0, NULL},
};

static const struct iob_param_choice unified_choices[] = {
	{"none", IOB_UNIFIED_NONE, "each for itself"},
	{"mixed", IOB_UNIFIED_MIXED, "the sum alone"},
	{"both", IOB_UNIFIED_BOTH, "each, and the sum"},
	{"0", IOB_UNIFIED_NONE, "the same as none"},
	{"1", IOB_UNIFIED_MIXED, "the same as mixed"},
	{"2", IOB_UNIFIED_BOTH, "the same as both"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	TEXT_ROW("description", "report", IOB_PF_JOBFILE, ctl.description, "",
		"Words on the job for the report."),
	CHOICE_ROW("kb_base", "report", IOB_PF_JOBFILE, ctl.kb_base, "1024", kb_base_choices,
		"Which units the report names first."),
	CHOICE_ROW("unit_base", "report", IOB_PF_JOBFILE, ctl.unit_base, "0", unit_base_choices,
		"Whether the report counts bytes or bits per second."),
	UINT_ROW("significant_figures", "report", IOB_PF_JOBFILE, ctl.significant_figures, 1, 10,
		"4", "", "Digits of the figures in the report."),
	CHOICE_ROW("unified_rw_reporting", "report", IOB_PF_JOBFILE, ctl.unified_rw_reporting,
		"none", unified_choices, "Whether the report adds up reads, writes and trims."),
	TEXT_ROW("percentile_list", "report", IOB_PF_JOBFILE, ctl.percentile_list, "",
		"Percentiles of the report, at most 20, with colons: 50:99:99.9."),
	BOOL_ROW("clat_percentiles", "report", IOB_PF_JOBFILE, ctl.clat_percentiles, "1",
		"Report percentiles from submission to completion."),
	BOOL_ROW("lat_percentiles", "report", IOB_PF_JOBFILE, ctl.lat_percentiles, "0",
		"Report percentiles of the whole latency."),
	BOOL_ROW("slat_percentiles", "report", IOB_PF_JOBFILE, ctl.slat_percentiles, "0",
		"Report percentiles of the time that submission takes."),
	BOOL_ROW("disable_lat", "report", IOB_PF_JOBFILE, ctl.disable_lat, "0",
		"Leave the whole latency out of the report."),
	BOOL_ROW("disable_clat", "report", IOB_PF_JOBFILE, ctl.disable_clat, "0",
		"Leave the time from submission to completion out of the report."),
	BOOL_ROW("disable_slat", "report", IOB_PF_JOBFILE, ctl.disable_slat, "0",
		"Leave the time that submission takes out of the report."),
	{
		.name = "disable_bw_measurement",
		.aliases = "disable_bw",
		.group = "report",
		.type = IOB_P_BOOL,
		.flags = IOB_PF_JOBFILE,
		FIELD(ctl.disable_bw),
		.max = 1,
		.initial = "0",
		.unit = "",
		.help = "Leave the samples of bandwidth out of the report.",
	},
	BOOL_ROW("disk_util", "report", IOB_PF_JOBFILE, ctl.disk_util, "1",
		"Report the counters of the disks below."),
	BOOL_ROW("stats", "report", IOB_PF_JOBFILE, ctl.stats, "1", "Report the job at all."),
	UINT_ROW("bwavgtime", "report", IOB_PF_JOBFILE, ctl.bwavgtime_ms, 1, MOST_RATE, "500", "",
		"Milliseconds over which samples of bandwidth are taken."),
	UINT_ROW("iopsavgtime", "report", IOB_PF_JOBFILE, ctl.iopsavgtime_ms, 1, MOST_RATE, "500",
		"", "Milliseconds over which samples of IOPS are taken."),
};

IOB_PARAM_ROWS(iob_param_report, rows);
