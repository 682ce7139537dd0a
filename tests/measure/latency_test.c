/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>

#include "base/rng.h"
#include "measure/latency.h"

TestSuite(latency, .timeout = 10);

static struct iob_moments of(const uint64_t *v, size_t n)
{
	struct iob_moments m = {0};

	for (size_t i = 0; i < n; i++) {
		double x = (double)v[i];
		struct iob_moments one = {1, v[i], x * x, v[i], v[i]};

		iob_moments_add(&m, &one);
	}
	return m;
}

/* Two passes, which one pass over sums has to match. */
static double oracle_stddev(const uint64_t *v, size_t n, double mean)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++) {
		long double d = (long double)v[i] - (long double)mean;

		sum += d * d;
	}
	return (double)sqrtl(sum / (long double)(n - 1));
}

Test(latency, moments_agree_with_two_passes)
{
	static uint64_t v[30000];
	struct iob_rng rng;
	long double sum = 0;

	iob_rng_seed(&rng, 4, 0);
	for (size_t i = 0; i < 30000; i++) {
		v[i] = 80000 + iob_rng_below(&rng, 40000);
		sum += (long double)v[i];
	}
	struct iob_moments m = of(v, 30000);
	double mean = (double)(sum / 30000);
	cr_assert_float_eq(iob_moments_mean(&m), mean, mean * 1e-12);
	double stddev = oracle_stddev(v, 30000, mean);
	cr_assert_float_eq(iob_moments_stddev(&m), stddev, stddev * 1e-6);
}

Test(latency, moments_of_parts_add_up_in_any_order)
{
	const uint64_t a[] = {5, 7, 9}, b[] = {1, 100};
	struct iob_moments x = of(a, 3), y = of(b, 2), xy = x, yx = y, none = {0};

	iob_moments_add(&xy, &y);
	iob_moments_add(&yx, &x);
	iob_moments_add(&xy, &none);
	cr_assert_eq(xy.n, 5);
	cr_assert_eq(xy.sum_ns, 122);
	cr_assert_eq(xy.min_ns, 1);
	cr_assert_eq(xy.max_ns, 100);
	cr_assert_eq(yx.sum_ns, 122);
	cr_assert_eq(yx.min_ns, 1);
	cr_assert_eq(yx.max_ns, 100);
	iob_moments_add(&none, &x);
	cr_assert_eq(none.min_ns, 5);
}

Test(latency, equal_values_have_no_deviation_and_few_have_none)
{
	uint64_t v[1000];

	for (int i = 0; i < 1000; i++)
		v[i] = 123456789;
	struct iob_moments m = of(v, 1000);
	cr_assert_lt(iob_moments_stddev(&m), 10.0);
	m = of(v, 1);
	cr_assert_eq(iob_moments_stddev(&m), 0);
	m = of(v, 0);
	cr_assert_eq(iob_moments_mean(&m), 0);
}

Test(latency, summary_holds_extremes_percentiles_overflow_and_marks)
{
	static struct iob_hist h;
	const uint64_t v[] = {10, 20, 30, UINT64_C(1) << 43};
	struct iob_moments m = of(v, 4);
	struct iob_latency l;

	for (int i = 0; i < 4; i++)
		h.count[iob_hist_index(v[i])]++;
	h.total = 4;
	iob_latency_summarise(&l, &m, &h);
	cr_assert_eq(l.n, 4);
	cr_assert_eq(l.min_ns, 10);
	cr_assert_eq(l.max_ns, UINT64_C(1) << 43);
	cr_assert_eq(l.overflow, 1);
	cr_assert_eq(l.percentile_ns[IOB_P50], 20);
	cr_assert_eq(l.percentile_ns[IOB_P99], UINT64_C(1) << 43);
	cr_assert_neq(l.thin & (1U << IOB_P50), 0);
}

Test(latency, names_of_positions_fit_the_list)
{
	cr_assert_eq(iob_percentiles[IOB_P50], 50);
	cr_assert_eq(iob_percentiles[IOB_P90], 90);
	cr_assert_eq(iob_percentiles[IOB_P95], 95);
	cr_assert_eq(iob_percentiles[IOB_P99], 99);
	cr_assert_eq(iob_percentiles[IOB_P999], 99.9);
	cr_assert_eq(iob_percentiles[IOB_P9999], 99.99);
}
