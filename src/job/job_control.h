/* SPDX-License-Identifier: MIT */
/*
 * What a job file says about a job beside its I/O: when it starts and ends among the others, how it
 * is reported, which logs it writes.  Rows of the parameter table with IOB_PF_JOBFILE;
 * src/run/fleet and fio's reports act on them, `run` and the dashboard have no use for them.
 */
#ifndef IOB_JOB_JOB_CONTROL_H
#define IOB_JOB_JOB_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/direction.h"

enum iob_exit_what { IOB_EXIT_WHAT_GROUP, IOB_EXIT_WHAT_ALL, IOB_EXIT_WHAT_STONEWALL };

enum iob_unified { IOB_UNIFIED_NONE, IOB_UNIFIED_MIXED, IOB_UNIFIED_BOTH };

enum iob_log_value { IOB_LOG_VALUE_AVG, IOB_LOG_VALUE_MAX, IOB_LOG_VALUE_BOTH };

struct iob_job_control {
	/* order */
	bool stonewall; /* waits for all before it, and begins a group */
	bool new_group;
	char wait_for[64];                         /* name of an earlier job; "" = none */
	uint64_t startdelay_ns, startdelay_max_ns; /* equal unless it is to be drawn */
	uint64_t loops;
	bool exitall;       /* its end ends the others: those of exit_what */
	uint32_t exit_what; /* enum iob_exit_what */
	bool exitall_on_error;
	uint64_t rate[IOB_NDIR]; /* bytes per second, of directions without rate_iops */
	/* files */
	char filename_format[256];
	bool unique_filename; /* no effect without a network */
	char opendir[1024];   /* files below it are the targets; "" = none */
	/* reports */
	char description[2048];
	uint32_t kb_base;   /* 1024 or 1000: which of both comes first */
	uint32_t unit_base; /* 0 = as it comes, 8 bytes, 1 bits */
	uint64_t significant_figures;
	uint32_t unified_rw_reporting; /* enum iob_unified */
	char percentile_list[256];     /* checked; "" = fio's 17 */
	bool clat_percentiles, lat_percentiles, slat_percentiles;
	bool disable_lat, disable_clat, disable_slat, disable_bw; /* leave the rows out */
	bool disk_util;
	bool stats; /* 0 = not in the report */
	uint64_t bwavgtime_ms, iopsavgtime_ms;
	/* Logs: prefix of the file names; "" = not wanted.  A bare option gives the job's name. */
	char write_bw_log[256], write_lat_log[256], write_iops_log[256], write_hist_log[256];
	uint64_t log_avg_msec, log_hist_msec, log_hist_coarseness;
	uint32_t log_window_value; /* enum iob_log_value */
	bool log_offset, log_prio, per_job_logs;
	bool log_alternate_epoch; /* times by the clock below, not since the start */
	uint64_t log_alternate_epoch_clock_id;
};

#endif
