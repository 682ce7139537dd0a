/* SPDX-License-Identifier: MIT */
/* pread and pwrite: one request at a time, the caller waits for each. */
#include <config.h>

#include "engines/blocking.h"
#include "engines/engines.h"

static int psync_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct iob_blocking *b = state;

	(void)err;
	b->targets = env->targets;
	return 0;
}

static int64_t transfer(struct iob_blocking *b, const struct iob_req *req)
{
	return iob_blocking_io(&b->targets[req->file], req);
}

static int psync_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)min;
	(void)timeout_ns;
	return iob_blocking_reap(state, done, max, transfer);
}

static void psync_close(void *state)
{
	(void)state;
}

const struct iob_engine iob_engine_psync = {
	.name = "psync",
	.summary = "pread and pwrite, one request at a time",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE |
		IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.state_size = sizeof(struct iob_blocking),
	.probe = iob_blocking_probe,
	.open = psync_open,
	.queue = iob_blocking_queue,
	.reap = psync_reap,
	.flags = iob_blocking_flags,
	.close = psync_close,
};
