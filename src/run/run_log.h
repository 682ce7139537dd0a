/* SPDX-License-Identifier: MIT */
/*
 * What workers wrote down for I/O logs (iob_plan.log), while the run goes on and after it: for one
 * reader, which may be another process than the front, since all that it needs is the descriptor of
 * the run's memory (iob_run_log_fd).  What was read is gone.
 */
#ifndef IOB_RUN_RUN_LOG_H
#define IOB_RUN_RUN_LOG_H

#include "measure/log_store.h"

struct iob_shared;

struct iob_run_log {
	struct iob_shared *shared;
	int fd;
	struct iob_log_chunk *chunk; /* owned: room for one */
};

/* Takes the descriptor over, also when it fails. */
int iob_run_log_open(struct iob_run_log *, int fd, struct iob_error *);
/* All that worker i has handed over until now: at most a second old as long as it can look at the
 * time, all of it once the run is over.  See iob_log_read. */
ssize_t iob_run_log_read(struct iob_run_log *, unsigned worker, iob_log_visit *, void *arg);
/* When its measuring began, on the scale of iob_now_ns; known once anything was read. */
uint64_t iob_run_log_from_ns(const struct iob_run_log *, unsigned worker);
/* Bytes that a worker's records may take while they wait; how many of them found no room. */
uint64_t iob_run_log_room(const struct iob_run_log *);
uint64_t iob_run_log_lost(const struct iob_run_log *, unsigned worker);
void iob_run_log_close(struct iob_run_log *);

#endif
