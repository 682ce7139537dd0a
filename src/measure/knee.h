/* SPDX-License-Identifier: MIT */
/* Where more depth stops paying: the knee of throughput against a parameter that goes up. */
#ifndef IOB_MEASURE_KNEE_H
#define IOB_MEASURE_KNEE_H

#include <stddef.h>
#include <stdint.h>

#define IOB_KNEE_SHARE 0.95

struct iob_knee_point {
	uint64_t value; /* of the swept parameter, ascending */
	double iops;
	uint64_t p99_ns;
};

struct iob_knee {
	int best;  /* index of the point with the most IOPS; -1 = there are none */
	int knee;  /* first point with at least IOB_KNEE_SHARE of the best */
	int limit; /* first point whose p99 is beyond max_p99_ns; -1 = none, or no limit given */
};

void iob_knee_find(struct iob_knee *, const struct iob_knee_point *, size_t n, uint64_t max_p99_ns);

#endif
