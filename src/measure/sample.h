/* SPDX-License-Identifier: MIT */
/*
 * An interval sample: what one worker completed in one interval (or a span of them, if it was late)
 * under one segment's parameters. Workers add to struct iob_accumulator (private memory, one
 * writer, no atomics) and hand it over through the ring.
 */
#ifndef IOB_MEASURE_SAMPLE_H
#define IOB_MEASURE_SAMPLE_H

#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/direction.h"
#include "measure/histogram.h"
#include "measure/latency.h"

/* What a worker counts for one direction in the current interval. */
struct iob_dir_counts {
	uint64_t ios;   /* transfers, full or short */
	uint64_t bytes; /* really moved */
	uint64_t sum_ns;
	double sum_squares; /* ns^2 */
	uint64_t min_ns;    /* UINT64_MAX while empty */
	uint64_t max_ns;
	uint64_t issued; /* handed to the engine in this interval */
	uint64_t shorts; /* of ios, those that moved less than was asked */
	uint64_t zeros;  /* moved nothing: not an I/O */
	uint64_t errors; /* negative results: not an I/O */
};

/* Histograms of a worker: latency of each direction, then latency from the intended times. */
#define IOB_NHIST (2 * IOB_NDIR)

struct iob_accumulator {
	uint32_t segment;
	uint64_t syncs; /* fsync and fdatasync completed */
	uint64_t sync_sum_ns, sync_max_ns;
	struct iob_dir_counts dir[IOB_NDIR];
	uint32_t hist[IOB_NDIR][IOB_HIST_BUCKETS + 1];
	struct iob_moments intended[IOB_NDIR]; /* of the transfers that had an intended time */
	uint32_t intended_hist[IOB_NDIR][IOB_HIST_BUCKETS + 1];
};

/* A sample in the ring: this header, then for each histogram n_entries[i] pairs. */
struct iob_sample {
	uint32_t interval;  /* last interval that it covers: (t - t0) / IOB_INTERVAL_NS */
	uint32_t intervals; /* how many it covers; 1 unless the ring was full */
	uint32_t segment;
	uint16_t worker;
	uint16_t flags; /* IOB_SAMPLE_* */
	uint64_t syncs, sync_sum_ns, sync_max_ns;
	uint64_t cpu_ns;    /* CPU time that the worker used since its previous sample */
	uint64_t behind_ns; /* how long the oldest slot of the schedule had been due at its end */
	struct iob_dir_counts dir[IOB_NDIR];
	struct iob_moments intended[IOB_NDIR]; /* set by the push, as are the entries */
	uint32_t n_entries[IOB_NHIST];
};

enum {
	IOB_SAMPLE_LAST = 1, /* the worker has ended; nothing follows */
};

struct iob_sample_entry {
	uint32_t index; /* bucket of the histogram */
	uint32_t count;
};

#define IOB_INTERVAL_NS (100 * IOB_NS_PER_MS)
#define IOB_INTERVAL_MS (IOB_INTERVAL_NS / IOB_NS_PER_MS)

static inline void iob_accumulator_reset(struct iob_accumulator *a, uint32_t segment)
{
	memset(a, 0, sizeof(*a));
	a->segment = segment;
	for (int d = 0; d < IOB_NDIR; d++)
		a->dir[d].min_ns = UINT64_MAX;
}

/* One completed transfer: the hot call. */
static inline void iob_accumulator_add(
	struct iob_accumulator *a, enum iob_dir dir, uint64_t bytes, uint64_t ns)
{
	struct iob_dir_counts *c = &a->dir[dir];
	double v = (double)ns;

	c->ios++;
	c->bytes += bytes;
	c->sum_ns += ns;
	c->sum_squares += v * v;
	c->min_ns = ns < c->min_ns ? ns : c->min_ns;
	c->max_ns = ns > c->max_ns ? ns : c->max_ns;
	a->hist[dir][iob_hist_index(ns)]++;
}

/* The same transfer again, counted from its intended time: only while a rate is on. */
static inline void iob_accumulator_add_intended(
	struct iob_accumulator *a, enum iob_dir dir, uint64_t ns)
{
	iob_moments_take(&a->intended[dir], ns);
	a->intended_hist[dir][iob_hist_index(ns)]++;
}

/* Is there anything to hand over? */
static inline int iob_accumulator_is_empty(const struct iob_accumulator *a)
{
	uint64_t any = a->syncs;

	for (int d = 0; d < IOB_NDIR; d++)
		any |= a->dir[d].ios | a->dir[d].issued | a->dir[d].zeros | a->dir[d].errors;
	return any == 0;
}

#endif
