/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/memory.h"
#include "load/worker_private.h"

uint64_t iob_worker_block(const struct iob_live *live)
{
	uint64_t block = 0;

	/* A trim carries no data. */
	for (int d = IOB_READ; d <= IOB_WRITE; d++)
		if (iob_live_uses_bs(live, (enum iob_dir)d) && live->bs[d].max > block)
			block = live->bs[d].max;
	return block;
}

unsigned iob_worker_depth(const struct iob_worker *w, uint64_t iodepth)
{
	if (iodepth == 0)
		return 1;
	return iodepth < w->capacity ? (unsigned)iodepth : w->capacity;
}

static bool takes_part(const struct iob_worker *w, const struct iob_live *live)
{
	return live->numjobs == 0 || w->config.number < live->numjobs;
}

bool iob_worker_is_idle(const struct iob_worker *w, const struct iob_live *live)
{
	return live->paused || !takes_part(w, live);
}

void iob_worker_assign_buffers(struct iob_worker *w)
{
	for (unsigned i = 0; i < w->capacity; i++)
		w->reqs[i].buf = i < w->arena.slots ? w->arena.base + i * w->arena.stride : NULL;
	/* Requests with the lowest numbers are used first, so that `depth` of them are enough. */
	for (unsigned i = 0; i < w->capacity; i++)
		w->idle[i] = &w->reqs[w->capacity - 1 - i];
	w->nidle = w->capacity;
}

static bool arena_serves(const struct iob_worker *w, uint64_t block, unsigned depth)
{
	return block <= w->arena.stride && depth <= w->arena.slots;
}

/* Nothing is in flight.  On failure the old arena stays. */
static int replace_arena(struct iob_worker *w, uint64_t block, unsigned depth)
{
	const struct iob_worker_config *c = &w->config;
	struct iob_arena fresh;
	struct iob_memory m;

	/* A refusal beats being killed; the front has looked at all workers together. */
	iob_memory_look(&m, "");
	if (block * depth > m.available)
		return -ENOMEM;
	int ret = iob_arena_init(
		&fresh, depth, block, &w->content, c->job->mem == IOB_MEM_HUGE, NULL);
	if (ret < 0)
		return ret;
	if (w->engine->arena)
		ret = w->engine->arena(w->state, fresh.base, fresh.size, NULL);
	if (ret < 0) {
		w->engine->arena(w->state, w->arena.base, w->arena.size, NULL);
		iob_arena_free(&fresh);
		return ret;
	}
	iob_arena_free(&w->arena);
	w->arena = fresh;
	iob_worker_assign_buffers(w);
	return 0;
}

void iob_worker_pace(struct iob_worker *w, const struct iob_live *live, uint64_t now_ns)
{
	struct iob_pace_share share = {
		w->config.number, live->numjobs ? (unsigned)live->numjobs : 1};

	iob_pace_start(&w->pace, live, share, now_ns);
	/* Else the kernel may let each sleep last 50 us longer, to wake up less often; 0 leads back
	 * to that. */
	if (w->pace.on || w->paced)
		prctl(PR_SET_TIMERSLACK, w->pace.on ? 1UL : 0UL);
	w->paced = w->pace.on;
}

/* A schedule goes on while other things are turned: what is late by that stays late.  A pause is no
 * lateness. */
static bool needs_new_schedule(const struct iob_worker *w, const struct iob_live *live)
{
	return memcmp(w->live.rate_iops, live->rate_iops, sizeof(live->rate_iops)) != 0 ||
	       memcmp(w->live.rate_bytes, live->rate_bytes, sizeof(live->rate_bytes)) != 0 ||
	       w->live.rw != live->rw || (w->paced && w->live.rwmixread != live->rwmixread) ||
	       w->live.numjobs != live->numjobs || (w->paused && !live->paused);
}

/* Others take part than before, so the parts are others, too. */
static void take_part_anew(struct iob_worker *w, const struct iob_live *live)
{
	if (w->parts == live->numjobs)
		return;
	memcpy(w->regions, w->config.regions, w->config.nregions * sizeof(*w->regions));
	w->parts = live->numjobs;
	iob_pattern_move(&w->pattern);
}

/* The requests above a smaller depth keep their buffers, so going back up needs nothing. */
static int apply(struct iob_worker *w, const struct iob_live *live)
{
	uint64_t block = iob_worker_block(live);
	unsigned depth = iob_worker_depth(w, live->iodepth);

	/* Who does nothing takes no memory for it. */
	if (!takes_part(w, live)) {
		w->live = *live;
		return 0;
	}
	take_part_anew(w, live);
	if (!iob_pattern_fits(&w->pattern, live))
		return -ERANGE;
	if (!arena_serves(w, block, depth)) {
		int ret = replace_arena(w, block, depth);
		if (ret < 0)
			return ret;
	}
	iob_pattern_adopt(&w->pattern, live);
	iob_content_mind_reads(&w->content, live->rw);
	if (needs_new_schedule(w, live))
		iob_worker_pace(w, live, iob_now_ns());
	iob_worker_take_live(w, live);
	return 0;
}

static void acknowledge(struct iob_worker *w, int refused)
{
	struct iob_worker_slot *s = w->slot;

	atomic_store_explicit(&s->adopt_error, (uint32_t)-refused, memory_order_relaxed);
	atomic_store_explicit(&s->depth, w->depth, memory_order_relaxed);
	atomic_store_explicit(&s->acked, w->generation, memory_order_release);
}

void iob_worker_adopt(struct iob_worker *w)
{
	/* The controller does not touch `live` again before we have acknowledged. */
	uint32_t generation = atomic_load_explicit(&w->steer->generation, memory_order_acquire);
	struct iob_live live = w->steer->live;
	unsigned parity = generation & 1;
	unsigned depth = iob_worker_depth(w, live.iodepth);

	w->holding = parity == (w->generation & 1) || !takes_part(w, &live) ||
		     !arena_serves(w, iob_worker_block(&live), depth);
	if (w->in_flight_of[parity] > 0 || (w->holding && w->in_flight > 0))
		return;
	if (!iob_accumulator_is_empty(&w->acc[parity]) && !iob_worker_flush(w, parity))
		return;
	w->holding = false;
	w->behind_before_ns = iob_worker_behind_ns(w);
	int refused = apply(w, &live);
	w->paused = iob_worker_is_idle(w, &live);
	w->generation = generation;
	w->from[parity] = w->interval;
	iob_accumulator_reset(&w->acc[parity], generation);
	acknowledge(w, refused);
}
