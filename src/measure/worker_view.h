/* SPDX-License-Identifier: MIT */
/*
 * What each worker did in the newest full second of the grid: two seconds are kept in turn, the one
 * being filled and the one before it, so the cost does not depend on the rate.
 */
#ifndef IOB_MEASURE_WORKER_VIEW_H
#define IOB_MEASURE_WORKER_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/ring.h"

#define IOB_WORKER_BUCKETS 592 /* sixteen to the octave: a percentile is good to 3 % */

struct iob_worker_second {
	uint64_t second; /* number + 1; 0 = unused */
	uint64_t ios, cpu_ns, max_ns;
	uint32_t count[IOB_WORKER_BUCKETS];
};

/* Zeroed = nothing came. */
struct iob_worker_seconds {
	struct iob_worker_second turn[2];
};

/* For the readers. */
struct iob_worker_view {
	double iops;
	double cpu; /* share of a CPU */
	uint64_t p99_ns;
};

/* Enter a sample that ends in this interval. */
void iob_worker_seconds_add(
	struct iob_worker_seconds *, const struct iob_popped *, size_t interval);
/* The second before the one of `interval`; zeros if nothing came in it. */
void iob_worker_seconds_view(
	const struct iob_worker_seconds *, size_t interval, struct iob_worker_view *);

#endif
