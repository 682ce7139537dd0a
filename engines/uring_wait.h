/* SPDX-License-Identifier: MIT */
/* The system calls of the loop, the same for all engines on an io_uring. */
#ifndef IOB_ENGINES_URING_WAIT_H
#define IOB_ENGINES_URING_WAIT_H

#include <errno.h>
#include <liburing.h>
#include <sched.h>

#include "base/clock.h"

/* A free entry: there is none only when an earlier submission was cut short, at depths beyond the
 * ring's, or while a thread of the kernel is slow to take in. */
static inline struct io_uring_sqe *iob_uring_next_entry(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring))) {
		io_uring_submit(ring);
		if (ring->flags & IORING_SETUP_SQPOLL)
			io_uring_sqring_wait(ring);
	}
	return sqe;
}

/*
 * Submit what is queued and wait for `min` completions or the timeout.  0, -ETIME, or an error of
 * the ring itself; 0 also when the kernel wants to be asked again.
 */
static inline int iob_uring_enter(struct io_uring *ring, unsigned min, uint64_t timeout_ns)
{
	struct io_uring_cqe *cqe;
	int ret;

	if (min == 0) {
		ret = io_uring_submit_and_get_events(ring);
	} else if (timeout_ns == UINT64_MAX) {
		ret = io_uring_submit_and_wait(ring, min);
	} else {
		struct __kernel_timespec ts = {
			.tv_sec = (long long)(timeout_ns / IOB_NS_PER_S),
			.tv_nsec = (long long)(timeout_ns % IOB_NS_PER_S),
		};
		ret = io_uring_submit_and_wait_timeout(ring, &cqe, min, &ts, NULL);
	}
	/* EAGAIN, EBUSY: the kernel is short of memory or the completions must be reaped first;
	 * what is queued stays queued. */
	if (ret == -EAGAIN || ret == -EBUSY)
		sched_yield();
	else if (ret < 0 && ret != -EINTR)
		return ret;
	return 0;
}

#endif
