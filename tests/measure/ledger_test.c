/* SPDX-License-Identifier: MIT */
/* The ledger: samples find their intervals, whenever they come. */
#include <criterion/criterion.h>

#include "tests/support/measure_ledger.h"

TestSuite(ledger, .init = set_up, .fini = tear_down, .timeout = 30);

Test(ledger, an_interval_closes_when_all_workers_have_reported_it)
{
	load_from(0);
	work(0, 100, 1000);
	work(1, 100, 3000);
	enter(0, 0, 0, 101);
	iob_ledger_advance(&ledger, at(101));
	cr_assert_eq(ledger.closed, 0);
	enter(1, 0, 0, 102);
	iob_ledger_advance(&ledger, at(102));
	cr_assert_eq(ledger.closed, 1);
	cr_assert_eq(entry(0)->dir[IOB_READ].ios, 200);
	cr_assert_eq(entry(0)->dir[IOB_READ].bytes, 200 * 4096);
	cr_assert_eq(entry(0)->dir[IOB_READ].sum_ns, 100 * 4000);
	cr_assert_leq(entry(0)->dir[IOB_READ].p50_ns, 1008);
	cr_assert_float_eq((double)entry(0)->dir[IOB_READ].p99_ns, 3000, 3000 / 128.0);
	cr_assert_eq(entry(0)->dir[IOB_READ].max_ns, 3000);
	cr_assert_eq(entry(0)->flags, 0);
}

Test(ledger, an_interval_is_kept_open_for_those_who_are_expected)
{
	load_from(0);
	ledger.expected = 1;
	work(0, 100, 1000);
	enter(0, 0, 0, 101);
	iob_ledger_advance(&ledger, at(101));
	cr_assert_eq(ledger.closed, 1);
}

Test(ledger, a_sample_in_the_middle_of_an_interval_does_not_close_it)
{
	load_from(0);
	work(0, 10, 1000);
	enter(0, 0, 0, 40); /* the segment changes */
	enter(1, 0, 0, 101);
	iob_ledger_advance(&ledger, at(102));
	cr_assert_eq(ledger.closed, 0);
	work(0, 5, 1000);
	enter(0, 0, 0, 103);
	iob_ledger_advance(&ledger, at(103));
	cr_assert_eq(ledger.closed, 1);
	cr_assert_eq(entry(0)->dir[IOB_READ].ios, 15);
	cr_assert_eq(entry(0)->flags, 0);
	cr_assert_eq(ledger.late, 0);
}

Test(ledger, a_silent_worker_delays_the_figures_by_a_second_once)
{
	load_from(0);
	for (uint32_t k = 0; k < 30; k++) {
		enter(0, k, 0, 100 * (k + 1) + 1);
		iob_ledger_advance(&ledger, at(100 * (k + 1) + 1));
		/* The other worker never says anything. */
		if (k < 10)
			cr_assert_eq(ledger.closed, 0);
	}
	cr_assert_geq(ledger.closed, 29);
}

Test(ledger, a_stalled_second_stays_on_record_as_zeros)
{
	load_from(0);
	work(0, 5, 1000);
	enter(0, 0, 0, 101);
	iob_ledger_advance(&ledger, at(101));
	/* Both stuck in a call for 2.5 s. */
	iob_ledger_advance(&ledger, at(2600));
	cr_assert_eq(ledger.timeline.count, 26);
	worker[0].next = 25;
	work(0, 7, 2500 * MS);
	enter(0, 25, 0, 2601);
	iob_ledger_advance(&ledger, at(4000));
	cr_assert_eq(entry(0)->dir[IOB_READ].ios, 5);
	for (size_t k = 1; k < 25; k++) {
		cr_assert_eq(entry(k)->dir[IOB_READ].ios, 0);
		cr_assert_eq(entry(k)->dir[IOB_READ].p99_ns, 0);
		cr_assert_eq(entry(k)->flags & IOB_INTERVAL_IDLE, 0);
	}
	cr_assert_eq(entry(25)->dir[IOB_READ].ios, 7);
	cr_assert_eq(entry(25)->dir[IOB_READ].max_ns, 2500 * MS);
	iob_ledger_close_segment(&ledger, at(2600));
	iob_ledger_finish(&ledger, at(4000));
	cr_assert_eq(iob_ledger_longest_stall_ns(&ledger), 2400 * MS);
}

Test(ledger, a_late_sample_goes_where_it_belongs_and_is_marked)
{
	load_from(0);
	for (uint32_t k = 0; k < 20; k++) {
		work(0, 10, 1000);
		enter(0, k, 0, 100 * (k + 1) + 1);
		iob_ledger_advance(&ledger, at(100 * (k + 1) + 1));
	}
	cr_assert_gt(ledger.closed, 3);
	work(1, 30, 50000);
	worker[1].next = 3;
	enter(1, 3, 0, 2002);
	cr_assert_eq(entry(3)->dir[IOB_READ].ios, 40);
	cr_assert_eq(entry(3)->dir[IOB_READ].max_ns, 50000);
	cr_assert(entry(3)->flags & IOB_INTERVAL_LATE);
	/* Its percentiles are made anew: most of its I/Os were slow. */
	cr_assert_geq(entry(3)->dir[IOB_READ].p50_ns, 49000);
	cr_assert_eq(entry(2)->flags, 0);
	cr_assert_eq(ledger.late, 1);
}

Test(ledger, a_sample_older_than_the_window_still_counts)
{
	load_from(0);
	for (uint32_t k = 0; k < 300; k++) {
		work(0, 1, 1000);
		enter(0, k, 0, 100 * (k + 1) + 1);
		iob_ledger_advance(&ledger, at(100 * (k + 1) + 1));
	}
	work(1, 9, 70000);
	worker[1].next = 20;
	enter(1, 20, 0, 30002);
	cr_assert_eq(entry(20)->dir[IOB_READ].ios, 10);
	cr_assert_eq(entry(20)->dir[IOB_READ].max_ns, 70000);
	cr_assert(entry(20)->flags & IOB_INTERVAL_LATE);
	cr_assert_eq(entry(148)->dir[IOB_READ].ios, 1, "another interval's slot was used");
	cr_assert_eq(timeline_ios(), 309);
}

Test(ledger, a_sample_over_several_intervals_is_divided_evenly)
{
	load_from(0);
	for (int i = 0; i < 4 * 25 + 3; i++)
		pretended_io(&worker[0], IOB_READ, 512, 1000 + (uint64_t)i);
	worker[0].next = 2;
	enter(0, 5, 0, 601);
	for (size_t k = 2; k < 6; k++) {
		cr_assert_eq(entry(k)->dir[IOB_READ].ios, k < 5 ? 25 : 28);
		cr_assert_eq(entry(k)->dir[IOB_READ].bytes, 103 * 512 / 4);
		cr_assert(entry(k)->flags & IOB_INTERVAL_SPREAD);
		const struct iob_window_slot *s = iob_window_find(&ledger.window, k);
		cr_assert_eq(s->hist[IOB_READ]->total, k < 5 ? 25 : 28);
	}
	iob_ledger_finish(&ledger, at(700));
	/* Each part has the shape of the whole: its median is the sample's. */
	for (size_t k = 2; k < 6; k++) {
		cr_assert_geq(entry(k)->dir[IOB_READ].p50_ns, 1040);
		cr_assert_leq(entry(k)->dir[IOB_READ].p50_ns, 1065);
	}
	cr_assert_eq(entry(1)->dir[IOB_READ].ios, 0);
	cr_assert_eq(timeline_ios(), 103);
}

Test(ledger, fewer_ios_than_intervals_all_end_in_the_last)
{
	load_from(0);
	work(0, 3, 10);
	enter(0, 7, 0, 801);
	cr_assert_eq(entry(7)->dir[IOB_READ].ios, 3);
	cr_assert_eq(entry(6)->dir[IOB_READ].ios, 0);
	cr_assert_eq(timeline_ios(), 3);
}

Test(ledger, a_worker_that_starts_again_in_its_ring_is_waited_for)
{
	load_from(0);
	enter(0, 0, IOB_SAMPLE_LAST, 101);
	enter(1, 0, IOB_SAMPLE_LAST, 101);
	iob_ledger_advance(&ledger, at(500));
	cr_assert_eq(ledger.closed, 4);
	work(0, 1, 10);
	worker[0].next = 5;
	enter(0, 5, 0, 601);
	cr_assert_not(ledger.worker[0].ended);
	cr_assert_eq(ledger.late, 0);
}

Test(ledger, a_sample_that_claims_nonsense_stays_within_bounds_and_counts)
{
	load_from(0);
	work(0, 2, 10);
	worker[0].acc->segment = UINT32_MAX;
	enter(0, 4000000000U, 0, 150);
	cr_assert_leq(ledger.timeline.count, 3);
	cr_assert_eq(ledger.segment[0].dir[IOB_READ].ios, 2);
	cr_assert_eq(timeline_ios(), 2);
}

Test(ledger, nothing_is_allocated_once_the_window_has_turned)
{
	struct iob_hist *before[IOB_WINDOW_INTERVALS];

	load_from(0);
	for (uint32_t k = 0; k < 400; k++) {
		work(0, 2, 10);
		enter(0, k, 0, 100 * (k + 1));
		iob_ledger_advance(&ledger, at(100 * (k + 1)));
		if (k == 199)
			for (int i = 0; i < IOB_WINDOW_INTERVALS; i++)
				before[i] = ledger.window.slot[i].hist[IOB_READ];
	}
	cr_assert_eq(ledger.timeline.room, 640, "ten minutes fit in a few steps");
	for (int i = 0; i < IOB_WINDOW_INTERVALS; i++) {
		cr_assert_eq(before[i], ledger.window.slot[i].hist[IOB_READ]);
		cr_assert_eq(before[i]->total, 2);
		cr_assert_null(ledger.window.slot[i].hist[IOB_WRITE]);
	}
}
