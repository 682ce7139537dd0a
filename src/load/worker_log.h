/* SPDX-License-Identifier: MIT */
/* What a worker writes down for I/O logs (src/measure/io_log.h). */
#ifndef IOB_LOAD_WORKER_LOG_H
#define IOB_LOAD_WORKER_LOG_H

#include <stdbool.h>

#include "job/plan.h"
#include "load/engine.h"
#include "measure/detail.h"
#include "measure/log_store.h"

struct iob_worker_log {
	bool transfers;              /* one record for each */
	uint64_t window_ns, hist_ns; /* 0 = none */
	uint64_t from_ns;            /* when measuring began: 0 of all times */
	uint64_t next_ns;            /* end of the next window of either kind; UINT64_MAX = none */
	uint64_t hist_end_ns;
	uint16_t thread_ioprio; /* of requests without a priority of their own */
	struct iob_log_place place;
	struct iob_log_window window; /* the current one */
	struct iob_log_chunk *chunk[IOB_LOG_NKINDS];
	struct iob_hist *before;   /* IOB_NDIR of them: clat at the last hist window */
	struct iob_detail *detail; /* of the same worker */
	uint32_t block[IOB_NDIR];  /* of the newest request */
};

/* Allocates for what the plan wants.  0 or -ENOMEM. */
int iob_worker_log_init(struct iob_worker_log *, const struct iob_plan_log *,
	const struct iob_log_place *, struct iob_detail *);
/* Measuring begins (again): what was written down before is forgotten as far as it is not out. */
void iob_worker_log_begin(struct iob_worker_log *, uint64_t now_ns);
/* A transfer came back.  now_ns lies before next_ns. */
void iob_worker_log_add(struct iob_worker_log *, const struct iob_req *, uint64_t bytes, bool slat,
	uint64_t now_ns);
/* now_ns has reached next_ns. */
void iob_worker_log_roll(struct iob_worker_log *, uint64_t now_ns);
/* Now and then: what was written down goes to whoever reads it, also where chunks fill up slowly.
 */
void iob_worker_log_hand_over(struct iob_worker_log *, uint64_t now_ns);
void iob_worker_log_end(struct iob_worker_log *, uint64_t now_ns);
void iob_worker_log_free(struct iob_worker_log *);

#endif
