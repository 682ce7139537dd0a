/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "measure/knee.h"

TestSuite(knee, .timeout = 10);

static const struct iob_knee_point curve[] = {
	{1, 1000, 100}, {2, 2000, 110}, {4, 3900, 150}, {8, 4000, 900}, {16, 4100, 2000}};

Test(knee, is_the_least_value_with_95_percent_of_the_best)
{
	struct iob_knee k;

	iob_knee_find(&k, curve, 5, 0);
	cr_assert_eq(k.best, 4);
	cr_assert_eq(k.knee, 2, "3900 is 95.1 %% of 4100");
	cr_assert_eq(k.limit, -1);
}

Test(knee, the_limit_is_the_first_point_beyond_it)
{
	struct iob_knee k;

	iob_knee_find(&k, curve, 5, 899);
	cr_assert_eq(k.limit, 3);
	iob_knee_find(&k, curve, 5, 900);
	cr_assert_eq(k.limit, 4);
	iob_knee_find(&k, curve, 5, 2000);
	cr_assert_eq(k.limit, -1);
}

Test(knee, of_nothing_is_none)
{
	static const struct iob_knee_point dead[] = {{1, 0, 0}, {2, 0, 0}};
	struct iob_knee k;

	iob_knee_find(&k, curve, 0, 1);
	cr_assert_eq(k.best, -1);
	cr_assert_eq(k.knee, -1);
	iob_knee_find(&k, dead, 2, 1);
	cr_assert_eq(k.knee, -1);
}

Test(knee, may_be_the_best_itself)
{
	struct iob_knee k;

	iob_knee_find(&k, curve, 2, 0);
	cr_assert_eq(k.knee, 1);
}
