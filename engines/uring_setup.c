/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/uring_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define PROBE              4096
#define MEMORY_TRIES       20
#define MEMORY_PAUSE_NS    (10 * IOB_NS_PER_MS)
/* For devices that work; one that hangs is not waited for. */
#define POLLED_PATIENCE_NS (5 * IOB_NS_PER_S)
#define PIECE              ((size_t)1 << IOB_URING_PIECE_BITS)

/* Newest first. */
static const unsigned setups[] = {
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, /* 6.1 */
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,  /* 6.0 */
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN, /* 5.19 */
	IORING_SETUP_SUBMIT_ALL,                             /* 5.18 */
	0,
};

/* The same where a thread of the kernel submits: it runs no task work of ours. */
static const unsigned setups_sqpoll[] = {
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER,
	IORING_SETUP_SUBMIT_ALL,
	0,
};

/* The kernel gives the memory of a closed ring back a moment later: until then it counts against
 * the limit on locked memory. */
static int init_patiently(iob_uring_init_fn *init, unsigned entries, struct io_uring *ring,
	const struct io_uring_params *wanted)
{
	int ret = -ENOMEM;

	for (unsigned i = 0; i < MEMORY_TRIES && ret == -ENOMEM; i++) {
		struct io_uring_params p = *wanted;

		if (i > 0)
			iob_sleep_until(iob_now_ns() + MEMORY_PAUSE_NS);
		ret = init(entries, ring, &p);
	}
	return ret;
}

int iob_uring_make(struct io_uring *ring, const struct iob_uring_wish *wish, unsigned *setup,
	iob_uring_init_fn *init)
{
	bool sqpoll = wish->extra & IORING_SETUP_SQPOLL;
	const unsigned *list = sqpoll ? setups_sqpoll : setups;
	size_t n = sqpoll ? sizeof(setups_sqpoll) / sizeof(*setups_sqpoll)
			  : sizeof(setups) / sizeof(*setups);
	unsigned entries =
		wish->capacity < IOB_URING_MAX_ENTRIES ? wish->capacity : IOB_URING_MAX_ENTRIES;
	int ret = -EINVAL;

	for (size_t i = 0; i < n && ret == -EINVAL; i++) {
		struct io_uring_params p = {
			.flags = list[i] | wish->extra, .sq_thread_cpu = wish->cpu};

		*setup = p.flags;
		ret = init_patiently(init, entries, ring, &p);
	}
	return ret;
}

struct iob_uring_wish iob_uring_wish_of(const struct iob_engine_env *env, unsigned extra)
{
	const struct iob_job *job = env->job;
	struct iob_uring_wish wish = {.capacity = env->capacity, .extra = extra};

	if (job->hipri)
		wish.extra |= IORING_SETUP_IOPOLL;
	if (job->sqthread_poll)
		wish.extra |= IORING_SETUP_SQPOLL;
	if (job->sqthread_poll && job->sqthread_poll_cpu != IOB_NO_CPU) {
		wish.extra |= IORING_SETUP_SQ_AFF;
		wish.cpu = (unsigned)job->sqthread_poll_cpu;
	}
	return wish;
}

int iob_uring_setup(struct io_uring *ring, const struct iob_uring_wish *wish,
	struct iob_uring_features *f, struct iob_error *err)
{
	int ret = iob_uring_make(ring, wish, &f->setup, io_uring_queue_init_params);

	if (ret < 0)
		return iob_uring_explain(ret, wish, err);
	f->ring_fd = io_uring_register_ring_fd(ring) == 1;
	return 0;
}

int iob_uring_probe(struct iob_error *err)
{
	const struct iob_uring_wish wish = {.capacity = 1};
	struct io_uring ring;
	unsigned setup;
	int ret = iob_uring_make(&ring, &wish, &setup, io_uring_queue_init_params);

	if (ret < 0)
		return iob_uring_explain(ret, &wish, err);
	if (err)
		iob_uring_remark_memlock(&ring, err->text, sizeof(err->text));
	io_uring_queue_exit(&ring);
	return 0;
}

bool iob_uring_knows_reads(struct io_uring *ring)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
	bool knows = probe && io_uring_opcode_supported(probe, IORING_OP_READ);

	io_uring_free_probe(probe);
	return knows;
}

/* A ring that polls comes back early, with nothing, when another thread wants the CPU: until the
 * request is done its buffer is the kernel's. */
static int wait_polling(struct io_uring *ring, struct io_uring_cqe **cqe)
{
	int ret;

	do {
		ret = io_uring_submit_and_wait(ring, 1);
		if (ret >= 0 || ret == -EINTR)
			ret = io_uring_peek_cqe(ring, cqe);
	} while (ret == -EAGAIN);
	return ret;
}

int iob_uring_try_polling(
	struct io_uring *ring, const struct iob_target *target, struct iob_error *err)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	struct io_uring_cqe *cqe;
	IOB_FREE void *buf = aligned_alloc(PROBE, PROBE);

	if (!sqe || !buf)
		return iob_fail(err, -ENOMEM, "io_uring: no memory");
	io_uring_prep_read(sqe, target->fd, buf, PROBE, 0);
	int ret = wait_polling(ring, &cqe);
	if (ret == 0) {
		ret = cqe->res;
		io_uring_cqe_seen(ring, cqe);
	}
	if (ret == -EOPNOTSUPP || ret == -EINVAL)
		return iob_fail(err, -EOPNOTSUPP,
			"hipri=1: %m: the file system or the driver of %.200s cannot poll for "
			"completions; leave hipri out",
			target->path);
	return 0;
}

void iob_uring_register_targets(struct io_uring *ring, struct iob_uring_features *f,
	const struct iob_target *targets, unsigned n)
{
	IOB_FREE int *fds = n ? calloc(n, sizeof(*fds)) : NULL;

	f->files = false;
	if (!fds)
		return;
	for (unsigned i = 0; i < n; i++)
		fds[i] = targets[i].fd;
	f->files = io_uring_register_files(ring, fds, n) == 0;
}

/* Each request that was submitted has one answer. */
static bool is_idle(const struct io_uring *ring)
{
	return *ring->sq.ktail == *ring->cq.khead;
}

/* What is in flight on a ring that polls is asked for to its end: Linux 6.1 polls for it after it
 * has freed it, and crashes. */
static void drain_polled(struct io_uring *ring)
{
	uint64_t until = iob_monotonic_ns() + POLLED_PATIENCE_NS;

	while (!is_idle(ring) && iob_monotonic_ns() < until) {
		io_uring_get_events(ring);
		io_uring_cq_advance(ring, io_uring_cq_ready(ring));
	}
}

void iob_uring_close(struct io_uring *ring, const struct iob_uring_features *f)
{
	if (ring->flags & IORING_SETUP_IOPOLL)
		drain_polled(ring);
	/* The kernel waits for those that use the files: for ever, on a device that hangs or with
	 * nobody who polls. */
	if (f->files && is_idle(ring))
		io_uring_unregister_files(ring);
	io_uring_queue_exit(ring);
}

void iob_uring_register_arena(
	struct io_uring *ring, struct iob_uring_features *f, void *arena, size_t size)
{
	size_t pieces = arena ? (size + PIECE - 1) / PIECE : 0;

	f->buffers = f->memlock = false;
	if (pieces == 0 || pieces > 1024)
		return;
	IOB_FREE struct iovec *iov = calloc(pieces, sizeof(*iov));
	if (!iov)
		return;
	for (size_t i = 0; i < pieces; i++) {
		size_t left = size - i * PIECE;

		iov[i].iov_base = (unsigned char *)arena + i * PIECE;
		iov[i].iov_len = left < PIECE ? left : PIECE;
	}
	int ret = io_uring_register_buffers(ring, iov, (unsigned)pieces);
	f->buffers = ret == 0;
	f->memlock = ret == -ENOMEM;
}

void iob_uring_describe(const struct iob_uring_features *f, char *buf, size_t n)
{
	const char *words[] = {
		f->buffers   ? "fixedbufs"
		: f->memlock ? "nofixedbufs-memlock"
			     : "nofixedbufs",
		f->files ? "registerfiles" : "noregisterfiles",
		f->ring_fd ? "registered_ring_fd" : NULL,
		f->setup & IORING_SETUP_SINGLE_ISSUER ? "single_issuer" : NULL,
		f->setup & IORING_SETUP_DEFER_TASKRUN ? "defer_taskrun" : NULL,
		f->setup & IORING_SETUP_COOP_TASKRUN ? "coop_taskrun" : NULL,
		f->setup & IORING_SETUP_IOPOLL ? "iopoll" : NULL,
		f->setup & IORING_SETUP_SQPOLL ? "sqpoll" : NULL,
	};
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && used < n; i++)
		if (words[i])
			used += (size_t)snprintf(
				buf + used, n - used, "%s%s", used ? " " : "", words[i]);
}
