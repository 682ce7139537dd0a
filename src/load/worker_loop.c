/* SPDX-License-Identifier: MIT */
/* The hot path: no division, allocation, lock or text between the marks of the loop. */
#include <config.h>

#include "base/clock.h"
#include "load/worker_step.h"

static void account_sync(struct iob_worker *w, const struct iob_req *req, uint64_t ns)
{
	struct iob_accumulator *acc = &w->acc[req->parity];

	if (req->result < 0) {
		iob_worker_fail(w, req);
		return;
	}
	acc->syncs++;
	acc->sync_sum_ns += ns;
	acc->sync_max_ns = ns > acc->sync_max_ns ? ns : acc->sync_max_ns;
}

/* Whatever is not a full transfer. */
static __attribute__((noinline)) void account_odd(
	struct iob_worker *w, const struct iob_req *req, uint64_t ns)
{
	if (req->op >= IOB_OP_FSYNC) {
		account_sync(w, req, ns);
		return;
	}
	struct iob_accumulator *acc = &w->acc[req->parity];
	struct iob_dir_counts *c = &acc->dir[req->op];
	if (req->result > 0) {
		c->shorts++;
		iob_accumulator_add(acc, req->op, (uint64_t)req->result, ns);
		return;
	}
	if (req->result == 0)
		c->zeros++;
	else
		c->errors++;
	iob_worker_fail(w, req);
}

static inline void account(struct iob_worker *w, unsigned n, uint64_t now)
{
	struct iob_req *const *done = w->done;
	struct iob_req **idle = w->idle + w->nidle;
	/* A clock that was wrong when the request went out tells anything. */
	uint64_t longest = now > w->t0_ns ? now - w->t0_ns : 0;
	unsigned odd = 0;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = done[i];
		uint64_t ns = now - req->start_ns;

		ns = likely(ns <= longest) ? ns : 0;
		odd += req->parity;
		idle[i] = req;
		if (likely(req->result == (int64_t)req->length && req->op < IOB_OP_FSYNC))
			iob_accumulator_add(&w->acc[req->parity], req->op, req->length, ns);
		else
			account_odd(w, req, ns);
	}
	w->nidle += n;
	w->in_flight_of[0] -= n - odd;
	w->in_flight_of[1] -= odd;
	w->in_flight -= n;
	w->completed += n;
}

/* When all are ready to go: stamping large blocks is our time, not the device's.  One read after
 * the other needs no second look at the clock: the few ns of the books between them count as
 * latency. */
INLINE uint64_t ready_ns(struct iob_worker *w)
{
	uint64_t looked = w->looked_ns;

	w->looked_ns = 0;
	return looked ? looked : iob_now_ns();
}

/* due_ns: what is due then goes out; 0 = no rate, all free slots.  A constant 0 leaves nothing of
 * it in the code. */
INLINE void fill(struct iob_worker *w, uint64_t due_ns)
{
	unsigned free_slots = w->depth - w->in_flight;
	unsigned want = free_slots < w->batch ? free_slots : (unsigned)w->batch;
	uint8_t parity = w->generation & 1;
	struct iob_accumulator *acc = &w->acc[parity];
	struct iob_req *const *top = w->idle + w->nidle;
	struct iob_req **batched = w->batched;
	unsigned n = 0;

	while (n < want) {
		if (due_ns && is_held(w, due_ns))
			break;
		struct iob_req *req = *--top;
		if (unlikely(!next_request(w, req, acc, due_ns))) {
			run_dry(w);
			break;
		}
		req->parity = parity;
		batched[n++] = req;
	}
	if (n == 0)
		return;
	w->nidle -= n;
	w->issued += n;
	w->in_flight += n;
	w->in_flight_of[parity] += n;
	publish(w);
	uint64_t start = ready_ns(w);
	for (unsigned i = 0; i < n; i++)
		batched[i]->start_ns = start;
	if (unlikely(w->priorities))
		iob_priorities_give(w->priorities, batched, n);
	w->engine->queue(w->state, batched, n);
}

static inline bool may_submit(struct iob_worker *w, uint64_t now)
{
	const struct iob_steer *steer = w->steer;

	if (unlikely(atomic_load_explicit(&steer->stop, memory_order_relaxed)) ||
		unlikely(now >= atomic_load_explicit(&steer->stop_at_ns, memory_order_relaxed)))
		w->ending = true;
	/* Not &&: one branch instead of many. */
	return !(w->ending | w->holding | w->paused | w->slowed | w->paced | w->dry) &&
	       w->in_flight < w->depth;
}

/* Let out what is due.  Returns when to look again at the latest. */
static uint64_t fill_due(struct iob_worker *w, uint64_t now, bool *partly)
{
	/* Nothing may go out for long, and what came back is to be seen. */
	publish(w);
	if (w->ending | w->holding | w->paused | w->slowed | w->dry || w->in_flight >= w->depth)
		return w->boundary_ns;
	fill(w, now);
	*partly = !(w->ending | w->dry) && w->in_flight < w->depth && !is_held(w, now);
	uint64_t next = iob_pace_next_ns(&w->pace);
	return w->in_flight < w->depth && next < w->boundary_ns ? next : w->boundary_ns;
}

/* Nothing goes out as it usually does.  Returns when to look again at the latest. */
static __attribute__((noinline)) uint64_t hold_back(
	struct iob_worker *w, uint64_t now, bool *partly)
{
	uint64_t until = w->boundary_ns;

	if (w->slowed)
		until = iob_worker_slowed_until(w, now, until);
	if (!w->paced) {
		publish(w);
		return until;
	}
	uint64_t due = fill_due(w, now, partly);
	return due < until ? due : until;
}

/* How many completions to wait for: none while a small iodepth_batch has not filled the depth. */
static inline unsigned fewest(const struct iob_worker *w, bool filled_partly)
{
	if (filled_partly)
		return 0;
	return w->complete < w->in_flight ? w->complete : w->in_flight;
}

/* A batch that is back without waiting was never with a device. */
static inline void adapt_batch(struct iob_worker *w, bool all_back_at_once)
{
	if (w->whole) {
		if (--w->whole == 0)
			w->batch = IOB_WORKER_BATCH;
	} else if (w->adaptive && all_back_at_once) {
		w->whole = IOB_WORKER_WHOLE_TURNS;
		w->batch = UINT64_MAX;
	}
}

/* Hand in and take back once.  False when the engine is broken. */
static inline bool exchange(struct iob_worker *w, uint64_t *now, bool filled_partly, uint64_t until)
{
	uint64_t timeout = until > *now ? until - *now : 0;
	int n = w->engine->reap(w->state, w->done, fewest(w, filled_partly), w->in_flight, timeout);

	*now = iob_now_ns();
	w->looked_ns = w->one_by_one ? *now : 0;
	if (unlikely(*now >= w->boundary_ns)) {
		*now = iob_worker_cross_boundary(w, *now);
		w->looked_ns = 0;
	}
	if (unlikely(n < 0)) {
		iob_worker_fail_engine(w, n);
		return false;
	}
	if (unlikely(w->paced_out))
		iob_worker_account_intended(w, (unsigned)n, *now);
	if (unlikely(w->pattern.trimwrite))
		iob_worker_tell_trimmed(w, (unsigned)n);
	adapt_batch(w, filled_partly && (unsigned)n == w->in_flight);
	account(w, (unsigned)n, *now);
	return true;
}

static void turn_until_done(struct iob_worker *w)
{
	uint64_t now = iob_now_ns();

	for (;;) {
		uint32_t generation =
			atomic_load_explicit(&w->steer->generation, memory_order_relaxed);
		bool partly = false;

		if (unlikely(generation != w->generation)) {
			iob_worker_adopt(w);
			w->looked_ns = 0;
		}
		uint64_t until = w->boundary_ns;
		if (likely(may_submit(w, now))) {
			fill(w, 0);
			partly = !(w->ending | w->dry) && w->in_flight < w->depth;
		} else {
			until = hold_back(w, now, &partly);
		}
		if (unlikely(w->in_flight == 0)) {
			if (w->ending)
				return;
			/* What is held back for is over when nothing is in flight; only a full ring
			 * may still stand in its way. */
			iob_worker_wait_idle(w, generation, now, until);
			w->looked_ns = 0;
			now = iob_now_ns();
			if (now >= w->boundary_ns)
				now = iob_worker_cross_boundary(w, now);
			continue;
		}
		if (unlikely(!exchange(w, &now, partly, until)))
			return;
	}
}

void iob_worker_loop(struct iob_worker *w)
{
	iob_worker_grid_start(w);
	iob_worker_pace(w, &w->live, iob_now_ns());
	if (w->detail.out)
		iob_worker_detail_turns(w);
	else
		turn_until_done(w);
	uint64_t now = iob_now_ns();
	if (now >= w->boundary_ns)
		now = iob_worker_cross_boundary(w, now);
	publish(w);
	atomic_store_explicit(&w->slot->ended_ns, now, memory_order_relaxed);
	iob_worker_push_last(w, now);
}
