/* SPDX-License-Identifier: MIT */
/* One stage of the plan inside the load process: target, workers, and the controller that steers
 * them. */
#ifndef IOB_RUN_STAGE_H
#define IOB_RUN_STAGE_H

#include <pthread.h>
#include <stdbool.h>

#include "load/worker.h"
#include "run/shared.h"

struct iob_stage {
	struct iob_shared *shared;
	unsigned number;
	const struct iob_job *job;
	const struct iob_engine *engine;
	struct iob_targets targets;
	unsigned nworkers; /* that are ready: they take part, or stand idle */
	unsigned nmade;    /* one more while it gets ready */
	unsigned room;     /* for workers, in the shared memory */
	struct iob_worker **worker;
	struct iob_region *regions; /* room * targets.count; see iob_crew_share_out */
	unsigned shared_by;         /* how many workers these are parts for */
	unsigned capacity;
	pthread_barrier_t start;
	bool released; /* the barrier was opened: workers end by themselves */
};

/* Can each stage's engine do what its job asks for?  Before the first of them changes anything. */
int iob_stages_check(const struct iob_plan *, struct iob_error *);
/* Runs it to its end.  On failure *err says why; figures up to then are in the rings. */
int iob_stage_run(struct iob_shared *, unsigned number, struct iob_error *);

/* crew.c: the workers as a group. */
int iob_crew_start(struct iob_stage *, struct iob_error *);
/*
 * Parts of the target for the first n workers.  Workers copy theirs when they adopt a generation,
 * so this is called only while none is on its way.  Usage error if it cannot be divided by so many.
 */
int iob_crew_share_out(struct iob_stage *, unsigned n, struct iob_error *);
/* Make workers until there are n, one for each call: 1 = not all are ready, 0 = they are.  On
 * failure there are fewer, and these go on.  They stand idle until they adopt a set that lets them
 * take part. */
int iob_crew_grow(struct iob_stage *, unsigned n, struct iob_error *);
/* The first worker's error, or 0. */
int iob_crew_error(const struct iob_stage *, struct iob_error *);
bool iob_crew_has_ended(const struct iob_stage *);
/* Have all living workers taken over this generation?  *alive: any at all. */
bool iob_crew_has_adopted(const struct iob_stage *, uint32_t generation, bool *alive);
uint64_t iob_crew_ended_ns(const struct iob_stage *);
void iob_crew_free(struct iob_stage *);

/* controller.c: from the start barrier until the last worker has ended. */
void iob_controller_run(struct iob_stage *);

void iob_stage_set_phase(struct iob_shared *, uint32_t phase);

#endif
