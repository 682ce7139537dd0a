/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/uring_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define PIECE ((size_t)1 << IOB_URING_PIECE_BITS)

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
		ret = init(entries, ring, &p);
	}
	return ret;
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
