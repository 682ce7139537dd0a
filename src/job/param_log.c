/* SPDX-License-Identifier: MIT */
/* Rows for job files: logs. */
#include "job/param_rows.h"

static const struct iob_param_choice log_value_choices[] = {
	{"avg", IOB_LOG_VALUE_AVG, "the mean"},
	{"max", IOB_LOG_VALUE_MAX, "the largest value"},
	{"both", IOB_LOG_VALUE_BOTH, "the mean and the largest value"},
	{"0", IOB_LOG_VALUE_AVG, "the same as avg"},
	{"1", IOB_LOG_VALUE_MAX, "the same as max"},
	{"2", IOB_LOG_VALUE_BOTH, "the same as both"},
	{NULL, 0, NULL},
};

static const struct iob_param rows[] = {
	JOB_TEXT("write_bw_log", "log", write_bw_log, IOB_PF_BARE,
		"Write a log of bandwidth; the value begins the name of the file."),
	JOB_TEXT("write_lat_log", "log", write_lat_log, IOB_PF_BARE,
		"Write logs of latencies; the value begins the names of the files."),
	JOB_TEXT("write_iops_log", "log", write_iops_log, IOB_PF_BARE,
		"Write a log of IOPS; the value begins the name of the file."),
	JOB_TEXT("write_hist_log", "log", write_hist_log, IOB_PF_BARE,
		"Write a log of latency histograms; the value begins the name of the file."),
	JOB_UINT("log_avg_msec", "log", log_avg_msec, 0, MOST_RATE, "0",
		"Milliseconds that a line of the logs stands for; 0 = each request has a line."),
	JOB_UINT("log_hist_msec", "log", log_hist_msec, 0, MOST_RATE, "0",
		"Milliseconds that a line of the histogram log stands for."),
	JOB_UINT("log_hist_coarseness", "log", log_hist_coarseness, 0, 6, "0",
		"How often the number of bins of the histogram log is halved."),
	JOB_CHOICE("log_window_value", "log", log_window_value, "avg", log_value_choices,
		"What a line of the logs says of its time."),
	JOB_CHOICE("log_max_value", "log", log_window_value, "avg", log_value_choices,
		"The older name of log_window_value: 1 = the largest value."),
	JOB_BOOL("log_offset", NULL, "log", log_offset, "0", "Log the offset of each request."),
	JOB_BOOL("log_prio", NULL, "log", log_prio, "0", "Log the priority of each request."),
	JOB_BOOL("per_job_logs", NULL, "log", per_job_logs, "1",
		"One log for each worker instead of one for all of a job."),
	JOB_BOOL("log_unix_epoch", NULL, "log", log_alternate_epoch, "0",
		"Log the time of day instead of the time since the start."),
	JOB_BOOL("log_alternate_epoch", NULL, "log", log_alternate_epoch, "0",
		"Log times by the clock log_alternate_epoch_clock_id."),
	JOB_UINT("log_alternate_epoch_clock_id", "log", log_alternate_epoch_clock_id, 0, 11, "0",
		"Number of the kernel's clock that log_alternate_epoch takes."),
};

IOB_PARAM_ROWS(iob_param_log, rows);
