/* SPDX-License-Identifier: MIT */
/*
 * The ring in which the kernel puts finished events is mapped into the process: where its layout is
 * the known one, its only reader can take them without a system call.
 */
#ifndef IOB_ENGINES_LIBAIO_RING_H
#define IOB_ENGINES_LIBAIO_RING_H

#include <libaio.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define IOB_LIBAIO_RING_MAGIC 0xa10a10a1u

/* As the kernel lays it out (fs/aio.c); the handle of a context is its address. */
struct iob_libaio_ring {
	uint32_t id;
	uint32_t nr; /* events that it holds */
	_Atomic uint32_t head, tail;
	uint32_t magic;
	uint32_t compat_features, incompat_features;
	uint32_t header_length;
	struct io_event events[];
};
_Static_assert(offsetof(struct iob_libaio_ring, events) == 32, "the kernel's layout");

/* NULL where it is not what we know: then io_getevents is the only way. */
static inline struct iob_libaio_ring *iob_libaio_ring_of(io_context_t context, unsigned capacity)
{
	struct iob_libaio_ring *ring = (struct iob_libaio_ring *)context;

	if (!ring || ring->magic != IOB_LIBAIO_RING_MAGIC || ring->incompat_features != 0 ||
		ring->header_length != sizeof(*ring) || ring->nr <= capacity)
		return NULL;
	return ring;
}

/* Copies at most max events out; their number. */
static inline unsigned iob_libaio_ring_take(
	struct iob_libaio_ring *ring, struct io_event *events, unsigned max)
{
	uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	unsigned n = 0;

	/* The kernel's own reader wraps at nr as well. */
	while (head != tail && n < max) {
		events[n++] = ring->events[head];
		head = head + 1 == ring->nr ? 0 : head + 1;
	}
	if (n > 0)
		atomic_store_explicit(&ring->head, head, memory_order_release);
	return n;
}

#endif
