/* SPDX-License-Identifier: MIT */
#include "load/distribution.h"

#include <math.h>

/* The integral of x^-theta, its constant such that theta = 1 is its limit. */
static double integral(double x, double theta)
{
	double log_x = log(x), t = (1 - theta) * log_x;

	return fabs(t) > 1e-8 ? expm1(t) / t * log_x : log_x * (1 + t / 2);
}

static double inverse(double y, double theta)
{
	double t = y * (1 - theta);

	if (t < -1)
		t = -1;
	return exp(fabs(t) > 1e-8 ? log1p(t) / t * y : y * (1 - t / 2));
}

void iob_distribution_init(
	struct iob_distribution_state *d, uint32_t kind, int64_t micro, uint64_t n)
{
	*d = (struct iob_distribution_state){.kind = kind, .n = n};
	if (kind == IOB_DIST_ZIPF) {
		d->theta = (double)(micro ? micro : IOB_ZIPF_THETA) / 1e6;
		d->integral_low = integral(1.5, d->theta) - 1;
		d->integral_high = integral((double)n + 0.5, d->theta);
		d->squeeze = 2 - inverse(integral(2.5, d->theta) - pow(2, -d->theta), d->theta);
	} else if (kind == IOB_DIST_PARETO) {
		double h = (double)(micro ? micro : IOB_PARETO_H) / 1e6;

		d->power = log(h) / log1p(-h);
	}
}

/* In [0, 1). */
static double uniform(struct iob_rng *rng)
{
	return (double)(iob_rng_next(rng) >> 11) * 0x1p-53;
}

static uint64_t zipf(const struct iob_distribution_state *d, struct iob_rng *rng)
{
	for (;;) {
		double u = d->integral_high + uniform(rng) * (d->integral_low - d->integral_high);
		double x = inverse(u, d->theta);
		double k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		else if (k > (double)d->n)
			k = (double)d->n;
		if (k - x <= d->squeeze || u >= integral(k + 0.5, d->theta) - pow(k, -d->theta))
			return (uint64_t)k - 1;
	}
}

uint64_t iob_distribution_next(const struct iob_distribution_state *d, struct iob_rng *rng)
{
	uint64_t rank;

	if (d->kind == IOB_DIST_ZIPF)
		return zipf(d, rng);
	rank = (uint64_t)((double)d->n * pow(uniform(rng), d->power));
	return rank < d->n ? rank : d->n - 1;
}
