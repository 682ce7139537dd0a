/* SPDX-License-Identifier: MIT */
/* Ranks 0..n-1, the lower the more often. */
#ifndef IOB_LOAD_DISTRIBUTION_H
#define IOB_LOAD_DISTRIBUTION_H

#include <stdint.h>

#include "base/rng.h"
#include "job/job.h"

#define IOB_ZIPF_THETA INT64_C(1100000) /* millionths */
#define IOB_PARETO_H   INT64_C(200000)

/*
 * Zipf: rank k is drawn as often as 1 / (k + 1)^theta says, exactly, by rejection from the
 * integral of that function (Hoermann and Derflinger, "Rejection-inversion to generate variates
 * from monotone discrete distributions", 1996): no table, whatever n.
 * Pareto: the lowest share h of the ranks gets 1 - h of all draws, within itself again.
 */
struct iob_distribution_state {
	uint32_t kind; /* enum iob_distribution */
	uint64_t n;
	double theta, integral_low, integral_high, squeeze; /* zipf */
	double power;                                       /* pareto */
};

/* micro: theta or h in millionths, 0 = the default. */
void iob_distribution_init(
	struct iob_distribution_state *, uint32_t kind, int64_t micro, uint64_t n);
uint64_t iob_distribution_next(const struct iob_distribution_state *, struct iob_rng *);

#endif
