/* SPDX-License-Identifier: MIT */
/*
 * The words in shared memory through which workers are steered and watched.  One writer per word:
 * struct iob_steer is written by the controller (main thread of the load process), struct
 * iob_worker_slot by its worker.
 */
#ifndef IOB_LOAD_CONTROL_H
#define IOB_LOAD_CONTROL_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "job/job.h"
#include "measure/failure.h"
#include "measure/ring.h"

struct iob_steer {
	/* Number of the parameter set = number of the segment.  Written after `live` (release);
	 * workers that see a new number (acquire) copy `live`.  It is not written again before
	 * every living worker has acknowledged. Also a futex word: idle workers wait on it. */
	alignas(IOB_CACHELINE) _Atomic uint32_t generation;
	struct iob_live live;
	alignas(IOB_CACHELINE) _Atomic uint32_t stop; /* 1: submit nothing more, reap, end */
	_Atomic uint64_t stop_at_ns; /* submit nothing more from then on; UINT64_MAX = no limit */
	_Atomic uint64_t t0_ns;      /* origin of the grid; set before the start barrier opens */
};

enum iob_worker_state {
	IOB_WORKER_NONE,
	IOB_WORKER_STARTING,
	IOB_WORKER_READY, /* allocated, touched, waiting at the barrier */
	IOB_WORKER_RUNNING,
	IOB_WORKER_ENDED,
};

/* All fields are for reading by anybody at any time; relaxed except state and acked (release). */
struct iob_worker_slot {
	alignas(IOB_CACHELINE) _Atomic uint32_t state; /* enum iob_worker_state */
	_Atomic uint32_t acked;                        /* generation in force */
	_Atomic uint64_t issued;    /* requests handed to the engine in this stage */
	_Atomic uint64_t completed; /* handed back, however they ended */
	_Atomic uint64_t ended_ns;  /* when the last request was reaped and the worker left */
	_Atomic uint32_t depth;     /* effective limit in force */
	_Atomic uint32_t
		adopt_error; /* errno of the last refused parameter set (no memory), 0 = fine */
	struct iob_error
		error; /* valid once state is ENDED: why it ended early; code 0 = in order */
	char engine_flags[128];           /* valid once READY */
	struct iob_failure_book failures; /* of all stages */
};

#endif
