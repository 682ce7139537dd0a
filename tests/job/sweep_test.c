/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "job/sweep.h"

TestSuite(sweep, .timeout = 10);

static struct iob_sweep parsed(const char *text)
{
	struct iob_sweep s = {0};
	struct iob_error err;

	cr_assert_eq(iob_sweep_parse(&s, text, &err), 0, "%s", err.text);
	return s;
}

Test(sweep, doubles_and_ends_at_the_end)
{
	static const uint64_t want[] = {1, 2, 4, 8, 16, 32, 48};
	struct iob_sweep s = parsed("iodepth=1..48");

	cr_assert_eq(iob_sweep_steps(&s), 7);
	for (unsigned i = 0; i < 7; i++)
		cr_assert_eq(iob_sweep_value(&s, i), want[i]);
	cr_assert_eq(iob_sweep_value(&s, 99), 48);
}

Test(sweep, a_power_of_two_is_not_its_own_last_step_twice)
{
	struct iob_sweep s = parsed("iodepth=1..256");

	cr_assert_eq(iob_sweep_steps(&s), 9);
	cr_assert_eq(iob_sweep_value(&s, 8), 256);
	s = parsed("iodepth=7..7");
	cr_assert_eq(iob_sweep_steps(&s), 1);
}

Test(sweep, sizes_are_sizes)
{
	struct iob_sweep s = parsed("bs=4k..1m");
	struct iob_live live = {.iodepth = 3};
	char buf[32];

	cr_assert_eq(s.from, 4096);
	cr_assert_eq(s.to, 1 << 20);
	iob_sweep_set(&s, &live, 8192);
	cr_assert_eq(live.bs[IOB_WRITE].min, 8192);
	cr_assert_eq(live.iodepth, 3);
	cr_assert_eq(iob_sweep_get(&s, &live), 8192);
	cr_assert_str_eq(iob_sweep_format(&s, 65536, buf, sizeof(buf)), "64k");
}

Test(sweep, what_is_no_sweep_is_refused_and_changes_nothing)
{
	static const char *const bad[] = {"", "iodepth", "iodepth=", "iodepth=1", "iodepth=1.2",
		"iodepth=1..", "iodepth=..8", "iodepth=8..1", "iodepth=0..4", "iodepth=1..2..3",
		"numjobs=1..4", "bs=4x..8k", "IODEPTH=1..2", "iodepth=1..99999999999999999999"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct iob_sweep s = {0};
		struct iob_error err = {0};

		cr_assert_lt(iob_sweep_parse(&s, bad[i], &err), 0, "%s", bad[i]);
		cr_assert_eq(err.kind, IOB_ERR_USAGE);
		cr_assert_not_null(strstr(err.text, "sweep"), "%s", err.text);
		cr_assert_not(iob_sweep_is_on(&s));
	}
}
