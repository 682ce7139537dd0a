/* SPDX-License-Identifier: MIT */
/* Views made for the screen: the spread of latencies, the last seconds, each worker. */
#include <criterion/criterion.h>

#include "tests/support/measure_ledger.h"

TestSuite(heat, .init = set_up, .fini = tear_down, .timeout = 30);

Test(heat, levels_are_half_octaves)
{
	cr_assert_eq(iob_heat_level(0), 0);
	cr_assert_eq(iob_heat_level(600), 0);
	cr_assert_eq(iob_heat_level(UINT64_MAX), IOB_HEAT_LEVELS - 1);
	for (unsigned i = 1; i < IOB_HEAT_LEVELS; i++) {
		cr_assert_eq(iob_heat_level(iob_heat_low(i)), i);
		cr_assert_eq(iob_heat_level(iob_heat_low(i) - 1), i - 1);
	}
}

static uint64_t sum(const struct iob_heat *h)
{
	uint64_t n = 0;

	for (int i = 0; i < IOB_HEAT_LEVELS; i++)
		n += h->count[i];
	return n;
}

Test(heat, each_interval_has_its_spread_and_late_samples_still_count)
{
	struct iob_heat h[4];

	load_from(0);
	work(0, 100, 1000);
	work(0, 7, 3 * MS);
	enter(0, 0, 0, 101);
	enter(1, 0, 0, 101);
	enter(0, 1, 0, 201);
	enter(1, 1, 0, 201);
	iob_ledger_advance(&ledger, at(201));
	cr_assert_eq(iob_ledger_heat(&ledger, 0, h, 4), 2);
	cr_assert_eq(sum(&h[0]), 107);
	cr_assert_eq(h[0].count[iob_heat_level(1000)], 100);
	cr_assert_eq(h[0].count[iob_heat_level(3 * MS)], 7);
	cr_assert_eq(sum(&h[1]), 0);
	worker[1].next = 0;
	work(1, 5, 1000);
	enter(1, 0, 0, 202);
	cr_assert_eq(iob_ledger_heat(&ledger, 0, h, 1), 1);
	cr_assert_eq(sum(&h[0]), 112);
	cr_assert_eq(iob_ledger_heat(&ledger, 2, h, 4), 0);
}

Test(heat, the_last_ten_seconds_are_those_and_no_others)
{
	struct iob_segment_figures f;

	load_from(0);
	for (uint32_t k = 0; k < 300; k++) {
		work(0, k < 200 ? 1000 : 10, 1000);
		enter(0, k, 0, 100 * (k + 1) + 1);
		enter(1, k, 0, 100 * (k + 1) + 1);
		iob_ledger_advance(&ledger, at(100 * (k + 1) + 1));
	}
	iob_ledger_recent(&ledger, 100, &f);
	cr_assert_eq(f.all.ios, 1000);
	cr_assert_float_eq(f.seconds, 10, 1e-6);
	cr_assert_float_eq(f.all.iops, 100, 1e-6);
	iob_ledger_recent(&ledger, 101, &f);
	cr_assert_eq(f.all.ios, 2000);
}

Test(heat, a_worker_is_shown_by_its_last_full_second)
{
	struct iob_worker_view v[3];

	load_from(0);
	for (uint32_t k = 0; k < 25; k++) {
		work(0, k < 10 ? 7 : 5, 100000);
		enter(0, k, 0, 100 * (k + 1) + 1);
		enter(1, k, 0, 100 * (k + 1) + 1);
		iob_ledger_advance(&ledger, at(100 * (k + 1) + 1));
		iob_ledger_workers(&ledger, v, 3);
		if (k < 9)
			cr_assert_eq(v[0].iops, 0);
		if (k >= 10 && k < 19)
			cr_assert_eq(v[0].iops, 70);
	}
	iob_ledger_workers(&ledger, v, 3);
	cr_assert_eq(v[0].iops, 50);
	cr_assert_float_eq((double)v[0].p99_ns, 100000, 3200);
	cr_assert_eq(v[1].iops, 0);
	cr_assert_eq(v[2].iops, 0);
}
