/* SPDX-License-Identifier: MIT */
/* The hot path: no division, allocation, lock or text between the marks of the loop. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/worker_private.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD        __attribute__((cold, noinline))
/* What is used twice, with a rate and without, must still not become a call. */
#define INLINE      static inline __attribute__((always_inline))

static const char *const op_names[] = {
	"read", "write", "trim", "fsync", "fdatasync", "sync_file_range"};

/* The first failure ends the worker; later ones are only counted. */
COLD static void fail_request(struct iob_worker *w, const struct iob_req *req)
{
	int code = (int)req->result;

	w->ending = true;
	if (w->error.code)
		return;
	if (req->result == 0) {
		iob_fail(&w->error, -EIO,
			"%s at offset %" PRIu64 ": 0 bytes moved (the device is gone, or the file "
			"became shorter)",
			op_names[req->op], req->offset);
		return;
	}
	const char *name = strerrorname_np(-code);
	const char *why = w->engine->explain ? w->engine->explain(w->state, req) : NULL;
	const char *comma = why ? "; " : "";
	if (req->op >= IOB_OP_FSYNC)
		iob_fail(&w->error, code, "%s: %m (%s)%s%s", op_names[req->op], name ? name : "?",
			comma, why ? why : "");
	else
		iob_fail(&w->error, code, "%s at offset %" PRIu64 ": %m (%s)%s%s",
			op_names[req->op], req->offset, name ? name : "?", comma, why ? why : "");
}

COLD static void fail_engine(struct iob_worker *w, int code)
{
	if (!w->error.code)
		iob_fail(&w->error, code, "%s: waiting for I/O: %m; %u requests are lost",
			w->engine->name, w->in_flight);
}

static void account_sync(struct iob_worker *w, const struct iob_req *req, uint64_t ns)
{
	struct iob_accumulator *acc = &w->acc[req->parity];

	if (req->result < 0) {
		fail_request(w, req);
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
	fail_request(w, req);
}

/* The same requests, from their intended times. */
static __attribute__((noinline)) void account_intended(
	struct iob_worker *w, unsigned n, uint64_t now)
{
	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = w->done[i];

		if (req->intended_ns == 0)
			continue;
		if (req->result > 0)
			iob_accumulator_add_intended(&w->acc[req->parity], (enum iob_dir)req->op,
				now > req->intended_ns ? now - req->intended_ns : 0);
		req->intended_ns = 0;
		w->paced_out--;
	}
}

static inline void account(struct iob_worker *w, unsigned n, uint64_t now)
{
	struct iob_req *const *done = w->done;
	struct iob_req **idle = w->idle + w->nidle;
	unsigned odd = 0;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = done[i];
		uint64_t ns = likely(now > req->start_ns) ? now - req->start_ns : 0;

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

/* Is a sync due?  Counted in writes issued. */
INLINE bool sync_due(struct iob_worker *w, struct iob_req *req)
{
	if (w->syncs.until != 0)
		return false;
	iob_sync_clock_take(&w->syncs, w->config.job, req);
	return true;
}

INLINE void count_write(struct iob_worker *w, struct iob_req *req)
{
	struct iob_sync_clock *s = &w->syncs;

	s->until--;
	s->file = req->file;
	if (unlikely(s->ranges)) {
		uint64_t end = req->offset + req->length;

		s->from = req->offset < s->from ? req->offset : s->from;
		s->to = end > s->to ? end : s->to;
	}
	if (w->stamp)
		iob_buffer_stamp(req->buf, req->length, req->offset, ++w->stamps);
}

/* With a rate the schedule says when, and in which direction.  The caller has seen that one is due.
 */
static bool next_paced(
	struct iob_worker *w, struct iob_req *req, struct iob_step *step, uint64_t now)
{
	enum iob_dir dir = iob_pace_due(&w->pace, now);

	if (!iob_pattern_next_of(&w->pattern, dir, step))
		return false;
	req->intended_ns = iob_pace_take(&w->pace, dir);
	w->paced_out += req->intended_ns != 0;
	return true;
}

/* Make a request of the next step; false when there is none.  due_ns: 0 without a rate. */
INLINE bool next_request(
	struct iob_worker *w, struct iob_req *req, struct iob_accumulator *acc, uint64_t due_ns)
{
	struct iob_step step;

	if (unlikely(sync_due(w, req)))
		return true;
	if (unlikely(w->left_ios == 0))
		return false;
	if (due_ns ? !next_paced(w, req, &step, due_ns)
		   : unlikely(!iob_pattern_next(&w->pattern, &step)))
		return false;
	w->left_ios--;
	req->offset = step.offset;
	req->length = step.length;
	req->file = step.file;
	req->op = step.dir;
	acc->dir[step.dir].issued++;
	if (step.dir == IOB_WRITE)
		count_write(w, req);
	return true;
}

/* For the watchers: what is out and what came back.  Before the calls that may hang, so that what
 * hangs is counted. */
INLINE void publish(struct iob_worker *w)
{
	atomic_store_explicit(&w->slot->issued, w->issued, memory_order_relaxed);
	atomic_store_explicit(&w->slot->completed, w->completed, memory_order_relaxed);
}

/* Nothing to do before the next intended time? */
static bool is_held(const struct iob_worker *w, uint64_t due_ns)
{
	return w->syncs.until && w->left_ios && iob_pace_due(&w->pace, due_ns) == IOB_NDIR;
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
			w->ending = true;
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
	/* When all are ready to go: stamping large blocks is our time, not the device's. */
	uint64_t start = iob_now_ns();
	for (unsigned i = 0; i < n; i++)
		batched[i]->start_ns = start;
	w->engine->queue(w->state, batched, n);
}

static inline bool may_submit(struct iob_worker *w, uint64_t now)
{
	const struct iob_steer *steer = w->steer;

	if (unlikely(atomic_load_explicit(&steer->stop, memory_order_relaxed)) ||
		unlikely(now >= atomic_load_explicit(&steer->stop_at_ns, memory_order_relaxed)))
		w->ending = true;
	/* Not &&: one branch instead of four. */
	return !(w->ending | w->holding | w->paused | w->paced) && w->in_flight < w->depth;
}

/* Let out what is due.  Returns when to look again at the latest. */
static __attribute__((noinline)) uint64_t fill_due(struct iob_worker *w, uint64_t now, bool *partly)
{
	/* Nothing may go out for long, and what came back is to be seen. */
	publish(w);
	if (w->ending | w->holding | w->paused || w->in_flight >= w->depth)
		return w->boundary_ns;
	fill(w, now);
	*partly = !w->ending && w->in_flight < w->depth && !is_held(w, now);
	uint64_t next = iob_pace_next_ns(&w->pace);
	return w->in_flight < w->depth && next < w->boundary_ns ? next : w->boundary_ns;
}

/* Until then or the end of the run, or until the controller wakes us. */
static void wait_idle(struct iob_worker *w, uint32_t generation, uint64_t now, uint64_t until)
{
	uint64_t stop_at = atomic_load_explicit(&w->steer->stop_at_ns, memory_order_relaxed);
	if (stop_at < until)
		until = stop_at;
	uint64_t left = until > now ? until - now : 0;
	struct timespec ts = {(time_t)(left / IOB_NS_PER_S), (long)(left % IOB_NS_PER_S)};

	syscall(SYS_futex, &w->steer->generation, FUTEX_WAIT, generation, &ts, NULL, 0);
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
	if (unlikely(*now >= w->boundary_ns))
		iob_worker_cross_boundary(w, *now);
	if (unlikely(n < 0)) {
		fail_engine(w, n);
		return false;
	}
	if (unlikely(w->paced_out))
		account_intended(w, (unsigned)n, *now);
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

		if (unlikely(generation != w->generation))
			iob_worker_adopt(w);
		uint64_t until = w->boundary_ns;
		if (likely(may_submit(w, now))) {
			fill(w, 0);
			partly = !w->ending && w->in_flight < w->depth;
		} else if (w->paced) {
			until = fill_due(w, now, &partly);
		} else {
			publish(w);
		}
		if (unlikely(w->in_flight == 0)) {
			if (w->ending)
				return;
			/* What is held back for is over when nothing is in flight; only a full ring
			 * may still stand in its way. */
			wait_idle(w, generation, now, until);
			now = iob_now_ns();
			if (now >= w->boundary_ns)
				iob_worker_cross_boundary(w, now);
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
	turn_until_done(w);
	uint64_t now = iob_now_ns();
	if (now >= w->boundary_ns)
		iob_worker_cross_boundary(w, now);
	publish(w);
	atomic_store_explicit(&w->slot->ended_ns, now, memory_order_relaxed);
	iob_worker_push_last(w, now);
}
