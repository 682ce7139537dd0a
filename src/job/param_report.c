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
	JOB_TEXT("description", "report", description, 0, "Words on the job for the report."),
	JOB_CHOICE("kb_base", "report", kb_base, "1024", kb_base_choices,
		"Which units the report names first."),
	JOB_CHOICE("unit_base", "report", unit_base, "0", unit_base_choices,
		"Whether the report counts bytes or bits per second."),
	JOB_UINT("significant_figures", "report", significant_figures, 1, 10, "4",
		"Digits of the figures in the report."),
	JOB_CHOICE("unified_rw_reporting", "report", unified_rw_reporting, "none", unified_choices,
		"Whether the report adds up reads, writes and trims."),
	JOB_TEXT("percentile_list", "report", percentile_list, 0,
		"Percentiles of the report, at most 20, with colons: 50:99:99.9."),
	JOB_BOOL("clat_percentiles", NULL, "report", clat_percentiles, "1",
		"Report percentiles from submission to completion."),
	JOB_BOOL("lat_percentiles", NULL, "report", lat_percentiles, "0",
		"Report percentiles of the whole latency."),
	JOB_BOOL("slat_percentiles", NULL, "report", slat_percentiles, "0",
		"Report percentiles of the time that submission takes."),
	JOB_BOOL("disable_lat", NULL, "report", disable_lat, "0",
		"Leave the whole latency out of the report."),
	JOB_BOOL("disable_clat", NULL, "report", disable_clat, "0",
		"Leave the time from submission to completion out of the report."),
	JOB_BOOL("disable_slat", NULL, "report", disable_slat, "0",
		"Leave the time that submission takes out of the report."),
	JOB_BOOL("disable_bw_measurement", "disable_bw", "report", disable_bw, "0",
		"Leave the samples of bandwidth out of the report."),
	JOB_BOOL("disk_util", NULL, "report", disk_util, "1",
		"Report the counters of the disks below."),
	JOB_BOOL("stats", NULL, "report", stats, "1", "Report the job at all."),
	JOB_UINT("bwavgtime", "report", bwavgtime_ms, 1, MOST_RATE, "500",
		"Milliseconds over which samples of bandwidth are taken."),
	JOB_UINT("iopsavgtime", "report", iopsavgtime_ms, 1, MOST_RATE, "500",
		"Milliseconds over which samples of IOPS are taken."),
};

IOB_PARAM_ROWS(iob_param_report, rows);
