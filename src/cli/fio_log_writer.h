/* SPDX-License-Identifier: MIT */
/*
 * The logs of `fio` (write_bw_log and its kin, --bandwidth-log) are written while the jobs run, by
 * a process of its own: a disk that hangs or is full holds up neither the jobs nor the screen nor
 * the report.  It reads what workers hand over each second and syncs each few seconds; when the
 * front is killed, it writes what there is.  All calls from one thread of the front.
 */
#ifndef IOB_CLI_FIO_LOG_WRITER_H
#define IOB_CLI_FIO_LOG_WRITER_H

#include "run/fleet.h"

struct iob_fio_log_writer;

/* Before anything starts, and before there are threads: each log can be written.  Those that are
 * there already are made known to the fleet, so that none of them is a target.  *out is NULL where
 * no logs are wanted.  bandwidth: prefix of the logs of all jobs together, NULL = none; output: the
 * report, which is no log, NULL = none. */
int iob_fio_log_writer_start(struct iob_fio_log_writer **out, struct iob_fleet *,
	const char *bandwidth, const char *output, struct iob_error *);
/* Again and again while the fleet goes on.  True when there is a new trouble to tell, once each:
 * the jobs go on. */
bool iob_fio_log_writer_follow(struct iob_fio_log_writer *, struct iob_error *trouble);
/* All is over: waits until the logs are on the disk, unless that does not go on.  Each trouble that
 * was not told before is told by `tell`.  0, or negative if any log is not whole. */
int iob_fio_log_writer_finish(struct iob_fio_log_writer *, int (*tell)(const struct iob_error *));
/* Legal on NULL. */
void iob_fio_log_writer_free(struct iob_fio_log_writer *);

/* The lines of bandwidth logs (fio_bandwidth_log.c): those that are new and complete go to the
 * socket, from number *next on. */
void iob_fio_bandwidth_lines(struct iob_fleet *, int socket, size_t *next);
/* And the whole of each log at the end, when nothing that came late is missing any more.
 * hurry: see iob_document_save. */
int iob_fio_bandwidth_logs_write(
	struct iob_fleet *, const char *prefix, bool hurry, struct iob_error *);

#endif
