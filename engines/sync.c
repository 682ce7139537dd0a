/* SPDX-License-Identifier: MIT */
/* read and write at the position of the file, with an lseek where the next request is elsewhere. */
#include <config.h>

#include <errno.h>
#include <unistd.h>

#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/own_files.h"

#define UNKNOWN UINT64_MAX

struct sync_state {
	struct iob_blocking blocking; /* first */
	struct iob_own_file *own;
	unsigned nown;
};

static int sync_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct sync_state *s = state;

	s->blocking.targets = env->targets;
	s->nown = env->ntargets;
	return iob_own_files_open(&s->own, env, "sync", err);
}

static ssize_t once(const struct iob_own_file *own, const struct iob_req *req)
{
	if (req->op == IOB_OP_READ)
		return read(own->fd, req->buf, req->length);
	return write(own->fd, req->buf, req->length);
}

static int64_t transfer(struct iob_blocking *b, const struct iob_req *req)
{
	struct iob_own_file *own = &((struct sync_state *)b)->own[req->file];
	unsigned tries = 0;
	ssize_t n;

	if (own->position != req->offset && lseek(own->fd, (off_t)req->offset, SEEK_SET) < 0) {
		own->position = UNKNOWN;
		return -errno;
	}
	do
		n = once(own, req);
	while (n < 0 && iob_blocking_again(errno, &tries));
	own->position = n < 0 ? UNKNOWN : req->offset + (uint64_t)n;
	return n < 0 ? -errno : n;
}

static int sync_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)min;
	(void)timeout_ns;
	return iob_blocking_reap(state, done, max, transfer);
}

static void sync_close(void *state)
{
	struct sync_state *s = state;

	iob_own_files_close(s->own, s->nown);
}

const struct iob_engine iob_engine_sync = {
	.name = "sync",
	.summary = "lseek, read and write, one request at a time",
	.caps = IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE |
		IOB_ENGINE_OWN_TABLE,
	.max_capacity = 1,
	.state_size = sizeof(struct sync_state),
	.probe = iob_blocking_probe,
	.open = sync_open,
	.queue = iob_blocking_queue,
	.reap = sync_reap,
	.flags = iob_blocking_flags,
	.close = sync_close,
};
