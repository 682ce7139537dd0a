/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/running.h"

#include <criterion/criterion.h>

static struct iob_running r;

TestSuite(running, .timeout = 10);

static double dev(void)
{
	return iob_running_dev(r.n, r.m2);
}

Test(running, one_figure_is_its_own_mean_and_has_no_spread)
{
	cr_assert_eq(dev(), 0, "nor has none");
	iob_running_add(&r, -3);
	cr_assert_eq(r.n, 1);
	cr_assert_eq(r.mean, -3);
	cr_assert_eq(r.min, -3);
	cr_assert_eq(r.max, -3);
	cr_assert_eq(dev(), 0);
}

Test(running, has_mean_spread_and_extremes_of_a_known_series)
{
	static const double series[] = {2, 4, 4, 4, 5, 5, 7, 9};

	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++)
		iob_running_add(&r, series[i]);
	cr_assert_eq(r.n, 8);
	cr_assert_float_eq(r.mean, 5, 1e-12);
	cr_assert_float_eq(dev(), sqrt(32.0 / 7), 1e-12);
	cr_assert_eq(r.min, 2);
	cr_assert_eq(r.max, 9);
}

/* The squares of such figures have no digits left for their differences. */
Test(running, stays_exact_far_from_zero)
{
	for (int i = 0; i < 100000; i++)
		iob_running_add(&r, 1e9 + (i % 2 ? 0.5 : -0.5));
	cr_assert_float_eq(r.mean, 1e9, 1e-3);
	cr_assert_float_eq(dev(), 0.5, 1e-4);
}
