/* SPDX-License-Identifier: MIT */
#include "ui/axis.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/clock.h"

TestSuite(axis, .timeout = 10);

Test(axis, tops_are_round_and_never_below_the_value)
{
	cr_assert_float_eq(iob_axis_nice(223e3), 250e3, 1);
	cr_assert_float_eq(iob_axis_nice(1), 1, 1e-9);
	cr_assert_float_eq(iob_axis_nice(1.01), 1.5, 1e-9);
	cr_assert_float_eq(iob_axis_nice(0.3), 0.3, 1e-9);
	cr_assert_float_eq(iob_axis_nice(9.9e6), 10e6, 1);
	for (double v = 1e-6; v < 1e18; v *= 1.037) {
		double top = iob_axis_nice(v);

		cr_assert(top >= v * (1 - 1e-9) && top <= v * 1.67, "%g -> %g", v, top);
	}
}

Test(axis, senseless_values_give_one)
{
	cr_assert_eq(iob_axis_nice(0), 1);
	cr_assert_eq(iob_axis_nice(-5), 1);
	cr_assert_eq(iob_axis_nice((double)NAN), 1);
	cr_assert_eq(iob_axis_nice((double)INFINITY), 1);
}

Test(axis, grows_at_once_and_shrinks_only_with_patience)
{
	struct iob_axis axis = {0, 0};
	uint64_t now = 100 * IOB_NS_PER_S;

	cr_assert_eq(iob_axis_follow(&axis, 90, now), 100);
	cr_assert_eq(iob_axis_follow(&axis, 101, now), 150);
	cr_assert_eq(iob_axis_follow(&axis, 80, now), 150);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(iob_axis_follow(&axis, 10, now + (uint64_t)i * IOB_NS_PER_S), 150);
	/* One tall value starts the wait anew. */
	now += 5 * IOB_NS_PER_S;
	cr_assert_eq(iob_axis_follow(&axis, 76, now), 150);
	cr_assert_eq(iob_axis_follow(&axis, 10, now + IOB_NS_PER_S), 150);
	cr_assert_eq(iob_axis_follow(&axis, 10, now + 5 * IOB_NS_PER_S), 150);
	cr_assert_eq(iob_axis_follow(&axis, 10, now + 6 * IOB_NS_PER_S), 10);
}

Test(axis, a_logarithmic_axis_spans_three_decades)
{
	cr_assert_float_eq(iob_axis_log(1000, 1000), 1, 1e-9);
	cr_assert_float_eq(iob_axis_log(1, 1000), 0, 1e-9);
	cr_assert_float_eq(iob_axis_log(0.001, 1000), 0, 1e-9);
	cr_assert_eq(iob_axis_log(0, 1000), 0);
	cr_assert_float_eq(iob_axis_unlog(iob_axis_log(30, 1000), 1000), 30, 1e-6);
	for (int i = 0; i < IOB_NYAXES; i++)
		cr_assert_eq(iob_yaxis_find(iob_yaxis_name((enum iob_yaxis)i)), (enum iob_yaxis)i);
	cr_assert_eq(iob_yaxis_find("x"), IOB_NYAXES);
}
