/* SPDX-License-Identifier: MIT */
/* An engine for tests of the worker: completes in an order that jumps, counts by itself, and fails
 * on demand.  It also checks how the worker calls it. */
#ifndef IOB_TESTS_FAKE_ENGINE_H
#define IOB_TESTS_FAKE_ENGINE_H

#include <stdatomic.h>

#include "load/engine.h"

/* Set before the worker starts. */
struct fake_engine_script {
	uint64_t short_every; /* every nth request moves half of it */
	uint64_t fail_at;     /* number of the request (from 1) that ends with fail_result */
	uint64_t fail_every;  /* likewise, every nth; 0 = none */
	int64_t fail_result;
	int break_after;              /* reap fails with -EIO after so many calls; 0 = never */
	uint64_t hold_ns;             /* how long a request takes, at least */
	uint64_t slow_every, slow_ns; /* every nth request takes that long instead */
	int refuse_arena;             /* arena() answers this errno */
	uint64_t submit_ns;           /* how long submit() takes, at least */
	int refuse_open;              /* open() answers this errno */
};

/* Its own count: requests by operation and length in KiB, at the time of queue(). */
struct fake_engine_count {
	_Atomic uint64_t ios[6];
	_Atomic uint64_t by_kib[6][65];
	_Atomic uint64_t shorts;
	_Atomic uint64_t most_in_flight;
	_Atomic uint64_t queue_calls;
	_Atomic uint64_t submit_calls;
	_Atomic uint64_t arena_moves;
	_Atomic uint64_t bad_calls; /* that break the contract */
	_Atomic uint64_t stamped;   /* writes whose buffer began with their offset */
	_Atomic uint64_t first_ns;  /* of the first request */
};

extern struct fake_engine_script fake_script;
extern struct fake_engine_count fake_count;
extern const struct iob_engine fake_engine;      /* asynchronous */
extern const struct iob_engine fake_sync_engine; /* one at a time, blocks for hold_ns */

#endif
