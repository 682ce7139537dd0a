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
	TEXT_ROW("write_bw_log", "log", IOB_PF_JOBFILE | IOB_PF_BARE, ctl.write_bw_log, "",
		"Write a log of bandwidth; the value begins the name of the file."),
	TEXT_ROW("write_lat_log", "log", IOB_PF_JOBFILE | IOB_PF_BARE, ctl.write_lat_log, "",
		"Write logs of latencies; the value begins the names of the files."),
	TEXT_ROW("write_iops_log", "log", IOB_PF_JOBFILE | IOB_PF_BARE, ctl.write_iops_log, "",
		"Write a log of IOPS; the value begins the name of the file."),
	TEXT_ROW("write_hist_log", "log", IOB_PF_JOBFILE | IOB_PF_BARE, ctl.write_hist_log, "",
		"Write a log of latency histograms; the value begins the name of the file."),
	UINT_ROW("log_avg_msec", "log", IOB_PF_JOBFILE, ctl.log_avg_msec, 0, MOST_RATE, "0", "",
		"Milliseconds that a line of the logs stands for; 0 = each request has a line."),
	UINT_ROW("log_hist_msec", "log", IOB_PF_JOBFILE, ctl.log_hist_msec, 0, MOST_RATE, "0", "",
		"Milliseconds that a line of the histogram log stands for."),
	UINT_ROW("log_hist_coarseness", "log", IOB_PF_JOBFILE, ctl.log_hist_coarseness, 0, 6, "0",
		"", "How often the number of bins of the histogram log is halved."),
	CHOICE_ROW("log_window_value", "log", IOB_PF_JOBFILE, ctl.log_window_value, "avg",
		log_value_choices, "What a line of the logs says of its time."),
	CHOICE_ROW("log_max_value", "log", IOB_PF_JOBFILE, ctl.log_window_value, "avg",
		log_value_choices, "The older name of log_window_value: 1 = the largest value."),
	BOOL_ROW("log_offset", "log", IOB_PF_JOBFILE, ctl.log_offset, "0",
		"Log the offset of each request."),
	BOOL_ROW("log_prio", "log", IOB_PF_JOBFILE, ctl.log_prio, "0",
		"Log the priority of each request."),
	BOOL_ROW("per_job_logs", "log", IOB_PF_JOBFILE, ctl.per_job_logs, "1",
		"One log for each worker instead of one for all of a job."),
	BOOL_ROW("log_unix_epoch", "log", IOB_PF_JOBFILE, ctl.log_alternate_epoch, "0",
		"Log the time of day instead of the time since the start."),
	BOOL_ROW("log_alternate_epoch", "log", IOB_PF_JOBFILE, ctl.log_alternate_epoch, "0",
		"Log times by the clock log_alternate_epoch_clock_id."),
	UINT_ROW("log_alternate_epoch_clock_id", "log", IOB_PF_JOBFILE,
		ctl.log_alternate_epoch_clock_id, 0, 11, "0", "",
		"Number of the kernel's clock that log_alternate_epoch takes."),
};

IOB_PARAM_ROWS(iob_param_log, rows);
