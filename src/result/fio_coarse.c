/* SPDX-License-Identifier: MIT */
#include "result/fio_coarse.h"

#include <stddef.h>

#define NS_PER_MICRO 1000
#define NS_PER_MILLI 1000000

static const uint64_t bounds[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};

const char *const iob_fio_latency_names[IOB_FIO_LAT_MS] = {
	"2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};
const char *const iob_fio_depth_names[IOB_FIO_LEVELS] = {"1", "2", "4", "8", "16", "32", ">=64"};
const char *const iob_fio_batch_names[IOB_FIO_LEVELS] = {"0", "4", "8", "16", "32", "64", ">=64"};

static unsigned latency_slot(uint64_t value, unsigned slots)
{
	unsigned i = 0;

	while (i < slots - 1 && value >= bounds[i])
		i++;
	return i;
}

static double *slot_of(struct iob_fio_latencies *out, uint64_t ns)
{
	if (ns < NS_PER_MICRO)
		return &out->ns[latency_slot(ns, IOB_FIO_LAT_NS)];
	if (ns < NS_PER_MILLI)
		return &out->us[latency_slot(ns / NS_PER_MICRO, IOB_FIO_LAT_US)];
	return &out->ms[latency_slot(ns / NS_PER_MILLI, IOB_FIO_LAT_MS)];
}

/* The bound that lies within [low, high), or high: no bucket is so wide that there are two. */
static uint64_t bound_within(uint64_t low, uint64_t high)
{
	for (uint64_t unit = 1; unit <= NS_PER_MILLI; unit *= 1000)
		for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
			if (low < bounds[i] * unit && bounds[i] * unit < high)
				return bounds[i] * unit;
	return high;
}

/* A bucket that a bound divides gives each side its part, as if its values were spread evenly. */
void iob_fio_latencies_add(
	struct iob_fio_latencies *out, const struct iob_hist *hist, uint64_t total)
{
	for (unsigned i = 0; hist && total > 0 && i < IOB_HIST_BUCKETS; i++) {
		uint64_t low = iob_hist_low(i), high = iob_hist_low(i + 1);
		double share = 100 * (double)hist->count[i] / (double)total;

		if (hist->count[i] == 0)
			continue;
		uint64_t bound = bound_within(low, high);
		double below = share * (double)(bound - low) / (double)(high - low);
		*slot_of(out, low) += below;
		if (bound < high)
			*slot_of(out, bound) += share - below;
	}
	if (hist && total > 0 && hist->count[IOB_HIST_BUCKETS])
		out->ms[IOB_FIO_LAT_MS - 1] +=
			100 * (double)hist->count[IOB_HIST_BUCKETS] / (double)total;
}
