/* SPDX-License-Identifier: MIT */
/*
 * The loop with detailed statistics, which submits and takes back as fio does: requests are
 * prepared one by one, handed in by iodepth_batch, and taken back only when the queue is full, by
 * iodepth_batch_complete, down to iodepth_low.  A loop of its own, so that the other one pays
 * nothing for it.
 */
#include <config.h>

#include <errno.h>

#include "load/worker_step.h"

#define INTERVALS_PER_S (IOB_NS_PER_S / IOB_INTERVAL_NS)

static uint64_t cross_boundary(struct iob_worker *w, uint64_t now)
{
	now = iob_worker_cross_boundary(w, now);
	if (w->interval >= w->detail.usage_interval) {
		w->detail.usage_interval = w->interval + (uint32_t)INTERVALS_PER_S;
		iob_worker_detail_usage(w, now);
	}
	return now;
}

/* 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64 and more. */
static inline unsigned depth_level(unsigned n)
{
	unsigned level = 31u - (unsigned)__builtin_clz(n | 1);

	return level < IOB_DETAIL_LEVELS ? level : IOB_DETAIL_LEVELS - 1;
}

/* 0, 1-4, 5-8, 9-16, 17-32, 33-64, more. */
static inline unsigned call_level(unsigned n)
{
	if (n <= 4)
		return n > 0;
	unsigned level = 31u - (unsigned)__builtin_clz(n - 1);

	return level < IOB_DETAIL_LEVELS ? level : IOB_DETAIL_LEVELS - 1;
}

static inline void add_span(struct iob_span *span, uint64_t ns)
{
	iob_moments_take(&span->moments, ns);
	span->hist.count[iob_hist_index(ns)]++;
	span->hist.total++;
}

static inline uint64_t since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* As in fio, where a trim is a call that waits, whatever the engine. */
static inline bool has_slat(const struct iob_worker *w, const struct iob_req *req)
{
	return w->detail.slat && req->op != IOB_OP_TRIM;
}

static struct iob_span *priority_span(struct iob_worker_detail *s, const struct iob_req *req)
{
	unsigned i = iob_cmdprio_index(req->ioprio ? req->ioprio : s->thread_ioprio);

	s->priorities->seen[req->op] |= UINT32_C(1) << i;
	return &s->priorities->span[req->op][i];
}
_Static_assert(IOB_CMDPRIO_VALUES == IOB_DETAIL_PRIORITIES, "a span for each priority");

/* A transfer is over, with all that its tries have moved. */
static inline void account_transfer(
	struct iob_worker *w, const struct iob_req *req, uint64_t bytes, uint64_t now)
{
	struct iob_detail_dir *d = &w->detail.out->dir[req->op];
	uint64_t lat = since(req->start_ns, now);

	d->ios++;
	d->bytes += bytes;
	if (has_slat(w, req))
		add_span(&d->slat, since(req->start_ns, req->issue_ns));
	add_span(&d->clat, since(req->issue_ns, now));
	add_span(&d->lat, lat);
	if (unlikely(w->detail.priorities) && req->op <= IOB_OP_WRITE)
		add_span(priority_span(&w->detail, req),
			w->detail.priorities_by_lat ? lat : since(req->issue_ns, now));
	iob_accumulator_add(&w->acc[req->parity], req->op, bytes, lat);
	if (unlikely(w->detail.logs && w->detail.ramp_end_ns == 0))
		iob_worker_log_add(&w->detail.log, req, bytes, has_slat(w, req), now);
}

static void account_failure(struct iob_worker *w, const struct iob_req *req)
{
	struct iob_detail *d = w->detail.out;

	if (!d->first_error)
		d->first_error = req->result ? (int32_t)-req->result : EIO;
	if (req->op < IOB_OP_FSYNC) {
		struct iob_dir_counts *c = &w->acc[req->parity].dir[req->op];

		d->dir[req->op].errors++;
		/* What the earlier tries moved was moved. */
		d->dir[req->op].bytes += req->moved;
		c->bytes += req->moved;
		*(req->result ? &c->errors : &c->zeros) += 1;
	}
	d->total_errors += iob_worker_fail(w, req);
}

static void account_sync(struct iob_worker *w, const struct iob_req *req, uint64_t now)
{
	struct iob_accumulator *acc = &w->acc[req->parity];
	uint64_t ns = since(req->start_ns, now);

	add_span(&w->detail.out->sync, since(req->issue_ns, now));
	acc->syncs++;
	acc->sync_sum_ns += ns;
	acc->sync_max_ns = ns > acc->sync_max_ns ? ns : acc->sync_max_ns;
}

/* Is what is missing still to be had?  Beyond the end of the file there is nothing. */
static bool goes_on(const struct iob_worker *w, const struct iob_req *req)
{
	const struct iob_targets *t = w->config.targets;

	if (req->op > IOB_OP_WRITE)
		return false;
	return !t || req->file >= t->count ||
	       req->offset + (uint64_t)req->result < t->item[req->file].size;
}

/* The rest goes out again.  Clocks and counts go on: it is the same request. */
static void keep_rest(struct iob_worker *w, struct iob_req *req)
{
	uint32_t done = (uint32_t)req->result;

	req->moved += done;
	req->offset += done;
	req->length -= done;
	req->buf = (unsigned char *)req->buf + done;
	w->detail.again[w->detail.nagain++] = req;
}

/* Whatever is not a whole transfer at the first try.  False if the request is not over. */
static __attribute__((noinline)) bool account_odd(
	struct iob_worker *w, struct iob_req *req, uint64_t now)
{
	bool sync = req->op >= IOB_OP_FSYNC;

	if (sync && req->result >= 0) {
		account_sync(w, req, now);
	} else if (req->result <= 0) {
		account_failure(w, req);
	} else {
		if (req->result < req->length)
			w->detail.out->dir[req->op].shorts++;
		if (req->result < req->length && goes_on(w, req)) {
			keep_rest(w, req);
			return false;
		}
		w->acc[req->parity].dir[req->op].shorts += req->result < req->length;
		account_transfer(w, req, req->moved + (uint64_t)req->result, now);
	}
	if (!sync)
		req->buf = (unsigned char *)req->buf - req->moved;
	req->moved = 0;
	return true;
}

/* It is back. */
static void land(struct iob_worker_detail *s, const struct iob_req *req)
{
	unsigned i = 0;

	while (i < s->nflying && s->flying[i] != req)
		i++;
	if (i < s->nflying)
		s->flying[i] = s->flying[--s->nflying];
}

static bool overlaps(const struct iob_worker_detail *s, const struct iob_req *req)
{
	for (unsigned i = 0; i < s->nflying; i++) {
		const struct iob_req *other = s->flying[i];

		if (other->file == req->file && other->offset < req->offset + req->length &&
			req->offset < other->offset + other->length)
			return true;
	}
	return false;
}

/* May it go out now?  Else it is held until what it overlaps is back; syncs overlap nothing. */
static bool may_fly(struct iob_worker_detail *s, struct iob_req *req)
{
	bool transfer = req->op < IOB_OP_FSYNC;

	s->held = transfer && overlaps(s, req) ? req : NULL;
	if (transfer && !s->held)
		s->flying[s->nflying++] = req;
	return !s->held;
}

static inline void account(struct iob_worker *w, unsigned n, uint64_t now)
{
	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = w->done[i];

		/* The clock was wrong when it went out. */
		if (unlikely(req->start_ns < w->t0_ns))
			req->start_ns = req->issue_ns = now;
		if (likely(req->result == (int64_t)req->length && req->op < IOB_OP_FSYNC &&
			    req->moved == 0))
			account_transfer(w, req, req->length, now);
		else if (!account_odd(w, req, now))
			continue;
		if (unlikely(w->detail.serial))
			land(&w->detail, req);
		w->idle[w->nidle++] = req;
		w->in_flight_of[req->parity]--;
		w->in_flight--;
		w->completed++;
	}
}

/* Hand in what is queued; those whose issue is not stamped yet stand in `batched`. */
static void submit(struct iob_worker *w)
{
	struct iob_worker_detail *s = &w->detail;
	unsigned n = s->queued;

	if (n == 0)
		return;
	publish(w);
	if (s->submits) {
		w->engine->submit(w->state);
		uint64_t now = iob_now_ns();
		for (unsigned i = 0; i < s->unstamped; i++)
			if (has_slat(w, w->batched[i]))
				w->batched[i]->issue_ns = now;
	}
	s->out->submit[call_level(n)]++;
	s->out->depth[depth_level(w->in_flight)] += n;
	s->queued = 0;
	s->unstamped = 0;
}

static inline void hand_over(struct iob_worker *w, struct iob_req *req)
{
	struct iob_worker_detail *s = &w->detail;
	unsigned batch = s->batch < w->depth ? (unsigned)s->batch : w->depth;

	s->queued++;
	w->engine->queue(w->state, &req, 1);
	if (s->queued >= batch)
		submit(w);
}

/* What was short goes out again at once, whatever else is to happen. */
static void resubmit(struct iob_worker *w)
{
	struct iob_worker_detail *s = &w->detail;

	while (s->nagain > 0)
		hand_over(w, s->again[--s->nagain]);
}

static inline void count_issued(struct iob_worker *w, const struct iob_req *req)
{
	struct iob_detail *d = w->detail.out;

	if (req->op >= IOB_OP_FSYNC) {
		d->syncs_issued++;
		return;
	}
	d->dir[req->op].issued++;
	d->dir[req->op].issued_bytes += req->length;
}

static inline bool may_submit(struct iob_worker *w, uint64_t now)
{
	const struct iob_steer *steer = w->steer;

	if (unlikely(atomic_load_explicit(&steer->stop, memory_order_relaxed)) ||
		unlikely(now >= atomic_load_explicit(&steer->stop_at_ns, memory_order_relaxed)))
		w->ending = true;
	return !(w->ending | w->holding | w->paused | w->slowed | w->dry) &&
	       w->in_flight < w->depth;
}

/* One more request; false when there is none. */
static inline bool send_one(struct iob_worker *w, uint64_t *now)
{
	uint8_t parity = w->generation & 1;
	struct iob_req *req = w->detail.held;

	if (likely(!req)) {
		req = w->idle[w->nidle - 1];
		if (unlikely(!next_request(w, req, &w->acc[parity], w->paced ? *now : 0))) {
			run_dry(w);
			return false;
		}
		w->nidle--;
	}
	if (unlikely(w->detail.serial) && !may_fly(&w->detail, req))
		return false;
	count_issued(w, req);
	w->issued++;
	w->in_flight++;
	w->in_flight_of[parity]++;
	req->parity = parity;
	if (unlikely(w->priorities))
		iob_priorities_give(w->priorities, &req, 1);
	*now = iob_now_ns();
	req->start_ns = req->issue_ns = *now;
	w->batched[w->detail.unstamped++] = req;
	hand_over(w, req);
	return true;
}

/* Until the queue is full, or nothing more is to go out now.  *until: when to look again. */
static bool fill(struct iob_worker *w, uint64_t *now, uint64_t *until)
{
	while (may_submit(w, *now)) {
		if (w->paced && !w->detail.held && is_held(w, *now)) {
			uint64_t next = iob_pace_next_ns(&w->pace);

			*until = next < *until ? next : *until;
			return false;
		}
		if (!send_one(w, now))
			return false;
		if (w->detail.polling)
			return true;
	}
	return w->in_flight >= w->depth;
}

/* Take back once.  False when the engine is broken. */
static bool take_back(struct iob_worker *w, uint64_t *now, uint64_t until)
{
	struct iob_worker_detail *s = &w->detail;
	unsigned most = s->most < w->in_flight ? (unsigned)s->most : w->in_flight;
	unsigned fewest = s->fewest < w->in_flight ? (unsigned)s->fewest : w->in_flight;
	uint64_t timeout = until > *now ? until - *now : 0;
	int n;

	do {
		n = w->engine->reap(w->state, w->done, s->polling ? 0 : fewest, most, timeout);
		*now = iob_now_ns();
	} while (s->polling && n == 0 && *now < until);
	if (unlikely(s->ramp_end_ns && *now >= s->ramp_end_ns)) {
		s->ramp_end_ns = 0;
		iob_worker_detail_begin(w, *now);
	}
	if (unlikely(s->logs && *now >= s->log.next_ns && s->ramp_end_ns == 0))
		iob_worker_log_roll(&s->log, *now);
	if (unlikely(*now >= w->boundary_ns))
		*now = cross_boundary(w, *now);
	if (unlikely(n < 0)) {
		iob_worker_fail_engine(w, n);
		return false;
	}
	if (n > 0)
		s->out->complete[call_level((unsigned)n)]++;
	if (unlikely(w->paced_out))
		iob_worker_account_intended(w, (unsigned)n, *now);
	if (unlikely(w->pattern.trimwrite))
		iob_worker_tell_trimmed(w, (unsigned)n);
	account(w, (unsigned)n, *now);
	resubmit(w);
	return true;
}

static bool drain(struct iob_worker *w, bool full, uint64_t *now, uint64_t until)
{
	do {
		submit(w);
		if (!take_back(w, now, until))
			return false;
		until = w->boundary_ns;
	} while (full && w->in_flight > w->detail.low);
	return true;
}

void iob_worker_detail_turns(struct iob_worker *w)
{
	uint64_t now = iob_now_ns();

	iob_worker_detail_begin(w, now);
	if (w->config.job->ramp_time_ns)
		w->detail.ramp_end_ns = now + w->config.job->ramp_time_ns;
	for (;;) {
		uint32_t generation =
			atomic_load_explicit(&w->steer->generation, memory_order_relaxed);
		uint64_t until = w->boundary_ns;

		if (unlikely(generation != w->generation))
			iob_worker_adopt(w);
		if (unlikely(w->slowed))
			until = iob_worker_slowed_until(w, now, until);
		bool full = fill(w, &now, &until);
		if (unlikely(w->in_flight == 0)) {
			if (w->ending)
				break;
			publish(w);
			iob_worker_wait_idle(w, generation, now, until);
			now = iob_now_ns();
			if (now >= w->boundary_ns)
				now = cross_boundary(w, now);
			continue;
		}
		if (unlikely(!drain(w, full, &now, until)))
			break;
	}
	if (w->detail.logs)
		iob_worker_log_end(&w->detail.log, now);
	iob_worker_detail_usage(w, now);
}
