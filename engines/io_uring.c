/* SPDX-License-Identifier: MIT */
/* io_uring: one system call submits what was queued and waits. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engines/engines.h"
#include "engines/uring_setup.h"

#define MAX_RETRIES 10000

struct uring_state {
	struct io_uring ring;
	const struct iob_target *targets;
	struct iob_uring_features features;
	unsigned char *arena; /* registered; NULL = not */
	size_t arena_size;
	unsigned retries; /* in a row */
};

static int uring_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct uring_state *s = state;

	int ret = iob_uring_setup(&s->ring, env->capacity, &s->features, err);
	if (ret < 0)
		return ret;
	s->targets = env->targets;
	s->features.files = iob_uring_register_targets(&s->ring, env->targets, env->ntargets);
	if (env->arena && iob_uring_register_arena(&s->ring, env->arena, env->arena_size)) {
		s->features.buffers = true;
		s->arena = env->arena;
		s->arena_size = env->arena_size;
	}
	return 0;
}

static int uring_arena(void *state, void *arena, size_t size, struct iob_error *err)
{
	struct uring_state *s = state;

	(void)err;
	if (s->features.buffers)
		io_uring_unregister_buffers(&s->ring);
	s->features.buffers = iob_uring_register_arena(&s->ring, arena, size);
	s->arena = s->features.buffers ? arena : NULL;
	s->arena_size = s->features.buffers ? size : 0;
	return 0;
}

/* Number of the registered piece that holds the whole buffer, or -1. */
static inline int registered_piece(const struct uring_state *s, const struct iob_req *req)
{
	size_t at = (size_t)((unsigned char *)req->buf - s->arena);

	if (!s->arena || at >= s->arena_size || req->length > s->arena_size - at)
		return -1;
	size_t piece = at >> IOB_URING_PIECE_BITS;
	if ((at + req->length - 1) >> IOB_URING_PIECE_BITS != piece)
		return -1;
	return (int)piece;
}

static void prepare(const struct uring_state *s, struct io_uring_sqe *sqe, struct iob_req *req)
{
	int fd = s->features.files ? (int)req->file : s->targets[req->file].fd;
	int piece;

	switch ((enum iob_op)req->op) {
	case IOB_OP_READ:
		piece = registered_piece(s, req);
		if (piece >= 0)
			io_uring_prep_read_fixed(
				sqe, fd, req->buf, req->length, req->offset, piece);
		else
			io_uring_prep_read(sqe, fd, req->buf, req->length, req->offset);
		break;
	case IOB_OP_WRITE:
		piece = registered_piece(s, req);
		if (piece >= 0)
			io_uring_prep_write_fixed(
				sqe, fd, req->buf, req->length, req->offset, piece);
		else
			io_uring_prep_write(sqe, fd, req->buf, req->length, req->offset);
		break;
	case IOB_OP_TRIM:
		io_uring_prep_fallocate(sqe, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)req->offset, req->length);
		break;
	case IOB_OP_FSYNC:
		io_uring_prep_fsync(sqe, fd, 0);
		break;
	case IOB_OP_FDATASYNC:
		io_uring_prep_fsync(sqe, fd, IORING_FSYNC_DATASYNC);
		break;
	}
	if (s->features.files)
		sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, req);
}

static void uring_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct uring_state *s = state;

	for (unsigned i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&s->ring);

		/* The ring has an entry per request in flight; it is full only when an earlier
		 * submission was cut short. */
		while (!sqe) {
			io_uring_submit(&s->ring);
			sqe = io_uring_get_sqe(&s->ring);
		}
		prepare(s, sqe, reqs[i]);
	}
}

/* Try again what the kernel put off, but not for ever. */
static bool retry(struct uring_state *s, struct iob_req *req)
{
	if (req->result != -EAGAIN && req->result != -EINTR) {
		s->retries = 0;
		return false;
	}
	struct io_uring_sqe *sqe = s->retries < MAX_RETRIES ? io_uring_get_sqe(&s->ring) : NULL;
	if (!sqe)
		return false;
	s->retries++;
	prepare(s, sqe, req);
	return true;
}

static unsigned collect(struct uring_state *s, struct iob_req **done, unsigned max)
{
	struct io_uring_cqe *cqe;
	unsigned head, seen = 0, n = 0;

	io_uring_for_each_cqe(&s->ring, head, cqe)
	{
		if (n == max)
			break;
		seen++;
		/* Kernels before 5.11 know a wait's timeout only as a request of its own. */
		if (cqe->user_data == LIBURING_UDATA_TIMEOUT)
			continue;
		struct iob_req *req = io_uring_cqe_get_data(cqe);

		req->result = cqe->res;
		if (req->op == IOB_OP_TRIM && cqe->res == 0)
			req->result = req->length;
		if (!retry(s, req))
			done[n++] = req;
	}
	io_uring_cq_advance(&s->ring, seen);
	return n;
}

static int enter(struct uring_state *s, unsigned min, struct __kernel_timespec *ts)
{
	struct io_uring_cqe *cqe;

	if (min == 0)
		return io_uring_submit_and_get_events(&s->ring);
	if (!ts)
		return io_uring_submit_and_wait(&s->ring, min);
	return io_uring_submit_and_wait_timeout(&s->ring, &cqe, min, ts, NULL);
}

static int uring_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct uring_state *s = state;
	unsigned n = 0;

	do {
		struct __kernel_timespec ts = {
			.tv_sec = (long long)(timeout_ns / IOB_NS_PER_S),
			.tv_nsec = (long long)(timeout_ns % IOB_NS_PER_S),
		};
		int ret = enter(s, min > n ? min - n : 0, timeout_ns == UINT64_MAX ? NULL : &ts);

		n += collect(s, done + n, max - n);
		if (ret == -ETIME)
			break;
		/* EAGAIN, EBUSY: the kernel is short of memory or the completions must be reaped
		 * first; what is queued stays queued. */
		if (ret == -EAGAIN || ret == -EBUSY)
			sched_yield();
		else if (ret < 0 && ret != -EINTR)
			return ret;
	} while (n < min);
	return (int)n;
}

static void uring_flags(const void *state, char *buf, size_t n)
{
	const struct uring_state *s = state;

	iob_uring_describe(&s->features, buf, n);
}

static void uring_close(void *state)
{
	struct uring_state *s = state;

	io_uring_queue_exit(&s->ring);
}

const struct iob_engine iob_engine_io_uring = {
	.name = "io_uring",
	.summary = "asynchronous I/O through shared rings, the fastest on current kernels",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS,
	.max_capacity = IOB_URING_MAX_ENTRIES,
	.state_size = sizeof(struct uring_state),
	.probe = iob_uring_probe,
	.open = uring_open,
	.arena = uring_arena,
	.queue = uring_queue,
	.reap = uring_reap,
	.flags = uring_flags,
	.close = uring_close,
};
