/* SPDX-License-Identifier: MIT */
#include "measure/histogram.h"

#include <math.h>

/* Percentages are taken as whole millionths, so that ranks are exact: 99.9 % of 1000 is 999, which
 * binary fractions miss. */
#define WHOLE UINT64_C(100000000)

static uint64_t micro(double percent)
{
	if (!(percent > 0))
		return 0;
	return percent >= 100 ? WHOLE : (uint64_t)llround(percent * 1e6);
}

static uint64_t rank_of(double percent, uint64_t total)
{
	unsigned __int128 scaled = (unsigned __int128)micro(percent) * total;
	uint64_t rank = (uint64_t)((scaled + WHOLE - 1) / WHOLE);

	return rank ? rank : 1;
}

uint64_t iob_hist_low(unsigned index)
{
	if (index >= IOB_HIST_BUCKETS)
		return UINT64_C(1) << IOB_HIST_VALUE_BITS;
	if (index < 128)
		return index;
	unsigned e = index / 64 - 1;
	return (uint64_t)(64 + index % 64) << e;
}

uint64_t iob_hist_mid(unsigned index)
{
	if (index < 128 || index >= IOB_HIST_BUCKETS)
		return iob_hist_low(index);
	unsigned e = index / 64 - 1;
	return iob_hist_low(index) + (UINT64_C(1) << e) / 2;
}

void iob_hist_add(struct iob_hist *to, const struct iob_hist *from)
{
	if (from->total == 0)
		return;
	to->total += from->total;
	for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i++)
		to->count[i] += from->count[i];
}

static uint64_t value_at(unsigned index, uint64_t rank, uint64_t total, uint64_t min, uint64_t max)
{
	/* The extremes are known exactly, and beyond the range the maximum is all that is known. */
	if (rank >= total || index >= IOB_HIST_BUCKETS)
		return max;
	if (rank == 1)
		return min;
	uint64_t v = iob_hist_mid(index);

	return v < min ? min : v > max ? max : v;
}

void iob_hist_percentiles(const struct iob_hist *h, const double *percent, unsigned n, uint64_t min,
	uint64_t max, uint64_t *out)
{
	uint64_t seen = 0;
	unsigned index = 0, i = 0;

	for (; i < n && h->total; i++) {
		uint64_t rank = rank_of(percent[i], h->total);

		while (index <= IOB_HIST_BUCKETS && seen + h->count[index] < rank)
			seen += h->count[index++];
		out[i] = value_at(index, rank, h->total, min, max);
	}
	for (; i < n; i++)
		out[i] = 0;
}

uint64_t iob_hist_percentile(const struct iob_hist *h, double percent, uint64_t min, uint64_t max)
{
	uint64_t value = 0;

	iob_hist_percentiles(h, &percent, 1, min, max, &value);
	return value;
}

int iob_hist_percentile_is_thin(uint64_t total, double percent)
{
	return (unsigned __int128)(WHOLE - micro(percent)) * total < (unsigned __int128)10 * WHOLE;
}
