/* SPDX-License-Identifier: MIT */
/* What the loops do seldom: waiting with nothing in flight, and failing. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/worker_private.h"

#define LEAST_PAUSE_NS (1 * IOB_NS_PER_MS)
#define MOST_PAUSE_NS  (100 * IOB_NS_PER_MS)

/* In the book, and among the first ones if there is room. */
static void note(struct iob_worker *w, const struct iob_req *req, int code, bool ignored)
{
	struct iob_failure_book *book = &w->slot->failures;
	struct iob_failure *f = iob_failure_count(book, req->op, code, ignored);
	const char *why = NULL;

	if (!f)
		return;
	if (code && w->engine->explain)
		why = w->engine->explain(w->state, req);
	*f = (struct iob_failure){
		.at_ns = iob_now_ns(),
		.offset = req->offset,
		.length = req->length,
		.op = req->op,
		.code = code,
		.worker = w->config.number,
	};
	snprintf(f->why, sizeof(f->why), "%s", why ? why : "");
	iob_failure_kept(book);
}

/* A vanished device fails millions of times per second. */
static void slow_down(struct iob_worker *w)
{
	struct iob_worker_storm *s = &w->storm;

	if (w->completed != s->mark) {
		if (w->completed - s->mark > s->failures)
			s->in_a_row = s->pause_ns = 0;
		s->mark = w->completed;
		s->failures = 0;
	}
	s->failures++;
	if (++s->in_a_row <= IOB_WORKER_STORM || w->slowed)
		return;
	s->pause_ns = s->pause_ns ? 2 * s->pause_ns : LEAST_PAUSE_NS;
	if (s->pause_ns > MOST_PAUSE_NS)
		s->pause_ns = MOST_PAUSE_NS;
	s->until_ns = iob_now_ns() + s->pause_ns;
	w->slowed = true;
	atomic_fetch_add_explicit(&w->slot->failures.slowed, 1, memory_order_relaxed);
}

uint64_t iob_worker_slowed_until(struct iob_worker *w, uint64_t now, uint64_t until)
{
	if (now >= w->storm.until_ns) {
		w->slowed = false;
		return now;
	}
	return w->storm.until_ns < until ? w->storm.until_ns : until;
}

/* Nothing but empty answers for long: where there was a file or a device there is none any more. */
static bool is_gone(const struct iob_worker *w, int code)
{
	return code == 0 && w->storm.pause_ns == MOST_PAUSE_NS;
}

/* The words for the end of the worker. */
static void explain_end(struct iob_worker *w, const struct iob_req *req, int code)
{
	const char *op = iob_failure_op_name(req->op);
	const char *name = strerrorname_np(code), *why = NULL;

	if (code == 0) {
		iob_fail(&w->error, -EIO,
			"%s at offset %" PRIu64 ": 0 bytes moved (the device is gone, or the file "
			"became shorter)",
			op, req->offset);
		return;
	}
	if (w->engine->explain)
		why = w->engine->explain(w->state, req);
	if (!why && (code == ENODEV || code == ENXIO))
		why = "the device is gone";
	if (!why && code == EOPNOTSUPP && req->op == IOB_OP_TRIM)
		why = "it cannot discard; use another device, or write";
	const char *comma = why ? "; " : "";
	if (req->op >= IOB_OP_FSYNC)
		iob_fail(&w->error, -code, "%s: %m (%s)%s%s", op, name ? name : "?", comma,
			why ? why : "");
	else
		iob_fail(&w->error, -code, "%s at offset %" PRIu64 ": %m (%s)%s%s", op, req->offset,
			name ? name : "?", comma, why ? why : "");
}

bool iob_worker_fail(struct iob_worker *w, const struct iob_req *req)
{
	int code = req->result < 0 ? (int)-req->result : 0;
	enum iob_tolerance_class class =
		req->op == IOB_OP_READ ? IOB_TOLERATE_READ : IOB_TOLERATE_WRITE;
	enum iob_tolerance_verdict verdict = iob_tolerance_of(&w->tolerance, class, code);

	note(w, req, code, verdict == IOB_ERROR_IGNORED);
	slow_down(w);
	if (verdict != IOB_ERROR_FATAL && !is_gone(w, code))
		return true;
	w->ending = true;
	if (!w->error.code)
		explain_end(w, req, code);
	return false;
}

void iob_worker_fail_engine(struct iob_worker *w, int code)
{
	if (!w->error.code)
		iob_fail(&w->error, code, "%s: waiting for I/O: %m; %u requests are lost",
			w->engine->name, w->in_flight);
}

void iob_worker_tell_trimmed(struct iob_worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct iob_req *req = w->done[i];
		const struct iob_trimmed block = {req->offset, req->length, req->file};

		if (req->op == IOB_OP_TRIM)
			iob_pattern_trimmed(&w->pattern, &block);
	}
	w->dry = false;
}

void iob_worker_account_intended(struct iob_worker *w, unsigned n, uint64_t now)
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

void iob_worker_wait_idle(struct iob_worker *w, uint32_t generation, uint64_t now, uint64_t until)
{
	uint64_t stop_at = atomic_load_explicit(&w->steer->stop_at_ns, memory_order_relaxed);
	if (stop_at < until)
		until = stop_at;
	uint64_t left = until > now ? until - now : 0;
	/* The end of the interval is nearer, whatever the clock says. */
	if (left > IOB_INTERVAL_NS)
		left = IOB_INTERVAL_NS;
	struct timespec ts = {(time_t)(left / IOB_NS_PER_S), (long)(left % IOB_NS_PER_S)};

	syscall(SYS_futex, &w->steer->generation, FUTEX_WAIT, generation, &ts, NULL, 0);
}
