/* SPDX-License-Identifier: MIT */
/* preadv and pwritev with a vector of one. */
#include <config.h>

#include <errno.h>
#include <sys/uio.h>

#include "engines/blocking.h"
#include "engines/engines.h"

static int pvsync_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct iob_blocking *b = state;

	(void)err;
	b->targets = env->targets;
	return 0;
}

static ssize_t once(int fd, const struct iob_req *req)
{
	struct iovec vector = {req->buf, req->length};

	if (req->op == IOB_OP_READ)
		return preadv(fd, &vector, 1, (off_t)req->offset);
	return pwritev(fd, &vector, 1, (off_t)req->offset);
}

static int64_t transfer(struct iob_blocking *b, const struct iob_req *req)
{
	unsigned tries = 0;
	ssize_t n;

	do
		n = once(b->targets[req->file].fd, req);
	while (n < 0 && iob_blocking_again(errno, &tries));
	return n < 0 ? -errno : n;
}

static int pvsync_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)min;
	(void)timeout_ns;
	return iob_blocking_reap(state, done, max, transfer);
}

static void pvsync_close(void *state)
{
	(void)state;
}

const struct iob_engine iob_engine_pvsync = {
	.name = "pvsync",
	.summary = "preadv and pwritev, one request at a time",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE |
		IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.state_size = sizeof(struct iob_blocking),
	.probe = iob_blocking_probe,
	.open = pvsync_open,
	.queue = iob_blocking_queue,
	.reap = pvsync_reap,
	.flags = iob_blocking_flags,
	.close = pvsync_close,
};
