/* SPDX-License-Identifier: MIT */
/* Does no I/O: what remains is the cost of the program itself. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"

#define MAX_CAPACITY 65536

struct null_state {
	struct iob_req **queued;
	unsigned n;
};

static int null_probe(struct iob_error *err)
{
	(void)err;
	return 0;
}

static int null_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct null_state *s = state;

	s->queued = calloc(env->capacity, sizeof(struct iob_req *));
	if (!s->queued)
		return iob_fail(err, -ENOMEM, "null: no memory for %u requests", env->capacity);
	return 0;
}

static void null_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct null_state *s = state;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = reqs[i];

		req->result = req->op < IOB_OP_FSYNC ? (int64_t)req->length : 0;
		s->queued[s->n++] = req;
	}
}

/* All of it was done by queue; that there is such a call makes it like other engines. */
static void null_submit(void *state)
{
	(void)state;
}

static int null_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct null_state *s = state;
	unsigned n = s->n < max ? s->n : max;

	(void)min;
	(void)timeout_ns;
	memcpy(done, s->queued, n * sizeof(struct iob_req *));
	s->n -= n;
	if (s->n)
		memmove(s->queued, s->queued + n, s->n * sizeof(struct iob_req *));
	return (int)n;
}

static void null_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "no-io");
}

static void null_close(void *state)
{
	struct null_state *s = state;

	free(s->queued);
	s->queued = NULL;
}

const struct iob_engine iob_engine_null = {
	.name = "null",
	.summary = "no I/O at all: measures the program itself",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_NO_TARGET | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS |
		IOB_ENGINE_SYNC_RANGE,
	.max_capacity = MAX_CAPACITY,
	.state_size = sizeof(struct null_state),
	.probe = null_probe,
	.open = null_open,
	.queue = null_queue,
	.submit = null_submit,
	.reap = null_reap,
	.flags = null_flags,
	.close = null_close,
};
