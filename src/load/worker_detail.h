/* SPDX-License-Identifier: MIT */
/* What a worker keeps for the loop with detailed statistics (worker_detail.c). */
#ifndef IOB_LOAD_WORKER_DETAIL_H
#define IOB_LOAD_WORKER_DETAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "load/worker_log.h"
#include "measure/detail.h"

struct iob_worker_usage {
	uint64_t user_ns, system_ns;
	uint64_t context_switches, major_faults, minor_faults;
};

struct iob_worker_detail {
	struct iob_detail *out; /* in the shared memory; NULL = not asked for */
	bool synchronous;       /* one request at a time, done in reap */
	bool submits;           /* by a call of its own */
	bool slat;              /* the span means something */
	bool polling;           /* iodepth_batch_complete=0: look again and again, never wait */
	unsigned queued;        /* handed to the engine since the last submit */
	unsigned unstamped;     /* of `batched`: their issue is stamped by the next submit */
	uint64_t batch;         /* so many are submitted together */
	uint64_t fewest, most;  /* to take back at once */
	uint64_t low;           /* a full queue is drained down to this */
	struct iob_req **again; /* transfers of which a part is missing */
	unsigned nagain;
	/* serialize_overlap: what is in flight, and what waits because it overlaps one of them. */
	bool serial;
	struct iob_req **flying;
	unsigned nflying;
	struct iob_req *held;
	/* Of a pass over the files, and of this one to come; UINT64_MAX = the end of one is nothing
	 * special. */
	uint64_t pass_bytes, pass_left;
	uint64_t ramp_end_ns;    /* 0 = there is none, or it is over */
	uint32_t usage_interval; /* when to look at `from` again */
	struct iob_worker_usage from;
	struct iob_detail_priorities *priorities; /* in the shared memory; NULL = not asked for */
	uint16_t thread_ioprio;                   /* of requests without a priority of their own */
	bool priorities_by_lat;                   /* not by clat */
	bool logs;
	struct iob_worker_log log;
};

#endif
