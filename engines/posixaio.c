/* SPDX-License-Identifier: MIT */
/*
 * POSIX asynchronous I/O.  The C library does it with threads of its own: at most 20, and one
 * request at a time for each descriptor, so that a worker needs several files to have more than
 * one in the kernel.
 */
#include <config.h>

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "engines/blocking.h"
#include "engines/engines.h"
#include "engines/own_files.h"

#define MAX_CAPACITY      1024
/* What a thread is at cannot be cancelled: its memory is given up after this. */
#define CLOSE_PATIENCE_NS (100 * IOB_NS_PER_MS)

struct posixaio_state {
	const struct iob_target *targets;
	struct iob_own_file *own;
	struct aiocb *blocks;         /* by index of the request */
	struct iob_req **flying;      /* with the library */
	const struct aiocb **waiting; /* the list for aio_suspend */
	struct iob_req **settled;     /* ended without the library */
	unsigned nown, nflying, nsettled;
	unsigned tries; /* that the system put off, since the last request that ended */
	bool closing;
};

static void posixaio_free(struct posixaio_state *s)
{
	iob_own_files_close(s->own, s->nown);
	free(s->blocks);
	free(s->flying);
	free(s->waiting);
	free(s->settled);
}

static int posixaio_open(void *state, const struct iob_engine_env *env, struct iob_error *err)
{
	struct posixaio_state *s = state;
	int ret = iob_own_files_open(&s->own, env, "posixaio", err);

	if (ret < 0)
		return ret;
	s->targets = env->targets;
	s->nown = env->ntargets;
	s->blocks = calloc(env->capacity, sizeof(*s->blocks));
	s->flying = calloc(env->capacity, sizeof(struct iob_req *));
	s->waiting = calloc(env->capacity, sizeof(struct aiocb *));
	s->settled = calloc(env->capacity, sizeof(struct iob_req *));
	if (s->blocks && s->flying && s->waiting && s->settled)
		return 0;
	posixaio_free(s);
	return iob_fail(err, -ENOMEM, "posixaio: no memory for %u requests", env->capacity);
}

static int hand_over(struct aiocb *cb, const struct iob_req *req)
{
	switch ((enum iob_op)req->op) {
	case IOB_OP_READ:
		return aio_read(cb);
	case IOB_OP_WRITE:
		return aio_write(cb);
	case IOB_OP_FSYNC:
		return aio_fsync(O_SYNC, cb);
	case IOB_OP_FDATASYNC:
		return aio_fsync(O_DSYNC, cb);
	case IOB_OP_SYNC_FILE_RANGE:
	case IOB_OP_TRIM:
		break;
	}
	errno = EINVAL;
	return -1;
}

/* Until the library takes it, or for long enough. */
static int hand_over_patiently(
	struct posixaio_state *s, struct aiocb *cb, const struct iob_req *req)
{
	int rc;

	do
		rc = hand_over(cb, req);
	while (rc < 0 && iob_blocking_again(errno, &s->tries));
	return rc < 0 ? -errno : 0;
}

static void posixaio_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	struct posixaio_state *s = state;

	for (unsigned i = 0; i < n; i++) {
		struct iob_req *req = reqs[i];
		struct aiocb *cb = &s->blocks[req->index];

		*cb = (struct aiocb){
			.aio_fildes = s->own[req->file].fd,
			.aio_buf = req->buf,
			.aio_nbytes = req->length,
			.aio_offset = (off_t)req->offset,
			.aio_sigevent.sigev_notify = SIGEV_NONE,
		};
		/* The interface has no word for these. */
		if (req->op == IOB_OP_TRIM || req->op == IOB_OP_SYNC_FILE_RANGE) {
			req->result = iob_blocking_io(&s->targets[req->file], req);
			s->settled[s->nsettled++] = req;
			continue;
		}
		int rc = hand_over_patiently(s, cb, req);
		if (rc == 0) {
			s->flying[s->nflying++] = req;
		} else {
			req->result = rc;
			s->settled[s->nsettled++] = req;
		}
	}
}

/* The request has ended so: does it go on, since it was only put off? */
static bool goes_on(struct posixaio_state *s, struct aiocb *cb, const struct iob_req *req, int code)
{
	if (code == 0 || s->closing || !iob_blocking_again(code, &s->tries))
		return false;
	return hand_over_patiently(s, cb, req) == 0;
}

static unsigned collect(struct posixaio_state *s, struct iob_req **done, unsigned max)
{
	unsigned n = 0, kept = 0;

	while (n < max && s->nsettled > 0)
		done[n++] = s->settled[--s->nsettled];
	for (unsigned i = 0; i < s->nflying; i++) {
		struct iob_req *req = s->flying[i];
		struct aiocb *cb = &s->blocks[req->index];
		int code = n < max ? aio_error(cb) : EINPROGRESS;

		if (code == EINPROGRESS) {
			s->flying[kept++] = req;
			continue;
		}
		ssize_t moved = aio_return(cb);
		if (goes_on(s, cb, req, code)) {
			s->flying[kept++] = req;
			continue;
		}
		if (code == 0)
			s->tries = 0;
		req->result = code ? -code : moved;
		done[n++] = req;
	}
	s->nflying = kept;
	return n;
}

/* Until one of them is done, or the time is over. */
static bool suspend_until(struct posixaio_state *s, uint64_t deadline)
{
	uint64_t now = iob_now_ns(), left = deadline > now ? deadline - now : 0;
	struct timespec ts = {(time_t)(left / IOB_NS_PER_S), (long)(left % IOB_NS_PER_S)};

	for (unsigned i = 0; i < s->nflying; i++)
		s->waiting[i] = &s->blocks[s->flying[i]->index];
	if (aio_suspend(s->waiting, (int)s->nflying, deadline == UINT64_MAX ? NULL : &ts) == 0)
		return true;
	return errno == EINTR && (deadline == UINT64_MAX || left > 0);
}

static int posixaio_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct posixaio_state *s = state;
	uint64_t deadline = UINT64_MAX;
	unsigned n = collect(s, done, max);

	if (n >= min || s->nflying == 0)
		return (int)n;
	if (timeout_ns != UINT64_MAX)
		deadline = iob_now_ns() + timeout_ns;
	while (n < min && s->nflying > 0 && suspend_until(s, deadline))
		n += collect(s, done + n, max - n);
	return (int)n;
}

static void posixaio_flags(const void *state, char *buf, size_t n)
{
	(void)state;
	snprintf(buf, n, "library_threads one_per_file");
}

static void posixaio_close(void *state)
{
	struct posixaio_state *s = state;
	uint64_t give_up = iob_now_ns() + CLOSE_PATIENCE_NS;

	s->closing = true;
	for (unsigned i = 0; i < s->nown; i++)
		if (s->own[i].fd >= 0)
			aio_cancel(s->own[i].fd, NULL);
	for (;;) {
		struct iob_req *done[64];

		s->nsettled = 0;
		while (collect(s, done, 64) == 64)
			;
		if (s->nflying == 0 || !suspend_until(s, give_up))
			break;
	}
	/* The library still writes into the blocks of those that run. */
	if (s->nflying == 0)
		posixaio_free(s);
}

const struct iob_engine iob_engine_posixaio = {
	.name = "posixaio",
	.summary = "POSIX AIO: threads of the C library, one request per file and worker at a time",
	.caps = IOB_ENGINE_ASYNC | IOB_ENGINE_TRIM | IOB_ENGINE_SYNC_OPS | IOB_ENGINE_SYNC_RANGE,
	.max_capacity = MAX_CAPACITY,
	.state_size = sizeof(struct posixaio_state),
	.probe = iob_blocking_probe,
	.open = posixaio_open,
	.queue = posixaio_queue,
	.reap = posixaio_reap,
	.flags = posixaio_flags,
	.close = posixaio_close,
};
