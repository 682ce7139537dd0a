/* SPDX-License-Identifier: MIT */
/*
 * One worker: a thread that keeps up to iodepth requests in flight, stamps them, counts them and
 * pushes a sample at each boundary of the grid.
 */
#ifndef IOB_LOAD_WORKER_H
#define IOB_LOAD_WORKER_H

#include <pthread.h>
#include <stdint.h>

#include "load/control.h"
#include "load/engine.h"
#include "load/pattern.h"
#include "load/worker_log.h"
#include "measure/detail.h"
#include "target/target.h"

/* Little is on the stack; the default of 8 MiB for each would meet limits on address space. */
#define IOB_WORKER_STACK (UINT64_C(512) << 10)

struct iob_worker; /* opaque */

struct iob_worker_config {
	const struct iob_job *job; /* const for the life of the worker */
	const struct iob_engine *engine;
	const struct iob_targets *targets;
	/* Its part of the target: copied at the start, and again when a set with another numjobs is
	 * adopted; the controller leaves it alone while a set is on its way. */
	const struct iob_region *regions;
	unsigned nregions;
	unsigned number; /* of the worker, 0.. */
	unsigned first;  /* number of worker 0 among the workers of all runs that belong together */
	unsigned capacity; /* most requests in flight that it will ever be asked for */
	uint64_t seed;
	const struct iob_steer *steer;
	struct iob_worker_slot *slot;
	struct iob_ring *ring;
	struct iob_detail *detail; /* what fio's reports want is kept there; NULL = it is not */
	/* Likewise, by priority; used if the job's requests have priorities of their own. */
	struct iob_detail_priorities *priorities;
	const struct iob_plan_log *log; /* with detail; NULL = no logs */
	struct iob_log_place log_place; /* if there are */
	pthread_barrier_t *start;       /* all workers and the controller wait here; NULL: joins
					   later */
};

/*
 * Allocates; then iob_worker_start makes the thread, which opens the engine, touches its memory,
 * pins itself, sets its slot READY (or ENDED with an error) and waits at the barrier (in both
 * cases).
 */
int iob_worker_new(struct iob_worker **, const struct iob_worker_config *, struct iob_error *);
int iob_worker_start(struct iob_worker *, struct iob_error *);
/* Waits for the thread to end.  Only after its slot says ENDED is this sure not to block. */
void iob_worker_join(struct iob_worker *);
void iob_worker_free(struct iob_worker *);

/* The largest block that needs a buffer. */
uint64_t iob_worker_block(const struct iob_live *);
/* Bytes of memory that a worker of this configuration takes (for the announcement and the check).
 */
uint64_t iob_worker_memory(const struct iob_job *, unsigned capacity, const struct iob_engine *);

#endif
