/* SPDX-License-Identifier: MIT */
/* The system calls of the loop, the same for all engines on an io_uring. */
#ifndef IOB_ENGINES_URING_WAIT_H
#define IOB_ENGINES_URING_WAIT_H

#include <errno.h>
#include <liburing.h>
#include <sched.h>
#include <stdbool.h>

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

/* After so long with nothing but refusals the ring counts as broken. */
#define IOB_URING_PATIENCE_NS (5 * IOB_NS_PER_S)

/*
 * The kernel is short of memory, or wants its completions reaped first; what is queued stays
 * queued. `since` is when it began, 0 = n requests have come back meanwhile.  0 = ask again, -ETIME
 * = not in this reap, -EAGAIN = it never ends.
 */
static __attribute__((cold, noinline, unused)) int iob_uring_refused(
	uint64_t *since, unsigned n, uint64_t timeout_ns)
{
	uint64_t now = iob_now_ns();

	sched_yield();
	if (n > 0 || *since == 0)
		*since = now;
	if (now - *since >= IOB_URING_PATIENCE_NS)
		return -EAGAIN;
	return now - *since >= timeout_ns ? -ETIME : 0;
}

/* A ring that polls says that the time is over whenever another thread wants the CPU.  Is it not?
 */
static __attribute__((cold, noinline, unused)) bool iob_uring_goes_on(
	struct io_uring *ring, unsigned min, uint64_t *since, uint64_t timeout_ns)
{
	if (!(ring->flags & IORING_SETUP_IOPOLL) || io_uring_cq_ready(ring) >= min)
		return false;
	uint64_t now = iob_now_ns();

	if (*since == 0)
		*since = now;
	return now - *since < timeout_ns;
}

/*
 * Submit what is queued and wait for `min` completions or the timeout.  0, -ETIME, -EAGAIN when the
 * kernel wants to be asked again (see above), or an error of the ring itself.
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
		uint64_t since = 0;
		do
			ret = io_uring_submit_and_wait_timeout(ring, &cqe, min, &ts, NULL);
		while (ret == -ETIME && iob_uring_goes_on(ring, min, &since, timeout_ns));
	}
	if (__builtin_expect(ret >= 0, 1) || ret == -EINTR)
		return 0;
	return ret == -EBUSY ? -EAGAIN : ret;
}

#endif
