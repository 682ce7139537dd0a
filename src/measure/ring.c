/* SPDX-License-Identifier: MIT */
#include "measure/ring.h"

#include <string.h>

#define MASK   (IOB_RING_BYTES - 1)
/* Never a position: positions are multiples of eight. */
#define BROKEN UINT64_MAX

_Static_assert((IOB_RING_BYTES & MASK) == 0, "positions wrap by a mask");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock would not work between processes");
_Static_assert(sizeof(struct iob_sample) % sizeof(struct iob_sample_entry) == 0,
	"an entry never straddles the end of the ring");
_Static_assert(2 * sizeof(struct iob_popped) <= IOB_RING_BYTES,
	"the largest sample always fits when the reader has caught up");

static void put(struct iob_ring *ring, uint64_t position, const void *from, size_t n)
{
	size_t at = position & MASK;
	size_t first = n < IOB_RING_BYTES - at ? n : IOB_RING_BYTES - at;

	memcpy(ring->bytes + at, from, first);
	memcpy(ring->bytes, (const unsigned char *)from + first, n - first);
}

static void get(const struct iob_ring *ring, uint64_t position, void *to, size_t n)
{
	size_t at = position & MASK;
	size_t first = n < IOB_RING_BYTES - at ? n : IOB_RING_BYTES - at;

	memcpy(to, ring->bytes + at, first);
	memcpy((unsigned char *)to + first, ring->bytes, n - first);
}

static uint32_t nonzero(const uint32_t *hist)
{
	uint32_t n = 0;

	for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i++)
		n += hist[i] != 0;
	return n;
}

static uint64_t put_entries(struct iob_ring *ring, uint64_t position, const uint32_t *hist)
{
	for (uint32_t i = 0; i <= IOB_HIST_BUCKETS; i++) {
		if (hist[i] == 0)
			continue;
		struct iob_sample_entry entry = {i, hist[i]};

		put(ring, position, &entry, sizeof(entry));
		position += sizeof(entry);
	}
	return position;
}

static const uint32_t *hist_of(const struct iob_accumulator *a, int i)
{
	return i < IOB_NDIR ? a->hist[i] : a->intended_hist[i - IOB_NDIR];
}

static uint64_t transfers_of(const struct iob_accumulator *a, int i)
{
	return i < IOB_NDIR ? a->dir[i].ios : a->intended[i - IOB_NDIR].n;
}

bool iob_ring_push(
	struct iob_ring *ring, struct iob_sample *header, const struct iob_accumulator *a)
{
	/* Relaxed: this thread alone writes tail. */
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	uint64_t size = sizeof(*header);

	memcpy(header->intended, a->intended, sizeof(header->intended));
	for (int i = 0; i < IOB_NHIST; i++) {
		header->n_entries[i] = transfers_of(a, i) ? nonzero(hist_of(a, i)) : 0;
		size += header->n_entries[i] * sizeof(struct iob_sample_entry);
	}
	if (tail + size - ring->head_seen > IOB_RING_BYTES) {
		/* Acquire pairs with the reader's release: it has finished copying what lies before
		 * head, so those bytes may be written again. */
		ring->head_seen = atomic_load_explicit(&ring->head, memory_order_acquire);
		if (tail + size - ring->head_seen > IOB_RING_BYTES) {
			ring->refused++;
			return false;
		}
	}
	put(ring, tail, header, sizeof(*header));
	uint64_t position = tail + sizeof(*header);
	for (int i = 0; i < IOB_NHIST; i++)
		if (header->n_entries[i])
			position = put_entries(ring, position, hist_of(a, i));
	/* Release: whoever sees the new tail sees the bytes before it. */
	atomic_store_explicit(&ring->tail, position, memory_order_release);
	return true;
}

/* Copy and check a sample; its size in the ring, or 0 if it makes no sense.  Only the private copy
 * is looked at: the memory may change under us. */
static uint64_t take(
	const struct iob_ring *ring, uint64_t head, uint64_t available, struct iob_popped *out)
{
	uint64_t entries = 0;

	if (available < sizeof(out->head) || available > IOB_RING_BYTES)
		return 0;
	get(ring, head, &out->head, sizeof(out->head));
	for (int i = 0; i < IOB_NHIST; i++) {
		if (out->head.n_entries[i] > IOB_HIST_BUCKETS + 1)
			return 0;
		entries += out->head.n_entries[i];
	}
	uint64_t size = sizeof(out->head) + entries * sizeof(out->entry[0]);
	if (size > available)
		return 0;
	get(ring, head + sizeof(out->head), out->entry, entries * sizeof(out->entry[0]));
	for (uint64_t i = 0; i < entries; i++)
		if (out->entry[i].index > IOB_HIST_BUCKETS)
			return 0;
	return size;
}

bool iob_ring_pop(struct iob_ring *ring, struct iob_popped *out)
{
	/* Relaxed: this thread alone writes head. */
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (ring->tail_seen == BROKEN)
		return false;
	if (head == ring->tail_seen) {
		/* Acquire pairs with the worker's release: the bytes before tail are complete. */
		ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head == ring->tail_seen)
			return false;
	}
	uint64_t size = take(ring, head, ring->tail_seen - head, out);
	if (size == 0) {
		ring->tail_seen = BROKEN;
		return false;
	}
	/* Release: the copy is complete before the worker may write here again. */
	atomic_store_explicit(&ring->head, head + size, memory_order_release);
	return true;
}
