/* SPDX-License-Identifier: MIT */
/* The process that writes the logs of `fio`: a child of the front, forked before anything starts.
 */
#ifndef IOB_CLI_FIO_LOG_PROCESS_H
#define IOB_CLI_FIO_LOG_PROCESS_H

#include <stdint.h>

#include "cli/fio_log_page.h"
#include "run/fleet.h"

/* What the front sends: a clone has begun.  With it goes the descriptor of its run's memory, if it
 * writes anything down. */
struct iob_log_begin {
	uint64_t clone;   /* or IOB_LOG_BANDWIDTH: the descriptor is a socket for lines */
	int64_t ahead_ns; /* what the clock of its logs shows beyond iob_now_ns */
};
#define IOB_LOG_BANDWIDTH UINT32_MAX

/* A line of a bandwidth log, on a socket of its own. */
struct iob_log_line {
	uint32_t dir;
	char text[92]; /* with its newline and '\0' */
};

struct iob_log_process {
	const struct iob_fleet *fleet; /* as it was when the child was forked */
	const char *bandwidth;         /* prefix, NULL = none */
	const char *output;            /* the report, NULL = none */
	struct iob_log_page *page;
	int control; /* end of it: nothing more will come */
};

/* Never returns.  It ends when the control socket does, also where the front has died: what was
 * handed over until then is written. */
void iob_log_process_main(struct iob_log_process *) __attribute__((noreturn));

/* Looks at all places (fio_log_check.c), and notes those that are there already in the page. */
int iob_fio_log_check(const struct iob_log_process *, struct iob_error *);
/* A thread for the socket of bandwidth logs (fio_log_bandwidth.c): 0 or a negative errno. */
struct iob_log_bandwidth;
int iob_log_bandwidth_start(
	struct iob_log_bandwidth **, const struct iob_log_process *, int socket);
void iob_log_bandwidth_join(struct iob_log_bandwidth *);

#endif
