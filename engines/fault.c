/* SPDX-License-Identifier: MIT */
/* Another engine, spoiled on purpose: late, failing, short or never answering requests.  For tests
 * and demonstrations of what a bad device looks like. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engines/engines.h"
#include "engines/fault_rule.h"

#define MAX_CAPACITY 65536

/* A request that is done, and when it may be handed back. */
struct due {
	uint64_t at_ns;
	struct iob_req *req;
};

/* What is to be done to a request that the other engine has, or was done to it. */
struct mark {
	uint64_t delay_ns;
	bool cut;
	bool injected; /* its error is ours */
};

struct fault_state {
	const struct iob_engine *inner;
	void *inner_state;
	struct iob_fault_rule rule;
	struct mark *mark;     /* by index of the request */
	struct iob_req **pass; /* to the other engine, and back */
	struct due *heap;      /* the earliest first */
	unsigned nheap, inside;
};

static int fault_probe(struct iob_error *err)
{
	(void)err;
	return 0;
}

static void free_all(struct fault_state *s)
{
	free(s->inner_state);
	free(s->mark);
	free(s->pass);
	free(s->heap);
}

static int allocate(struct fault_state *s, unsigned capacity, struct iob_error *err)
{
	size_t bytes = (s->inner->state_size / 64 + 1) * 64;

	s->inner_state = aligned_alloc(64, bytes);
	s->mark = calloc(capacity, sizeof(*s->mark));
	s->pass = calloc(capacity, sizeof(struct iob_req *));
	s->heap = calloc(capacity, sizeof(*s->heap));
	if (!s->inner_state || !s->mark || !s->pass || !s->heap)
		return iob_fail(err, -ENOMEM, "fault: no memory for %u requests", capacity);
	memset(s->inner_state, 0, bytes);
	return 0;
}

static int fault_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct fault_state *s = state;
	int ret = iob_fault_rule_init(&s->rule, env->job, err);

	if (ret == 0)
		ret = iob_engine_get(&s->inner, env->job->fault_engine, err);
	if (ret < 0)
		return ret;
	ret = allocate(s, env->capacity, err);
	if (ret == 0)
		ret = s->inner->open(s->inner_state, env, err);
	if (ret < 0)
		free_all(s);
	return ret;
}

static int fault_arena(void *state, void *arena, size_t size, struct iob_error *err)
{
	struct fault_state *s = state;

	return s->inner->arena ? s->inner->arena(s->inner_state, arena, size, err) : 0;
}

static void hold(struct fault_state *s, struct iob_req *req, uint64_t at_ns)
{
	unsigned i = s->nheap++;

	for (; i > 0 && s->heap[(i - 1) / 2].at_ns > at_ns; i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = (struct due){at_ns, req};
}

static struct iob_req *take_earliest(struct fault_state *s)
{
	struct iob_req *req = s->heap[0].req;
	struct due last = s->heap[--s->nheap];
	unsigned i = 0;

	for (;;) {
		unsigned child = 2 * i + 1;

		if (child + 1 < s->nheap && s->heap[child + 1].at_ns < s->heap[child].at_ns)
			child++;
		if (child >= s->nheap || s->heap[child].at_ns >= last.at_ns)
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return req;
}

static void fault_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct fault_state *s = state;
	uint64_t now = iob_now_ns();
	unsigned passed = 0;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = reqs[i];
		struct iob_fault fault = iob_fault_rule_next(&s->rule, req);

		if (fault.hang)
			continue;
		if (fault.error) {
			req->result = fault.error;
			s->mark[req->index].injected = true;
			hold(s, req, fault.delay_ns ? now + fault.delay_ns : 0);
			continue;
		}
		s->mark[req->index] = (struct mark){fault.delay_ns, fault.cut, false};
		s->pass[passed++] = req;
	}
	s->inside += passed;
	if (passed > 0)
		s->inner->queue(s->inner_state, s->pass, passed);
}

static void fault_submit(void *state)
{
	struct fault_state *s = state;

	if (s->inner->submit && s->inside > 0)
		s->inner->submit(s->inner_state);
}

/* From the other engine, which may wait until `until` if told so. */
static int collect(struct fault_state *s, bool wait, uint64_t now, uint64_t until)
{
	uint64_t timeout = until == UINT64_MAX ? UINT64_MAX : until > now ? until - now : 0;
	int n = s->inner->reap(
		s->inner_state, s->pass, wait ? 1 : 0, s->inside, wait ? timeout : 0);

	if (n <= 0)
		return n;
	now = iob_now_ns();
	for (int i = 0; i < n; i++) {
		struct iob_req *req = s->pass[i];
		const struct mark *mark = &s->mark[req->index];

		if (mark->cut)
			req->result = iob_fault_cut(req->result);
		hold(s, req, mark->delay_ns ? now + mark->delay_ns : 0);
	}
	s->inside -= (unsigned)n;
	return n;
}

static unsigned take_due(struct fault_state *s, struct iob_req **done, unsigned max)
{
	uint64_t now = iob_now_ns();
	unsigned n = 0;

	while (n < max && s->nheap > 0 && s->heap[0].at_ns <= now)
		done[n++] = take_earliest(s);
	return n;
}

static int fault_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct fault_state *s = state;
	uint64_t now = iob_now_ns();
	uint64_t end = timeout_ns < UINT64_MAX - now ? now + timeout_ns : UINT64_MAX;
	unsigned n = 0;

	for (;;) {
		n += take_due(s, done + n, max - n);
		uint64_t until = s->nheap > 0 && s->heap[0].at_ns < end ? s->heap[0].at_ns : end;
		bool wait = n < min && now < end;
		if (s->inside > 0) {
			int got = collect(s, wait, now, until);

			if (got < 0)
				return got;
			n += take_due(s, done + n, max - n);
		} else if (wait) {
			iob_sleep_until(until);
			n += take_due(s, done + n, max - n);
		}
		now = iob_now_ns();
		if (n >= min || now >= end)
			return (int)n;
	}
}

static void fault_flags(const void *state, char *buf, size_t n)
{
	const struct fault_state *s = state;
	const struct iob_job *job = s->rule.job;
	int used = snprintf(buf, n, "over_%s%s%s%s%s ", s->inner->name,
		job->fault_delay_ns || job->fault_delay_random_ns ? " delay" : "",
		job->fault_error_every ? " error" : "", job->fault_short_every ? " short" : "",
		job->fault_hang_at ? " hang" : "");

	if (used > 0 && (size_t)used < n)
		s->inner->flags(s->inner_state, buf + used, n - (size_t)used);
}

static const char *fault_explain(void *state, const struct iob_req *req)
{
	const struct fault_state *s = state;

	if (s->mark[req->index].injected)
		return "made on purpose by fault_error_every";
	return s->inner->explain ? s->inner->explain(s->inner_state, req) : NULL;
}

static void fault_close(void *state)
{
	struct fault_state *s = state;

	s->inner->close(s->inner_state);
	free_all(s);
}

static const char *const params[] = {"fault_engine", "fault_delay", "fault_delay_random",
	"fault_delay_every", "fault_error_every", "fault_errno", "fault_short_every",
	"fault_hang_at", "fault_on", "fault_offset", "fault_size", NULL};

const struct iob_engine iob_engine_fault = {
	.name = "fault",
	.summary = "spoils another engine on purpose, for tests and demonstrations",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_NO_TARGET | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS |
		IOB_ENGINE_SYNC_RANGE,
	.max_capacity = MAX_CAPACITY,
	.params = params,
	.inner = "fault_engine",
	.state_size = sizeof(struct fault_state),
	.probe = fault_probe,
	.open = fault_open,
	.arena = fault_arena,
	.queue = fault_queue,
	.submit = fault_submit,
	.reap = fault_reap,
	.flags = fault_flags,
	.explain = fault_explain,
	.close = fault_close,
};
