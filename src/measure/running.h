/* SPDX-License-Identifier: MIT */
/* Statistics of a series of figures that come one by one (Welford's method: exact enough for any
 * length). */
#ifndef IOB_MEASURE_RUNNING_H
#define IOB_MEASURE_RUNNING_H

#include <math.h>
#include <stdint.h>

/* All zeros is an empty one. */
struct iob_running {
	uint64_t n;
	double mean, m2; /* m2: sum of the squared distances from the mean */
	double min, max; /* valid if n > 0 */
};

static inline void iob_running_add(struct iob_running *r, double v)
{
	double delta = v - r->mean;

	r->n++;
	r->mean += delta / (double)r->n;
	r->m2 += delta * (v - r->mean);
	r->min = r->n == 1 || v < r->min ? v : r->min;
	r->max = r->n == 1 || v > r->max ? v : r->max;
}

/* Sample standard deviation, divisor n - 1; 0 for n < 2. */
static inline double iob_running_dev(uint64_t n, double m2)
{
	return n > 1 ? sqrt(m2 / (double)(n - 1)) : 0;
}

#endif
