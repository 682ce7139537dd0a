/* SPDX-License-Identifier: MIT */
/* pread and pwrite: one request at a time, the caller waits for each. */
#include <config.h>

#include <stdio.h>

#include "engines/blocking.h"
#include "engines/engines.h"

struct psync_state {
	const struct iob_target *targets;
	struct iob_req *queued;
};

static int psync_probe(struct iob_error *err)
{
	(void)err;
	return 0;
}

static int psync_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct psync_state *s = state;

	(void)err;
	s->targets = env->targets;
	return 0;
}

static void psync_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct psync_state *s = state;

	if (n > 0)
		s->queued = reqs[0];
}

static int psync_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct psync_state *s = state;
	struct iob_req *req = s->queued;

	(void)min;
	(void)timeout_ns;
	if (!req || max == 0)
		return 0;
	req->result = iob_blocking_io(&s->targets[req->file], req);
	s->queued = NULL;
	done[0] = req;
	return 1;
}

static void psync_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "blocking");
}

static void psync_close(void *state)
{
	(void)state;
}

const struct iob_engine iob_engine_psync = {
	.name = "psync",
	.summary = "pread and pwrite, one request at a time",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.state_size = sizeof(struct psync_state),
	.probe = psync_probe,
	.open = psync_open,
	.queue = psync_queue,
	.reap = psync_reap,
	.flags = psync_flags,
	.close = psync_close,
};
