/* SPDX-License-Identifier: MIT */
/* The log files of fio (write_bw_log and its kin) of a fleet that is over. */
#ifndef IOB_CLI_FIO_LOG_FILES_H
#define IOB_CLI_FIO_LOG_FILES_H

#include "run/fleet.h"

/* Before anything starts: each can be written.  Those that are there already are made known to the
 * fleet, so that none of them is a target; nor is one the report (output, NULL = none). */
int iob_fio_log_files_check(struct iob_fleet *, const char *output, struct iob_error *);
/* One file for each clone and kind, or with per_job_logs=0 one for all clones of a job.  The first
 * failure names the file. */
int iob_fio_log_files_write(struct iob_fleet *, struct iob_error *);

/* Before the start: may there be a log?  And no job shall have it as its target. */
int iob_fio_log_path_check(
	struct iob_fleet *, const char *path, const char *output, struct iob_error *);
int iob_fio_bandwidth_logs_check(
	struct iob_fleet *, const char *prefix, const char *output, struct iob_error *);
/* "PREFIX-read_bw.log" and its kin: what all jobs did together, a line for each direction and half
 * a second (--bandwidth-log). */
int iob_fio_bandwidth_logs_write(struct iob_fleet *, const char *prefix, struct iob_error *);

#endif
