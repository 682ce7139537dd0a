/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/stage.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/units.h"
#include "run/budget.h"
#include "run/snapshot.h"

#define POLL_NS (1 * IOB_NS_PER_MS)

static int not_divisible(unsigned n, uint64_t bytes, uint64_t align, struct iob_error *err)
{
	char size[32], block[32];

	return iob_fail_usage(err,
		"numjobs=%u: the region of %s cannot be divided among so many workers with blocks "
		"of %s; use fewer jobs, a smaller bs or a larger size",
		n, iob_format_bytes(size, sizeof(size), bytes),
		iob_format_bytes(block, sizeof(block), align));
}

/* Each begins offset_increment later than the one before; 0 = it was not given. */
static uint64_t increment_of(const struct iob_stage *st, const struct iob_target *t)
{
	const struct iob_amount *step = &st->job->pattern.offset_increment;
	uint64_t align = iob_job_largest_block(st->job);

	if (step->percent_micro == 0 || align == 0)
		return step->bytes;
	uint64_t bytes = (uint64_t)((unsigned __int128)t->size * step->percent_micro / 100000000);
	return (bytes + align - 1) / align * align;
}

/* All of the file's region from its own start on, up to the end of what there is. */
static int shift(struct iob_region *r, const struct iob_stage *st, const struct iob_target *t,
	uint64_t by, struct iob_error *err)
{
	uint64_t size = t->region.size, start = t->region.offset + by;
	char a[32], b[32];

	if (start + iob_job_largest_block(st->job) > t->size)
		return iob_fail_usage(err,
			"offset_increment: the last worker would begin at %s of %s; use fewer jobs "
			"or a smaller increment",
			iob_format_bytes(a, sizeof(a), start),
			iob_format_bytes(b, sizeof(b), t->size));
	r->offset = start;
	r->size = size < t->size - start ? size : t->size - start;
	return 0;
}

/* Each worker gets a part of each file, disjoint from the others' unless offset_increment says
 * where it begins. */
int iob_crew_share_out(struct iob_stage *st, unsigned n, struct iob_error *err)
{
	unsigned files = st->targets.count ? st->targets.count : 1;
	uint64_t align = iob_job_largest_block(st->job);

	for (unsigned i = 0; i < n * files; i++) {
		unsigned worker = i / files;
		const struct iob_target *t = &st->targets.item[i % files];
		const struct iob_target_region *all = &t->region;
		struct iob_region *r = &st->regions[i];
		uint64_t step = increment_of(st, t);
		int rc = 0;

		r->file = (uint16_t)(i % files);
		if (step)
			rc = shift(r, st, t, step * worker, err);
		else if (n == 1)
			*r = (struct iob_region){all->offset, all->size, r->file};
		else if (!iob_region_split(r, all->offset, all->size, align, worker, n))
			rc = not_divisible(n, all->size, align, err);
		if (rc < 0)
			return rc;
	}
	st->shared_by = n;
	return 0;
}

static void clear_slot(struct iob_worker_slot *slot)
{
	/* In this order nothing seems to be in flight in between. */
	atomic_store(&slot->issued, 0);
	atomic_store(&slot->completed, 0);
	atomic_store(&slot->acked, UINT32_MAX);
	atomic_store(&slot->ended_ns, 0);
	atomic_store(&slot->adopt_error, 0);
	slot->error = (struct iob_error){0};
	atomic_store(&slot->state, IOB_WORKER_STARTING);
}

/* The first parameter set of a stage stands before its workers are made.  The run's very first is
 * number 0, so that numbers are segment ids. */
static void offer_parameters(struct iob_stage *st)
{
	struct iob_steer *steer = &st->shared->steer;

	iob_live_from_job(&steer->live, st->job);
	if (atomic_load(&steer->t0_ns) != 0)
		atomic_fetch_add(&steer->generation, 1);
}

static int make_worker(
	struct iob_stage *st, unsigned i, pthread_barrier_t *start, struct iob_error *err)
{
	struct iob_shared *sh = st->shared;
	unsigned files = st->targets.count ? st->targets.count : 1;

	clear_slot(&sh->slot[i]);
	struct iob_worker_config c = {
		.job = st->job,
		.engine = st->engine,
		.targets = &st->targets,
		.regions = st->regions + (size_t)i * files,
		.nregions = files,
		.number = i,
		.first = sh->plan.first_worker,
		.capacity = st->capacity,
		.seed = iob_mix64(sh->plan.seed + st->number * UINT64_C(0x10001)),
		.steer = &sh->steer,
		.slot = &sh->slot[i],
		.ring = &iob_shared_rings(sh)[i],
		.detail = iob_shared_detail(sh, i),
		.priorities = iob_shared_priorities(sh, i),
		.log = sh->plan.detail ? &sh->plan.log : NULL,
		.log_place = iob_shared_log(sh, sh->log_fd, i),
		.start = start,
	};
	return iob_worker_new(&st->worker[i], &c, err);
}

static int make_workers(struct iob_stage *st, struct iob_error *err)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < st->nworkers; i++)
		rc = make_worker(st, i, &st->start, err);
	return rc;
}

static bool all_settled(const struct iob_stage *st)
{
	for (unsigned i = 0; i < st->nworkers; i++)
		if (atomic_load(&st->shared->slot[i].state) == IOB_WORKER_STARTING)
			return false;
	return true;
}

int iob_crew_start(struct iob_stage *st, struct iob_error *err)
{
	st->nworkers = (unsigned)st->job->numjobs;
	st->nmade = st->nworkers;
	st->room = st->shared->nslots;
	st->capacity = iob_budget_capacity(st->engine, st->job, &st->shared->plan);
	st->worker = calloc(st->room, sizeof(struct iob_worker *));
	st->regions = calloc((size_t)st->room * (st->targets.count ? st->targets.count : 1),
		sizeof(*st->regions));
	if (!st->worker || !st->regions)
		return iob_fail(err, -ENOMEM, "%u workers: %m", st->nworkers);
	offer_parameters(st);
	int rc = iob_crew_share_out(st, st->nworkers, err);
	if (rc == 0)
		rc = make_workers(st, err);
	if (rc < 0)
		return rc;
	pthread_barrier_init(&st->start, NULL, st->nworkers + 1);
	for (unsigned i = 0; i < st->nworkers; i++) {
		rc = iob_worker_start(st->worker[i], err);
		if (rc < 0) {
			iob_error_prefix(err, "worker %u of %u: ", i + 1, st->nworkers);
			return rc;
		}
	}
	while (!all_settled(st)) {
		uint64_t now = iob_now_ns();

		atomic_store(&st->shared->heartbeat_ns, now);
		iob_sleep_until(now + POLL_NS);
	}
	atomic_store(&st->shared->workers, st->nworkers);
	atomic_store(&st->shared->capacity, st->capacity);
	return iob_crew_error(st, err);
}

static void dismiss(struct iob_stage *st, unsigned i)
{
	if (!st->worker[i])
		return;
	iob_worker_join(st->worker[i]);
	iob_worker_free(st->worker[i]);
	st->worker[i] = NULL;
}

/* The newest one has ended before it took part: as if it had never been. */
static int undo_newest(struct iob_stage *st, int rc, struct iob_error *err)
{
	unsigned i = st->nworkers;

	dismiss(st, i);
	atomic_store(&st->shared->slot[i].state, IOB_WORKER_NONE);
	st->nmade = i;
	iob_error_prefix(err, "numjobs: worker %u: ", i + 1);
	return rc;
}

static int make_one_more(struct iob_stage *st, struct iob_error *err)
{
	int rc = make_worker(st, st->nworkers, NULL, err);

	if (rc == 0)
		rc = iob_worker_start(st->worker[st->nworkers], err);
	if (rc < 0)
		return undo_newest(st, rc, err);
	st->nmade = st->nworkers + 1;
	return 1;
}

int iob_crew_grow(struct iob_stage *st, unsigned n, struct iob_error *err)
{
	struct iob_worker_slot *slot = &st->shared->slot[st->nworkers];

	if (st->nworkers >= n)
		return 0;
	if (st->nmade == st->nworkers)
		return make_one_more(st, err);
	switch (atomic_load(&slot->state)) {
	case IOB_WORKER_STARTING:
	case IOB_WORKER_READY:
		return 1;
	case IOB_WORKER_ENDED:
		*err = slot->error;
		return undo_newest(st, err->code ? err->code : -ECANCELED, err);
	default:
		break;
	}
	st->nworkers++;
	atomic_store(&st->shared->workers, st->nworkers);
	return st->nworkers < n ? 1 : 0;
}

int iob_crew_error(const struct iob_stage *st, struct iob_error *err)
{
	for (unsigned i = 0; i < st->nworkers; i++) {
		const struct iob_worker_slot *slot = &st->shared->slot[i];

		if (atomic_load(&slot->state) == IOB_WORKER_ENDED && slot->error.code) {
			*err = slot->error;
			return err->code;
		}
	}
	return 0;
}

bool iob_crew_has_ended(const struct iob_stage *st)
{
	for (unsigned i = 0; i < st->nworkers; i++)
		if (atomic_load(&st->shared->slot[i].state) != IOB_WORKER_ENDED)
			return false;
	return true;
}

uint64_t iob_crew_ended_ns(const struct iob_stage *st)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < st->nworkers; i++) {
		uint64_t at = atomic_load(&st->shared->slot[i].ended_ns);

		last = at > last ? at : last;
	}
	return last;
}

bool iob_crew_has_adopted(const struct iob_stage *st, uint32_t generation, bool *alive)
{
	*alive = false;
	for (unsigned i = 0; i < st->nworkers; i++) {
		const struct iob_worker_slot *slot = &st->shared->slot[i];
		bool acked = atomic_load(&slot->acked) == generation;

		if (!acked && atomic_load(&slot->state) != IOB_WORKER_ENDED)
			return false;
		*alive |= acked;
	}
	return true;
}

void iob_crew_free(struct iob_stage *st)
{
	for (unsigned i = 0; st->worker && i < st->nmade; i++)
		dismiss(st, i);
	free(st->worker);
	free(st->regions);
	st->worker = NULL;
	st->regions = NULL;
}
