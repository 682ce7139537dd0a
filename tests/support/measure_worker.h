/* SPDX-License-Identifier: MIT */
/* A pretended worker for the tests of measure/: counts I/Os as a real one does and keeps a second,
 * independent count. */
#ifndef IOB_TESTS_SUPPORT_MEASURE_WORKER_H
#define IOB_TESTS_SUPPORT_MEASURE_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "measure/ring.h"

struct pretended {
	struct iob_ring *ring;
	struct iob_accumulator *acc;
	uint32_t next;                      /* first interval that was not handed over yet */
	uint64_t ios[IOB_NDIR], bytes, sum; /* the independent count */
};

static inline struct iob_ring *pretended_ring(unsigned n)
{
	struct iob_ring *ring = aligned_alloc(IOB_CACHELINE, n * sizeof(*ring));

	if (!ring)
		abort();
	memset(ring, 0, n * sizeof(*ring));
	return ring;
}

static inline struct pretended pretended_new(struct iob_ring *ring)
{
	struct pretended w = {.ring = ring, .acc = malloc(sizeof(*w.acc))};

	if (!w.acc)
		abort();
	iob_accumulator_reset(w.acc, 0);
	return w;
}

static inline void pretended_io(struct pretended *w, enum iob_dir dir, uint64_t bytes, uint64_t ns)
{
	iob_accumulator_add(w->acc, dir, bytes, ns);
	w->acc->dir[dir].issued++;
	w->ios[dir]++;
	w->bytes += bytes;
	w->sum += ns;
}

/* Hand over all that was counted up to the end of the interval; false if the ring is full. */
static inline bool pretended_push(struct pretended *w, uint32_t interval, uint16_t flags)
{
	struct iob_sample s = {
		.interval = interval,
		.intervals = interval >= w->next ? interval - w->next + 1 : 1,
		.segment = w->acc->segment,
		.flags = flags,
		.syncs = w->acc->syncs,
		.sync_sum_ns = w->acc->sync_sum_ns,
		.sync_max_ns = w->acc->sync_max_ns,
	};

	memcpy(s.dir, w->acc->dir, sizeof(s.dir));
	if (!iob_ring_push(w->ring, &s, w->acc))
		return false;
	if (interval >= w->next)
		w->next = interval + 1;
	iob_accumulator_reset(w->acc, w->acc->segment);
	return true;
}

#endif
