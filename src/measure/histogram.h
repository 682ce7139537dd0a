/* SPDX-License-Identifier: MIT */
/*
 * Log-linear latency histogram: 64 sub-buckets per octave (width at most 1/64 of the value,
 * midpoint error at most 1/128 = 0.78 %), values in ns from 0 to 2^42 - 1 (73 minutes); above that
 * the overflow counter.
 *
 * Index: v < 128 -> v.  Otherwise m = position of the highest bit, e = m - 6, index = 64 (e + 1) +
 * ((v >> e) & 63). These are fio's buckets, continued by eight octaves.
 */
#ifndef IOB_MEASURE_HISTOGRAM_H
#define IOB_MEASURE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define IOB_HIST_OCTAVE_BITS 6
#define IOB_HIST_VALUE_BITS  42
#define IOB_HIST_BUCKETS     (64 * (IOB_HIST_VALUE_BITS - IOB_HIST_OCTAVE_BITS + 1))

/* Bucket of a value; IOB_HIST_BUCKETS for one beyond the range. */
static inline unsigned iob_hist_index(uint64_t v)
{
	if (v < 128)
		return (unsigned)v;
	unsigned m = 63u - (unsigned)__builtin_clzll(v);
	if (m >= IOB_HIST_VALUE_BITS)
		return IOB_HIST_BUCKETS;
	unsigned e = m - IOB_HIST_OCTAVE_BITS;
	return 64 * (e + 1) + (unsigned)((v >> e) & 63);
}

/* Smallest value and midpoint of a bucket. */
uint64_t iob_hist_low(unsigned index);
uint64_t iob_hist_mid(unsigned index);

/* A reader's histogram; zeroed = empty.  The last counter holds what lies beyond the range. */
struct iob_hist {
	uint64_t total; /* sum of count[] */
	uint64_t count[IOB_HIST_BUCKETS + 1];
};

void iob_hist_add(struct iob_hist *to, const struct iob_hist *from);

/*
 * Value at rank ceil(percent / 100 * n), n = h->total, clamped to [min, max] (the exact extremes,
 * kept beside the histogram); 0 if empty. percent in (0, 100].  From rank to end, so p100 = max.
 */
uint64_t iob_hist_percentile(const struct iob_hist *, double percent, uint64_t min, uint64_t max);

/* The same for n percentages in ascending order, in one pass. */
void iob_hist_percentiles(const struct iob_hist *, const double *percent, unsigned n, uint64_t min,
	uint64_t max, uint64_t *out);

/* Fewer than ten samples lie beyond this percentile: its value is to be marked. */
int iob_hist_percentile_is_thin(uint64_t total, double percent);

#endif
