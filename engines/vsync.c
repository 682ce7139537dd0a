/* SPDX-License-Identifier: MIT */
/*
 * readv and writev: requests that follow each other in the file become one call.  The queue is
 * ours, up to iodepth requests; the kernel sees one call at a time.
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/own_files.h"

#define MAX_CAPACITY 65536
#define MOST_VECTORS 1024 /* in one call: the kernel's UIO_MAXIOV */
#define UNKNOWN      UINT64_MAX
/* The kernel cuts a transfer off a page before 2 GiB; a run stays below. */
#define MOST_BYTES   (UINT64_C(1) << 30)

struct vsync_state {
	const struct iob_target *targets;
	struct iob_own_file *own;
	struct iob_req **queue; /* a ring, in the order in which they came */
	struct iob_req **done;  /* finished, and not asked for yet */
	struct iovec *vectors;
	unsigned nown, capacity, first, nqueued, done_first, ndone;
};

static void vsync_free(struct vsync_state *s)
{
	iob_own_files_close(s->own, s->nown);
	free(s->queue);
	free(s->done);
	free(s->vectors);
}

static int vsync_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct vsync_state *s = state;
	int ret = iob_own_files_open(&s->own, env, "vsync", err);

	if (ret < 0)
		return ret;
	s->targets = env->targets;
	s->nown = env->ntargets;
	s->capacity = env->capacity;
	s->queue = calloc(s->capacity, sizeof(struct iob_req *));
	s->done = calloc(s->capacity, sizeof(struct iob_req *));
	s->vectors = calloc(MOST_VECTORS, sizeof(*s->vectors));
	if (s->queue && s->done && s->vectors)
		return 0;
	vsync_free(s);
	return iob_fail(err, -ENOMEM, "vsync: no memory for %u requests", env->capacity);
}

static unsigned slot(const struct vsync_state *s, unsigned n)
{
	unsigned at = s->first + n;

	return at < s->capacity ? at : at - s->capacity;
}

static void vsync_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct vsync_state *s = state;

	for (unsigned i = 0; i < n; i++)
		s->queue[slot(s, s->nqueued++)] = reqs[i];
}

/* Takes the next run of requests off the queue into s->done; returns its bytes. */
static uint64_t take_run(struct vsync_state *s)
{
	struct iob_req *first = s->queue[s->first];
	uint64_t bytes = 0;

	s->ndone = 0;
	s->done_first = 0;
	while (s->nqueued > 0) {
		struct iob_req *req = s->queue[s->first];
		bool follows = req->op == first->op && req->file == first->file &&
			       req->op <= IOB_OP_WRITE && req->offset == first->offset + bytes &&
			       bytes + req->length <= MOST_BYTES;

		if (s->ndone == MOST_VECTORS || (s->ndone > 0 && !follows))
			break;
		s->vectors[s->ndone] = (struct iovec){req->buf, req->length};
		s->done[s->ndone++] = req;
		bytes += req->length;
		s->first = slot(s, 1);
		s->nqueued--;
	}
	return bytes;
}

static int64_t seek_and_move(struct iob_own_file *own, const struct vsync_state *s)
{
	const struct iob_req *req = s->done[0];
	unsigned tries = 0;
	ssize_t n;

	if (own->position != req->offset && lseek(own->fd, (off_t)req->offset, SEEK_SET) < 0)
		return -errno;
	do
		n = req->op == IOB_OP_READ ? readv(own->fd, s->vectors, (int)s->ndone)
					   : writev(own->fd, s->vectors, (int)s->ndone);
	while (n < 0 && iob_blocking_again(errno, &tries));
	own->position = n < 0 ? UNKNOWN : req->offset + (uint64_t)n;
	return n < 0 ? -errno : n;
}

/* Each request gets its part of what the run moved; behind the first short one there is no more. */
static void share_out(struct vsync_state *s, int64_t moved)
{
	for (unsigned i = 0; i < s->ndone; i++) {
		struct iob_req *req = s->done[i];
		int64_t part = moved < (int64_t)req->length ? moved : (int64_t)req->length;

		req->result = part;
		if (moved > 0)
			moved -= part;
	}
}

/* A request that starts where the call ended is not to blame for it: it is asked for alone. */
static void run_rest(struct vsync_state *s)
{
	for (unsigned i = 1; i < s->ndone; i++)
		if (s->done[i]->result <= 0)
			s->done[i]->result =
				iob_blocking_io(&s->targets[s->done[i]->file], s->done[i]);
}

static void perform_run(struct vsync_state *s)
{
	uint64_t bytes = take_run(s);
	struct iob_req *first = s->done[0];

	if (first->op > IOB_OP_WRITE) {
		first->result = iob_blocking_io(&s->targets[first->file], first);
		return;
	}
	int64_t moved = seek_and_move(&s->own[first->file], s);
	if (moved < 0)
		s->own[first->file].position = UNKNOWN;
	share_out(s, moved);
	if (moved < (int64_t)bytes)
		run_rest(s);
}

static int vsync_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct vsync_state *s = state;
	unsigned n = 0;

	(void)timeout_ns;
	do {
		if (s->ndone == 0 && s->nqueued > 0 && n < max)
			perform_run(s);
		if (s->ndone == 0)
			break;
		while (n < max && s->ndone > 0) {
			done[n++] = s->done[s->done_first++];
			s->ndone--;
		}
	} while (n < min && n < max);
	return (int)n;
}

static void vsync_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "coalescing");
}

static void vsync_close(void *state)
{
	vsync_free(state);
}

const struct iob_engine iob_engine_vsync = {
	.name = "vsync",
	.summary = "readv and writev; up to iodepth adjacent requests become one call",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE |
		IOB_ENGINE_OWN_TABLE,
	.max_capacity = MAX_CAPACITY,
	.state_size = sizeof(struct vsync_state),
	.probe = iob_blocking_probe,
	.open = vsync_open,
	.queue = vsync_queue,
	.reap = vsync_reap,
	.flags = vsync_flags,
	.close = vsync_close,
};
