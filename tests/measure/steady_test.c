/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "measure/steady.h"

TestSuite(steady, .timeout = 10);

Test(steady, windows_grow_with_the_run_and_lose_nothing)
{
	struct iob_steady s = {0};
	struct iob_steady_verdict v;
	double sum = 0;

	/* An hour of tenths of a second. */
	for (int i = 0; i < 36000; i++)
		iob_steady_add(&s, 100, 4096);
	cr_assert_leq(s.count, IOB_STEADY_WINDOWS);
	cr_assert_geq(s.count, IOB_STEADY_WINDOWS / 2);
	for (unsigned i = 0; i <= s.count; i++)
		sum += s.window[i].ios;
	cr_expect_float_eq(sum, 3600000, 1e-6);
	iob_steady_judge(&v, &s);
	cr_assert(v.known);
	cr_expect_float_eq(v.mean_iops, 1000, 1e-6);
	cr_expect_float_eq(v.cv, 0, 1e-9);
	cr_expect_float_eq(v.drift, 0, 1e-9);
	cr_expect_not(v.fell);
}

Test(steady, a_step_is_found_where_it_was)
{
	struct iob_steady s = {0};
	struct iob_steady_verdict v;

	for (int i = 0; i < 20; i++)
		iob_steady_add(&s, i < 6 ? 5000 : 500, i < 6 ? 5000 * 4096.0 : 500 * 4096.0);
	iob_steady_judge(&v, &s);
	cr_assert(v.fell);
	cr_expect_float_eq(v.step_s, 0.6, 1e-9);
	cr_expect_float_eq(v.before, 50000, 1e-6);
	cr_expect_float_eq(v.after, 5000, 1e-6);
	cr_expect_float_eq(v.after_bw, 5000 * 4096.0, 1e-3);
}

Test(steady, a_slope_is_drift_and_no_step_up_is_a_fall)
{
	struct iob_steady s = {0};
	struct iob_steady_verdict v;

	for (int i = 0; i < 20; i++)
		iob_steady_add(&s, 1000 + 50 * i, 0);
	iob_steady_judge(&v, &s);
	cr_expect_not(v.fell);
	cr_expect_float_eq(v.drift, 950 / 1475.0, 1e-9);
}

Test(steady, a_few_are_too_few_to_tell)
{
	struct iob_steady s = {0};
	struct iob_steady_verdict v;

	for (int i = 0; i < 9; i++)
		iob_steady_add(&s, 1e6, 0);
	iob_steady_judge(&v, &s);
	cr_expect_not(v.known);
	iob_steady_add(&s, 1e6, 0);
	iob_steady_judge(&v, &s);
	cr_expect(v.known);
}
