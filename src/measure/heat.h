/* SPDX-License-Identifier: MIT */
/*
 * How the latencies of each of the newest intervals are spread, coarsely: half octaves from 512 ns
 * on, all directions together.  What a heat map is drawn from.
 */
#ifndef IOB_MEASURE_HEAT_H
#define IOB_MEASURE_HEAT_H

#include <stddef.h>
#include <stdint.h>

#include "measure/histogram.h"

#define IOB_HEAT_LEVELS    48   /* the last one begins at 6.4 s and takes all above it */
#define IOB_HEAT_INTERVALS 6000 /* ten minutes are kept */

struct iob_heat {
	uint32_t count[IOB_HEAT_LEVELS];
};

/* Zeroed = empty; the memory comes with the first interval. */
struct iob_heat_ring {
	struct iob_heat *entry; /* IOB_HEAT_INTERVALS of them; interval k lies at k modulo that */
};

/* Level of a latency, and the least latency of a level (level 0 takes all below, too). */
unsigned iob_heat_level(uint64_t ns);
uint64_t iob_heat_low(unsigned level);

void iob_heat_add(struct iob_heat *, const struct iob_hist *);
/* The entry of an interval, emptied; NULL when memory is short. */
struct iob_heat *iob_heat_renew(struct iob_heat_ring *, size_t interval);
void iob_heat_free(struct iob_heat_ring *);

#endif
