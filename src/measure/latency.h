/* SPDX-License-Identifier: MIT */
/* Latency of a set of I/Os as everybody shows it: count, extremes, moments and the standard
 * percentiles. */
#ifndef IOB_MEASURE_LATENCY_H
#define IOB_MEASURE_LATENCY_H

#include <stdint.h>

#include "measure/histogram.h"

/* fio's default list. */
#define IOB_NPERCENTILES 17
extern const double iob_percentiles[IOB_NPERCENTILES];
/* Position in the list of the ones that the screen and the text report show. */
enum { IOB_P50 = 6, IOB_P90 = 10, IOB_P95 = 11, IOB_P99 = 12, IOB_P999 = 14, IOB_P9999 = 16 };

/* Sums of latencies; the integers add up exactly, the squares are as good as a double. */
struct iob_moments {
	uint64_t n;
	uint64_t sum_ns;
	double sum_squares; /* ns^2 */
	uint64_t min_ns;    /* valid if n > 0 */
	uint64_t max_ns;
};

/* One more latency. */
static inline void iob_moments_take(struct iob_moments *m, uint64_t ns)
{
	double v = (double)ns;

	m->min_ns = m->n == 0 || ns < m->min_ns ? ns : m->min_ns;
	m->max_ns = ns > m->max_ns ? ns : m->max_ns;
	m->n++;
	m->sum_ns += ns;
	m->sum_squares += v * v;
}

/* Those of `from` are added to those of `to`. */
void iob_moments_add(struct iob_moments *to, const struct iob_moments *from);
/* 0 for n = 0. */
double iob_moments_mean(const struct iob_moments *);
/* Sample standard deviation, divisor n - 1; 0 for n < 2. */
double iob_moments_stddev(const struct iob_moments *);

struct iob_latency {
	uint64_t n;
	uint64_t min_ns, max_ns;
	double mean_ns, stddev_ns;
	uint64_t overflow; /* beyond the histogram */
	uint64_t percentile_ns[IOB_NPERCENTILES];
	uint32_t thin; /* bit i: percentile i has fewer than ten samples beyond it */
};

/* From the exact moments and the histogram of the same latencies. */
void iob_latency_summarise(
	struct iob_latency *, const struct iob_moments *, const struct iob_hist *);

#endif
