/* SPDX-License-Identifier: MIT */
/* In the process that writes the logs of `fio`: a thread that follows one clone. */
#ifndef IOB_CLI_FIO_LOG_FOLLOW_H
#define IOB_CLI_FIO_LOG_FOLLOW_H

#include <pthread.h>

#include "cli/fio_log_file.h"
#include "cli/fio_log_paths.h"
#include "run/run_log.h"

struct iob_log_follower {
	const struct iob_fleet *fleet;
	unsigned clone;
	struct iob_log_page *page;
	struct iob_log_words *words; /* of the clone */
	int64_t ahead_ns;            /* see struct iob_log_begin */
	int fd;                      /* of the run's memory; -1 = it writes nothing down */
	pthread_t thread;
	/* The thread's own, and after it ended of whoever joined it. */
	struct iob_run_log log;
	struct iob_fio_log_options options;
	bool slat;      /* the engine has one */
	bool has_epoch; /* options.epoch_ms is known */
	struct iob_log_file file[IOB_FIO_NLOGS];
	uint64_t sync_ns; /* when to sync next */
};

/* Opens the clone's logs and writes them until words->ended; files that clones share stay open.
 * 0 or a negative errno. */
int iob_log_follower_start(struct iob_log_follower *);
/* One of its files, for whoever does it in its place. */
void iob_log_follower_open(struct iob_log_follower *, enum iob_fio_log);

#endif
