/* SPDX-License-Identifier: MIT */
#include "measure/heat.h"

#include <stdlib.h>
#include <string.h>

/* A level is half an octave, so half a turn of the histogram's sub-buckets. */
#define HALF      32u
#define FIRST_BIT 9u /* 512 ns */

static unsigned level_of_bucket(unsigned index)
{
	unsigned bit = index / (2 * HALF) + IOB_HIST_OCTAVE_BITS - 1;
	unsigned level = 2 * (bit - FIRST_BIT) + (index / HALF) % 2;

	if (index < 2 * HALF || bit < FIRST_BIT)
		return 0;
	return level < IOB_HEAT_LEVELS ? level : IOB_HEAT_LEVELS - 1;
}

unsigned iob_heat_level(uint64_t ns)
{
	return level_of_bucket(iob_hist_index(ns));
}

uint64_t iob_heat_low(unsigned level)
{
	uint64_t octave = UINT64_C(1) << (FIRST_BIT + level / 2);

	return level % 2 ? octave + octave / 2 : octave;
}

void iob_heat_add(struct iob_heat *heat, const struct iob_hist *hist)
{
	for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i += HALF) {
		unsigned end = i + HALF <= IOB_HIST_BUCKETS ? i + HALF : IOB_HIST_BUCKETS + 1;
		uint64_t sum = 0;

		for (unsigned k = i; k < end; k++)
			sum += hist->count[k];
		heat->count[level_of_bucket(i)] += (uint32_t)sum;
	}
}

struct iob_heat *iob_heat_renew(struct iob_heat_ring *ring, size_t interval)
{
	if (!ring->entry)
		ring->entry = calloc(IOB_HEAT_INTERVALS, sizeof(*ring->entry));
	if (!ring->entry)
		return NULL;
	struct iob_heat *heat = &ring->entry[interval % IOB_HEAT_INTERVALS];
	memset(heat, 0, sizeof(*heat));
	return heat;
}

void iob_heat_free(struct iob_heat_ring *ring)
{
	free(ring->entry);
	ring->entry = NULL;
}
