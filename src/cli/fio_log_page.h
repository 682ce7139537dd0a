/* SPDX-License-Identifier: MIT */
/*
 * The memory that the front shares with the process that writes the logs of `fio`
 * (fio_log_writer.h). Each word has one writer; plain values are written before the atomic word
 * that announces them.
 */
#ifndef IOB_CLI_FIO_LOG_PAGE_H
#define IOB_CLI_FIO_LOG_PAGE_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/direction.h"
#include "base/error.h"
#include "job/plan.h"

/* What it hands to the kernel and waits for.  The writing process writes, the front looks whether
 * it takes too long. */
struct iob_log_wait {
	_Atomic uint64_t since_ns; /* iob_now_ns; 0 = for nothing */
	_Atomic uint32_t which;    /* enum iob_fio_log, or the direction of a bandwidth log */
};

struct iob_log_words {
	_Atomic uint32_t ended; /* the front: nothing more will come; a futex word */
	struct iob_log_wait wait;
};

enum iob_log_finish {
	IOB_LOG_GOES_ON,
	IOB_LOG_FINISH, /* the front waits for `done` */
	IOB_LOG_LEAVE,  /* and not for long: what is not yet read is left */
};

struct iob_log_page {
	/* Written by the writing process. */
	_Atomic uint32_t checked; /* announces check, nlogs, log */
	struct iob_error check;   /* code 0 = each place is in order */
	unsigned nlogs;           /* that are there already */
	struct iob_plan_report log[IOB_MAX_REPORTS];
	_Atomic uint32_t failures; /* how many there were */
	_Atomic uint32_t failed;   /* announces error: the first of them */
	struct iob_error error;
	_Atomic uint32_t done; /* all is written, or said */
	/* Written by the front. */
	_Atomic uint32_t finishing; /* enum iob_log_finish */
	unsigned nclones;
	struct iob_log_words bandwidth;
	struct iob_log_words clone[];
};

/* The writing process, any thread: a log has failed. */
void iob_log_page_fail(struct iob_log_page *, const struct iob_error *);
/* The writing process: it enters a call that may never come back, and has left it. */
void iob_log_wait_begin(struct iob_log_wait *, unsigned which);
void iob_log_wait_end(struct iob_log_wait *);
/* The front: no more will come.  The writing process: sleep until then, at most so long. */
void iob_log_words_end(struct iob_log_words *);
void iob_log_words_sleep(struct iob_log_words *, uint64_t ns);

#endif
