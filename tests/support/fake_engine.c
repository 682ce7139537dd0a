/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/support/fake_engine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

#define MOST 256

struct fake_state {
	struct iob_req *queued[MOST];
	uint64_t ready_ns[MOST];
	unsigned n, capacity;
	unsigned char *arena;
	size_t arena_size;
	uint64_t number;
	int reaps;
};

struct fake_engine_script fake_script;
struct fake_engine_count fake_count;

static int fake_probe(struct iob_error *err)
{
	(void)err;
	return 0;
}

static int fake_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct fake_state *s = state;

	if (fake_script.refuse_open)
		return iob_fail(err, -fake_script.refuse_open, "fake: told not to open: %m");
	s->capacity = env->capacity;
	s->arena = env->arena;
	s->arena_size = env->arena_size;
	if (env->capacity > MOST)
		fake_count.bad_calls++;
	return 0;
}

static int fake_arena(void *state, void *arena, size_t size, struct iob_error *err)
{
	struct fake_state *s = state;

	if (s->n > 0)
		fake_count.bad_calls++;
	s->arena = arena;
	s->arena_size = size;
	fake_count.arena_moves++;
	if (fake_script.refuse_arena)
		return iob_fail(err, -fake_script.refuse_arena, "fake: told not to move");
	return 0;
}

static void check(const struct fake_state *s, const struct iob_req *req)
{
	const unsigned char *buf = req->buf;

	if (req->op < IOB_OP_TRIM &&
		(buf < s->arena || buf + req->length > s->arena + s->arena_size))
		fake_count.bad_calls++;
	for (unsigned i = 0; i < s->n; i++)
		if (s->queued[i] == req || (req->op < IOB_OP_TRIM && s->queued[i]->buf == buf &&
						   s->queued[i]->op < IOB_OP_TRIM))
			fake_count.bad_calls++;
	if (req->op == IOB_OP_WRITE) {
		uint64_t word;

		memcpy(&word, buf, sizeof(word));
		fake_count.stamped += word == req->offset;
	}
}

static int64_t outcome(const struct fake_state *s, const struct iob_req *req)
{
	if (s->number == fake_script.fail_at ||
		(fake_script.fail_every && s->number % fake_script.fail_every == 0))
		return fake_script.fail_result;
	if (req->op >= IOB_OP_FSYNC)
		return 0;
	if (fake_script.short_every && s->number % fake_script.short_every == 0) {
		fake_count.shorts++;
		return req->length / 2;
	}
	return req->length;
}

static void fake_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct fake_state *s = state;
	uint64_t now = iob_now_ns();

	if (n == 0 || s->n + n > s->capacity)
		fake_count.bad_calls++;
	if (s->number == 0)
		fake_count.first_ns = now;
	for (unsigned i = 0; i < n && s->n < MOST; i++) {
		struct iob_req *req = reqs[i];

		check(s, req);
		s->number++;
		req->result = outcome(s, req);
		fake_count.ios[req->op]++;
		fake_count.by_kib[req->op][req->length / 1024 % 65]++;
		bool slow = fake_script.slow_every && s->number % fake_script.slow_every == 0;
		s->ready_ns[s->n] = now + (slow ? fake_script.slow_ns : fake_script.hold_ns);
		s->queued[s->n++] = req;
	}
	fake_count.queue_calls++;
	if (s->n > fake_count.most_in_flight)
		fake_count.most_in_flight = s->n;
}

static void fake_submit(void *state)
{
	struct fake_state *s = state;

	fake_count.submit_calls++;
	if (s->n == 0)
		fake_count.bad_calls++;
	if (fake_script.submit_ns) {
		struct timespec nap = {0, (long)fake_script.submit_ns};

		nanosleep(&nap, NULL);
	}
}

static void give_back(struct fake_state *s, struct iob_req **done, unsigned at)
{
	*done = s->queued[at];
	s->n--;
	s->queued[at] = s->queued[s->n];
	s->ready_ns[at] = s->ready_ns[s->n];
}

/* Whatever is ready, the middle first. */
static unsigned take(struct fake_state *s, struct iob_req **done, unsigned max)
{
	uint64_t now = iob_now_ns();
	unsigned n = 0;

	for (unsigned i = 0; i < s->n && n < max;) {
		unsigned at = (i + s->n / 2) % s->n;

		if (s->ready_ns[at] <= now)
			give_back(s, &done[n++], at);
		else
			i++;
	}
	return n;
}

/* When one more may be ready; a little later than now. */
static uint64_t next_ready(const struct fake_state *s, uint64_t at)
{
	uint64_t soon = iob_now_ns() + 20 * IOB_NS_PER_US;

	for (unsigned i = 0; i < s->n; i++)
		at = s->ready_ns[i] < at ? s->ready_ns[i] : at;
	return at > soon ? at : soon;
}

static int fake_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct fake_state *s = state;
	uint64_t give_up = iob_now_ns() + timeout_ns;
	unsigned n = 0;

	if (min > max || max == 0 || min > s->n)
		fake_count.bad_calls++;
	if (fake_script.break_after && ++s->reaps > fake_script.break_after)
		return -EIO;
	for (;;) {
		n += take(s, done + n, max - n);
		if (n >= min || iob_now_ns() >= give_up)
			return (int)n;
		iob_sleep_until(next_ready(s, give_up));
	}
}

static int fake_sync_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)timeout_ns;
	return fake_reap(state, done, min, max, UINT64_MAX / 2);
}

static void fake_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "fake");
}

static void fake_close(void *state)
{
	(void)state;
}

const struct iob_engine fake_engine = {
	.name = "fake",
	.summary = "for tests",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_NO_TARGET | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS |
		IOB_ENGINE_SYNC_RANGE,
	.max_capacity = MOST,
	.state_size = sizeof(struct fake_state),
	.probe = fake_probe,
	.open = fake_open,
	.arena = fake_arena,
	.queue = fake_queue,
	.submit = fake_submit,
	.reap = fake_reap,
	.flags = fake_flags,
	.close = fake_close,
};

const struct iob_engine fake_sync_engine = {
	.name = "fakesync",
	.summary = "for tests, one at a time",
	.caps = IOB_ENGINE_NO_TARGET,
	.max_capacity = 1,
	.state_size = sizeof(struct fake_state),
	.probe = fake_probe,
	.open = fake_open,
	.queue = fake_queue,
	.reap = fake_sync_reap,
	.flags = fake_flags,
	.close = fake_close,
};

/* In place of engines/registry.c. */
const struct iob_engine *const iob_engines[] = {&fake_engine, &fake_sync_engine, NULL};
