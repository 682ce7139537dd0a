/* SPDX-License-Identifier: MIT */
/* How steady the rate was: the coefficient of variation of the full seconds of a stretch. */
#ifndef IOB_MEASURE_STABILITY_H
#define IOB_MEASURE_STABILITY_H

#include <stddef.h>
#include <stdint.h>

#include "measure/timeline.h"

/* Zeroed = empty. */
struct iob_stability {
	uint64_t from_ms, to_ms; /* only intervals that lie within; set by the caller */
	double n, sum, sum_squares;
	uint64_t ios; /* of the second being summed */
	unsigned intervals;
};

/* Intervals from index `at` on, in order and without gaps between the calls. */
void iob_stability_add(struct iob_stability *, const struct iob_interval *, size_t n, size_t at);
/* In per cent; negative when there are fewer than three full seconds. */
double iob_stability_cv(const struct iob_stability *);

#endif
