/* SPDX-License-Identifier: MIT */
/* io_uring: one system call submits what was queued and waits. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/iopoll.h"
#include "engines/ioprio.h"
#include "engines/rwflags.h"
#include "engines/uring_setup.h"
#include "engines/uring_wait.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define MAX_RETRIES 10000 /* in a row, beyond one for each slot */

#ifndef BLOCK_URING_CMD_DISCARD /* of Linux 6.12 */
#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#endif

struct uring_state {
	struct io_uring ring;
	const struct iob_target *targets;
	unsigned char *arena; /* registered; NULL = not */
	size_t arena_size;
	size_t plain_size;     /* the same where prepare_plain is enough, else 0 */
	struct iovec *vectors; /* by index of the request; NULL = requests without vectors */
	int rw_flags;          /* RWF_* */
	unsigned force_async;  /* every N-th; 0 = none */
	unsigned until_async;
	unsigned retries, most_retries; /* in a row */
	uint64_t refused_since;         /* when the kernel began to take nothing in; 0 = it does */
	uint8_t sqe_flags;
	/* A ring that polls knows reads and writes alone, and kernels before 6.12 no discard: what
	 * they do not know is done at once. */
	struct iob_req **settled;
	unsigned nsettled;
	bool polls, no_discard;
	struct iob_uring_features features;
};

/* What the parameters ask for, checked and allocated; freed by uring_close. */
static int configure(struct uring_state *s, const struct iob_engine_env *env, struct iob_error *err)
{
	const struct iob_job *job = env->job;
	int flags = iob_rwflags_of(env, err);

	if (flags < 0)
		return flags;
	s->targets = env->targets;
	s->rw_flags = flags;
	s->most_retries = env->capacity + MAX_RETRIES;
	s->force_async = (unsigned)job->force_async;
	s->until_async = s->force_async;
	s->polls = job->hipri;
	int ret = s->polls ? iob_iopoll_check("", env, err) : 0;
	if (ret < 0)
		return ret;
	s->settled = calloc(env->capacity, sizeof(struct iob_req *));
	return s->settled ? 0 : iob_fail(err, -ENOMEM, "io_uring: no memory");
}

/* Vectors where they are asked for, or where the kernel is too old to do without. */
static int choose_operation(
	struct uring_state *s, const struct iob_engine_env *env, struct iob_error *err)
{
	bool direct = env->job->nonvectored != IOB_NONVECTORED_OFF;

	if (direct && !iob_uring_knows_reads(&s->ring)) {
		if (env->job->nonvectored == IOB_NONVECTORED_ON)
			return iob_fail(err, -EOPNOTSUPP,
				"nonvectored=1: %m: the kernel is older than 5.6; leave it out");
		direct = false;
	}
	if (direct)
		return 0;
	s->vectors = calloc(env->capacity, sizeof(*s->vectors));
	return s->vectors ? 0 : iob_fail(err, -ENOMEM, "io_uring: no memory");
}

static void take_arena(struct uring_state *s, void *arena, size_t size)
{
	bool one_piece = size <= (size_t)1 << IOB_URING_PIECE_BITS;

	s->arena = s->features.buffers ? arena : NULL;
	s->arena_size = s->features.buffers ? size : 0;
	s->plain_size = one_piece && s->features.files && !s->force_async ? s->arena_size : 0;
}

static int register_all(
	struct uring_state *s, const struct iob_engine_env *env, struct iob_error *err)
{
	const struct iob_job *job = env->job;

	if (job->registerfiles)
		iob_uring_register_targets(&s->ring, &s->features, env->targets, env->ntargets);
	if (s->features.files)
		s->sqe_flags = IOSQE_FIXED_FILE;
	else if (job->sqthread_poll && !(s->ring.features & IORING_FEAT_SQPOLL_NONFIXED))
		return iob_fail(err, -EOPNOTSUPP,
			"sqthread_poll=1: %m: kernels before 5.11 want registered files; leave "
			"registerfiles=0 out");
	/* Vectors by choice do without registered buffers; for old kernels they are spare. */
	if (job->fixedbufs && job->nonvectored != IOB_NONVECTORED_OFF)
		iob_uring_register_arena(&s->ring, &s->features, env->arena, env->arena_size);
	take_arena(s, env->arena, env->arena_size);
	return 0;
}

static void uring_close(void *state)
{
	struct uring_state *s = state;

	iob_uring_close(&s->ring, &s->features);
	free(s->vectors);
	free(s->settled);
}

static int uring_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct uring_state *s = state;
	struct iob_uring_wish wish = iob_uring_wish_of(env, 0);
	int ret = configure(s, env, err);

	if (ret == 0)
		ret = iob_uring_setup(&s->ring, &wish, &s->features, err);
	if (ret < 0) {
		free(s->settled);
		return ret;
	}
	ret = choose_operation(s, env, err);
	if (ret == 0)
		ret = register_all(s, env, err);
	if (ret == 0 && env->job->hipri && env->ntargets > 0)
		ret = iob_uring_try_polling(&s->ring, &env->targets[0], err);
	if (ret < 0)
		uring_close(s);
	return ret;
}

static int uring_arena(void *state, void *arena, size_t size, struct iob_error *err)
{
	struct uring_state *s = state;
	bool had = s->features.buffers;

	(void)err;
	/* What was refused or not wanted at first stays so. */
	if (!had && !s->features.memlock)
		return 0;
	if (had)
		io_uring_unregister_buffers(&s->ring);
	iob_uring_register_arena(&s->ring, &s->features, arena, size);
	take_arena(s, arena, size);
	return 0;
}

static void prepare_unregistered(
	struct uring_state *s, struct io_uring_sqe *sqe, const struct iob_req *req)
{
	bool write = req->op == IOB_OP_WRITE;

	sqe->buf_index = 0;
	if (!s->vectors) {
		sqe->opcode = write ? IORING_OP_WRITE : IORING_OP_READ;
		return;
	}
	s->vectors[req->index] = (struct iovec){req->buf, req->length};
	sqe->opcode = write ? IORING_OP_WRITEV : IORING_OP_READV;
	sqe->addr = (uintptr_t)&s->vectors[req->index];
	sqe->len = 1;
}

static void prepare_trim(
	struct io_uring_sqe *sqe, const struct iob_req *req, const struct iob_target *target)
{
	if (target->block_size) {
		sqe->opcode = IORING_OP_URING_CMD;
		sqe->off = 0;
		sqe->cmd_op = BLOCK_URING_CMD_DISCARD;
		sqe->addr = req->offset;
		sqe->addr3 = req->length;
		return;
	}
	sqe->opcode = IORING_OP_FALLOCATE;
	sqe->len = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	sqe->addr = req->length;
}

static void prepare_other(
	struct io_uring_sqe *sqe, const struct iob_req *req, const struct iob_target *target)
{
	sqe->addr = 0;
	sqe->len = 0;
	sqe->rw_flags = 0;
	sqe->buf_index = 0;
	if (req->op == IOB_OP_TRIM) {
		prepare_trim(sqe, req, target);
		return;
	}
	if (req->op == IOB_OP_SYNC_FILE_RANGE) {
		sqe->opcode = IORING_OP_SYNC_FILE_RANGE;
		sqe->len = req->length;
		sqe->sync_range_flags = req->sync_flags;
		return;
	}
	sqe->opcode = IORING_OP_FSYNC;
	sqe->off = 0;
	if (req->op == IOB_OP_FDATASYNC)
		sqe->fsync_flags = IORING_FSYNC_DATASYNC;
}

/* Whatever the request and the state. */
static __attribute__((noinline)) void prepare(
	struct uring_state *s, struct io_uring_sqe *sqe, struct iob_req *req)
{
	int piece = iob_uring_piece_of(s->arena, s->arena_size, req);

	*sqe = (struct io_uring_sqe){
		.opcode = req->op == IOB_OP_WRITE ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED,
		.flags = s->sqe_flags,
		.ioprio = req->ioprio,
		.fd = s->sqe_flags ? (int)req->file : s->targets[req->file].fd,
		.off = req->offset,
		.addr = (uintptr_t)req->buf,
		.len = req->length,
		.rw_flags = s->rw_flags,
		.user_data = (uintptr_t)req,
		.buf_index = (uint16_t)piece,
	};
	if (req->op > IOB_OP_WRITE) {
		prepare_other(sqe, req, &s->targets[req->file]);
		return;
	}
	if (piece < 0)
		prepare_unregistered(s, sqe, req);
	if (s->force_async && --s->until_async == 0) {
		s->until_async = s->force_async;
		sqe->flags |= IOSQE_ASYNC;
	}
}

/* The common case, a transfer of a registered file from or to the one registered piece: false where
 * it is another. */
static inline bool prepare_plain(unsigned char *arena, size_t arena_size, int rw_flags,
	struct io_uring_sqe *sqe, struct iob_req *req)
{
	size_t at = (size_t)((unsigned char *)req->buf - arena);

	if (unlikely(req->op > IOB_OP_WRITE || at >= arena_size || req->length > arena_size - at))
		return false;
	sqe->opcode = (uint8_t)(IORING_OP_READ_FIXED + req->op);
	sqe->flags = IOSQE_FIXED_FILE;
	sqe->ioprio = req->ioprio;
	sqe->fd = req->file;
	sqe->off = req->offset;
	sqe->addr = (uintptr_t)req->buf;
	sqe->len = req->length;
	sqe->rw_flags = rw_flags;
	sqe->user_data = (uintptr_t)req;
	memset(&sqe->buf_index, 0, sizeof(*sqe) - offsetof(struct io_uring_sqe, buf_index));
	return true;
}
_Static_assert(IORING_OP_READ_FIXED + IOB_OP_WRITE == IORING_OP_WRITE_FIXED, "");

static bool is_done_at_once(const struct uring_state *s, const struct iob_req *req)
{
	if (s->polls)
		return req->op > IOB_OP_WRITE;
	return s->no_discard && req->op == IOB_OP_TRIM;
}

static void queue_any(struct uring_state *s, struct iob_req *req)
{
	if (is_done_at_once(s, req)) {
		req->result = iob_blocking_io(&s->targets[req->file], req);
		s->settled[s->nsettled++] = req;
		return;
	}
	prepare(s, iob_uring_next_entry(&s->ring), req);
}

static void uring_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct uring_state *s = state;
	struct io_uring_sq *sq = &s->ring.sq;
	struct io_uring_sqe *sqes = sq->sqes;
	unsigned char *arena = s->arena;
	size_t plain = s->plain_size;
	unsigned tail = sq->sqe_tail, mask = sq->ring_mask;
	int rw_flags = s->rw_flags;

	if (unlikely(io_uring_sq_space_left(&s->ring) < n))
		plain = 0;
	for (unsigned i = 0; i < n; i++) {
		if (likely(prepare_plain(arena, plain, rw_flags, &sqes[tail & mask], reqs[i]))) {
			tail++;
			continue;
		}
		sq->sqe_tail = tail;
		queue_any(s, reqs[i]);
		tail = sq->sqe_tail;
	}
	sq->sqe_tail = tail;
}

static void uring_submit(void *state)
{
	struct uring_state *s = state;

	/* What is refused now stays in the ring. */
	io_uring_submit(&s->ring);
}

/* Try again what the kernel put off, but not for ever. */
static __attribute__((noinline)) bool retry(struct uring_state *s, struct iob_req *req)
{
	if (req->result != -EAGAIN && req->result != -EINTR)
		return false;
	struct io_uring_sqe *sqe = s->retries < s->most_retries ? io_uring_get_sqe(&s->ring) : NULL;
	if (!sqe)
		return false;
	s->retries++;
	prepare(s, sqe, req);
	/* It would have had to wait: then so it shall. */
	if (req->op <= IOB_OP_WRITE)
		sqe->rw_flags &= ~RWF_NOWAIT;
	return true;
}

/* The kernel has an answer of 0 for trims; or it, or the device, knows no such command. */
static void end_trim(struct uring_state *s, struct iob_req *req)
{
	const struct iob_target *target = &s->targets[req->file];

	if (req->result == 0) {
		req->result = req->length;
	} else if (target->block_size && (req->result == -EOPNOTSUPP || req->result == -EINVAL)) {
		s->no_discard = true;
		req->result = iob_blocking_io(target, req);
	}
}

static unsigned collect(struct uring_state *s, struct iob_req **done, unsigned max)
{
	struct io_uring_cq *cq = &s->ring.cq;
	unsigned head = *cq->khead, tail = io_uring_smp_load_acquire(cq->ktail);
	unsigned mask = cq->ring_mask, n = 0;

	for (; head != tail && n < max; head++) {
		const struct io_uring_cqe *cqe = &cq->cqes[head & mask];
		/* Kernels before 5.11 know a wait's timeout only as a request of its own. */
		if (unlikely(cqe->user_data == LIBURING_UDATA_TIMEOUT))
			continue;
		struct iob_req *req = (struct iob_req *)(uintptr_t)cqe->user_data;

		req->result = cqe->res;
		if (unlikely(cqe->res <= 0)) {
			if (retry(s, req))
				continue;
			if (req->op == IOB_OP_TRIM)
				end_trim(s, req);
		}
		done[n++] = req;
	}
	io_uring_smp_store_release(cq->khead, head);
	if (n > 0)
		s->retries = 0;
	return n;
}

static unsigned take_settled(struct uring_state *s, struct iob_req **done, unsigned max)
{
	unsigned n = 0;

	while (n < max && s->nsettled > 0)
		done[n++] = s->settled[--s->nsettled];
	return n;
}

static int uring_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct uring_state *s = state;
	unsigned n = s->nsettled ? take_settled(s, done, max) : 0;

	do {
		int ret = iob_uring_enter(&s->ring, min > n ? min - n : 0, timeout_ns);

		n += collect(s, done + n, max - n);
		if (unlikely(ret == -EAGAIN))
			ret = iob_uring_refused(&s->refused_since, n, timeout_ns);
		else
			s->refused_since = 0;
		if (ret == -ETIME)
			break;
		if (ret < 0)
			return ret;
	} while (n < min);
	return (int)n;
}

static void uring_flags(const void *state, char *buf, size_t n)
{
	const struct uring_state *s = state;
	size_t used;

	iob_uring_describe(&s->features, buf, n);
	used = strlen(buf);
	snprintf(buf + used, n - used, "%s%s%s%s", s->vectors ? " vectored" : "",
		s->force_async ? " force_async" : "",
		s->rw_flags & IOB_RWF_DONTCACHE ? " uncached" : "",
		s->rw_flags & RWF_NOWAIT ? " nowait" : "");
}

static const char *uring_explain(void *state, const struct iob_req *req)
{
	const struct uring_state *s = state;

	if (req->result == -ECANCELED)
		return "the kernel could not start a thread of its own (io-wq) for it; raise `ulimit "
		       "-u` or pids.max of the control group, or lower iodepth or numjobs";
	if (req->result == -EOPNOTSUPP && s->polls)
		return "completions cannot be polled for here; leave hipri out";
	const char *why = iob_rwflags_explain(s->rw_flags, req);
	return why ? why : iob_ioprio_explain(req);
}

static const char *const params[] = {"hipri", "uncached", "nowait", "fixedbufs", "registerfiles",
	"nonvectored", "force_async", "sqthread_poll", "sqthread_poll_cpu", IOB_IOPRIO_PARAMS,
	NULL};

const struct iob_engine iob_engine_io_uring = {
	.name = "io_uring",
	.summary = "asynchronous I/O through shared rings, the fastest on current kernels",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE,
	.max_capacity = IOB_URING_MAX_CAPACITY,
	.params = params,
	.state_size = sizeof(struct uring_state),
	.probe = iob_uring_probe,
	.open = uring_open,
	.arena = uring_arena,
	.queue = uring_queue,
	.submit = uring_submit,
	.reap = uring_reap,
	.flags = uring_flags,
	.explain = uring_explain,
	.close = uring_close,
};
