/* SPDX-License-Identifier: MIT */
/* Which log files (write_bw_log and its kin) the clones of a fleet have, and how they are called.
 */
#ifndef IOB_CLI_FIO_LOG_PATHS_H
#define IOB_CLI_FIO_LOG_PATHS_H

#include "result/fio_logs.h"
#include "run/fleet.h"

/* 1, or 0 if the clone has no such log.  With per_job_logs=0 clones share it: each but the first
 * has a part of its own (iob_fio_log_part) while the run goes on. */
int iob_fio_log_path_of(
	const struct iob_fleet_clone *, enum iob_fio_log, char *path, size_t n, struct iob_error *);
/* How many clones before this one share the log. */
unsigned iob_fio_log_part(const struct iob_fleet *, unsigned clone, enum iob_fio_log);
/* The file that clone writes: the log, or "LOG.part2" and so on.  As iob_fio_log_path_of. */
int iob_fio_log_part_path(const struct iob_fleet *, unsigned clone, enum iob_fio_log, char *path,
	size_t n, struct iob_error *);

/* "PREFIX-read_bw.log" and its kin: what all jobs did together (--bandwidth-log). */
int iob_fio_bandwidth_path(char *path, size_t n, const char *prefix, int dir, struct iob_error *);

#endif
