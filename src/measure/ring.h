/* SPDX-License-Identifier: MIT */
/*
 * The hand-over from one worker to the recorder: a ring of bytes in shared memory, one writer, one
 * reader, in different processes.  Samples have variable length (only buckets that are not zero
 * travel).
 *
 * Positions run freely and wrap at 2^64; only their difference means anything.  A full ring never
 * blocks the worker and loses nothing: the push is refused, the worker goes on adding and tries
 * again at the next boundary.
 *
 * Explicit memory orders stand in ring.c for this ring, in log_store.c for that of logs, and in
 * load/ and run/ for the words of load/control.h and run/shared.h; nowhere else.
 */
#ifndef IOB_MEASURE_RING_H
#define IOB_MEASURE_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/sample.h"

#define IOB_CACHELINE 64

/* Power of two, at least twice the largest sample. */
#define IOB_RING_BYTES (UINT32_C(1) << 18)

/* Lives in shared memory; zeroed = empty.  No pointers. */
struct iob_ring {
	alignas(IOB_CACHELINE) _Atomic uint64_t tail; /* the worker publishes */
	uint64_t head_seen;                           /* the worker's copy of head */
	uint64_t refused;                             /* pushes that found it full (worker only) */
	alignas(IOB_CACHELINE) _Atomic uint64_t head; /* the reader publishes */
	uint64_t tail_seen;                           /* the reader's copy of tail */
	alignas(IOB_CACHELINE) unsigned char bytes[IOB_RING_BYTES];
};

/* Worker: push header and the non-zero buckets of the accumulator; header->n_entries and ->intended
 * are filled in here. False when there is no room: nothing was written. */
bool iob_ring_push(struct iob_ring *, struct iob_sample *header, const struct iob_accumulator *);

/* Reader: a sample as popped; entries of one histogram follow each other in `entry`. */
struct iob_popped {
	struct iob_sample head;
	struct iob_sample_entry entry[IOB_NHIST * (IOB_HIST_BUCKETS + 1)];
};

/* Reader: false when the ring is empty.  A ring whose content makes no sense (the worker's process
 * died in the middle of nothing sensible, memory was scribbled on) is treated as empty for ever: no
 * index out of bounds ever reaches the caller. */
bool iob_ring_pop(struct iob_ring *, struct iob_popped *);

#endif
