/* SPDX-License-Identifier: MIT */
#include "measure/latency.h"

#include <math.h>

const double iob_percentiles[IOB_NPERCENTILES] = {
	1,
	5,
	10,
	20,
	30,
	40,
	50,
	60,
	70,
	80,
	90,
	95,
	99,
	99.5,
	99.9,
	99.95,
	99.99,
};

void iob_moments_add(struct iob_moments *to, const struct iob_moments *from)
{
	if (from->n == 0)
		return;
	if (to->n == 0 || from->min_ns < to->min_ns)
		to->min_ns = from->min_ns;
	if (to->n == 0 || from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
	to->n += from->n;
	to->sum_ns += from->sum_ns;
	to->sum_squares += from->sum_squares;
}

double iob_moments_mean(const struct iob_moments *m)
{
	return m->n ? (double)m->sum_ns / (double)m->n : 0;
}

double iob_moments_stddev(const struct iob_moments *m)
{
	if (m->n < 2)
		return 0;
	double n = (double)m->n;
	double sum = (double)m->sum_ns;
	double variance = (m->sum_squares - sum / n * sum) / (n - 1);

	/* Rounding can leave a little less than nothing when all values are equal. */
	return variance > 0 ? sqrt(variance) : 0;
}

void iob_latency_summarise(
	struct iob_latency *out, const struct iob_moments *m, const struct iob_hist *h)
{
	*out = (struct iob_latency){.n = m->n};
	if (m->n == 0)
		return;
	out->min_ns = m->min_ns;
	out->max_ns = m->max_ns;
	out->mean_ns = iob_moments_mean(m);
	out->stddev_ns = iob_moments_stddev(m);
	out->overflow = h->count[IOB_HIST_BUCKETS];
	iob_hist_percentiles(
		h, iob_percentiles, IOB_NPERCENTILES, m->min_ns, m->max_ns, out->percentile_ns);
	for (unsigned i = 0; i < IOB_NPERCENTILES; i++)
		if (iob_hist_percentile_is_thin(h->total, iob_percentiles[i]))
			out->thin |= UINT32_C(1) << i;
}
