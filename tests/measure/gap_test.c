/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "tests/support/measure_ledger.h"

TestSuite(gap, .init = set_up, .fini = tear_down, .timeout = 30);

Test(gap, who_wakes_up_in_time_saw_none)
{
	struct iob_gap_watch w = {0};
	struct iob_gap gap;

	cr_assert_not(iob_gap_look(&w, at(0), 0, &gap));
	w.due_ns = at(5);
	cr_assert_not(iob_gap_look(&w, at(5), 0, &gap));
	w.due_ns = at(10);
	cr_assert_not(iob_gap_look(&w, at(10) + IOB_GAP_LEAST_NS - 1, 0, &gap));
}

Test(gap, begins_when_the_timer_was_due)
{
	struct iob_gap_watch w = {.due_ns = at(5)};
	struct iob_gap gap;

	cr_assert(iob_gap_look(&w, at(1005), 0, &gap));
	cr_assert_eq(gap.from_ns, at(5));
	cr_assert_eq(gap.to_ns, at(1005));
	cr_assert_eq(gap.asleep_ns, 0);
}

/* What the machine slept before is nothing new; nor is it that the time just goes on. */
Test(gap, sleep_shows_although_the_clock_stood_still)
{
	struct iob_gap_watch w = {.due_ns = at(5)};
	struct iob_gap gap;

	cr_assert_not(iob_gap_look(&w, at(5), 77 * IOB_NS_PER_S, &gap));
	w.due_ns = at(10);
	cr_assert_not(iob_gap_look(&w, at(10), 77 * IOB_NS_PER_S + 1000, &gap));
	w.due_ns = at(15);
	cr_assert(iob_gap_look(&w, at(15), 80 * IOB_NS_PER_S + 1000, &gap));
	cr_assert_eq(gap.asleep_ns, 3 * IOB_NS_PER_S);
	cr_assert_eq(gap.from_ns, gap.to_ns);
}

Test(gap, a_full_list_takes_no_more)
{
	static struct iob_gap_list list;
	struct iob_gap gap = {at(1), at(2), 3};

	for (int i = 0; i < IOB_MAX_GAPS + 5; i++)
		iob_gap_list_add(&list, &gap);
	cr_assert_eq(list.count, IOB_MAX_GAPS);
	cr_assert_eq(list.item[IOB_MAX_GAPS - 1].asleep_ns, 3);
}

static void gap_at(uint64_t from_ms, uint64_t to_ms, uint64_t now_ms)
{
	struct iob_gap gap = {.from_ns = at(from_ms), .to_ns = at(to_ms)};

	iob_ledger_gap(&ledger, &gap, at(now_ms));
}

Test(gap, its_time_is_in_no_rate_and_is_no_stall)
{
	struct iob_recorder_view v = {0};

	load_from(0);
	work(0, 100, 1000);
	enter(0, 0, 0, 101);
	gap_at(150, 2050, 2100);
	worker[0].next = 20;
	work(0, 10, 1000);
	enter(0, 20, 0, 2101);
	iob_ledger_advance(&ledger, at(2101));
	iob_ledger_close_segment(&ledger, at(2100));
	iob_ledger_finish(&ledger, at(2200));
	iob_ledger_view(&ledger, at(2200), &v);
	cr_assert_eq(v.gap.count, 1);
	cr_assert_eq(v.gap.ns, 1900 * MS);
	cr_assert_float_eq(v.total.seconds, 0.2, 1e-9);
	cr_assert_float_eq(v.segment.seconds, 0.2, 1e-9);
	cr_assert_float_eq(v.total.all.iops, 110 / 0.2, 1e-6);
	cr_assert_eq(v.longest_stall_ns, 0);
	cr_assert(iob_interval_is_gap(entry(2)));
	cr_assert_not(iob_interval_is_gap(entry(0)));
	cr_assert_not(iob_interval_is_gap(entry(20)));
}

/* The timer was late, but workers ran: what was said of those intervals does not hold. */
Test(gap, where_something_came_back_there_was_none)
{
	struct iob_recorder_view v = {0};

	load_from(0);
	gap_at(0, 500, 500);
	for (uint32_t k = 0; k < 5; k++) {
		worker[0].next = k;
		work(0, 7, 1000);
		enter(0, k, 0, 501);
	}
	iob_ledger_close_segment(&ledger, at(500));
	iob_ledger_finish(&ledger, at(600));
	iob_ledger_view(&ledger, at(600), &v);
	cr_assert_eq(v.gap.count, 0);
	cr_assert_eq(v.gap.ns, 0);
	cr_assert_float_eq(v.total.seconds, 0.5, 1e-9);
}

/* So many reads and sectors of the disk, and sectors beside it, in an interval. */
static void disk_did(size_t k, uint64_t reads, uint64_t beside)
{
	struct iob_ledger_disk r = {
		.delta = {.reads = reads, .read_sectors = 8 * reads, .io_ms = reads},
		.beside = {.read_sectors = beside, .write_sectors = beside},
		.from_ns = at(100 * k),
		.to_ns = at(100 * (k + 1)),
		.k = k,
		.complete = true,
	};

	iob_ledger_disk(&ledger, &r);
}

/* Ours are 100 reads in the first and the last interval; in the gap between them others were at the
 * disk ten times as much. */
Test(gap, what_the_disk_did_in_it_is_in_no_figure)
{
	struct iob_recorder_view v = {0};
	struct iob_segment_figures total;
	struct iob_diskstat disk;

	load_from(0);
	for (uint32_t k = 0; k < 20; k++) {
		bool ours = k == 0 || k == 19;

		worker[0].next = k;
		work(0, ours ? 100 : 0, 1000);
		enter(0, k, 0, 100 * (k + 1));
		disk_did(k, ours ? 100 : 1000, ours ? 3 : 5000);
	}
	gap_at(100, 1900, 2000);
	iob_ledger_close_segment(&ledger, at(2000));
	iob_ledger_finish(&ledger, at(2000));
	iob_ledger_view(&ledger, at(2000), &v);
	cr_expect_float_eq(v.segment.disk.r_s, v.segment.all.iops, 1e-6, "%f", v.segment.disk.r_s);
	cr_expect_float_eq(v.segment.disk.r_bytes_s, v.segment.all.bw, 1e-3);
	cr_expect_float_eq(v.segment.disk.util, 100, 1e-6);
	cr_expect_float_eq(v.total.disk.r_s, 1000, 1e-6);
	cr_expect_eq(v.beside[IOB_READ], 6, "%zu", (size_t)v.beside[IOB_READ]);
	cr_expect_eq(v.beside[IOB_WRITE], 6);
	for (int stage = -1; stage <= 0; stage++) {
		iob_ledger_totals(&ledger, stage, at(2000), &total, NULL, &disk);
		cr_expect_eq(disk.reads, 200, "stage %d: %zu", stage, (size_t)disk.reads);
		cr_expect_eq(disk.read_sectors, 1600);
		cr_expect_float_eq(total.disk.r_s, 1000, 1e-6);
	}
	cr_expect_eq(entry(5)->disk.reads, 1000, "the timeline keeps what was");
}

/* The front stood still, too: one reading of the disk stands for the gap and for what we did just
 * before and after it.  The same of a gap that begins and ends within intervals. */
Test(gap, what_others_did_beside_us_in_its_first_and_last_interval_is_out)
{
	for (int late = 0; late < 2; late++) {
		struct iob_segment_figures total;
		struct iob_diskstat disk;
		struct iob_ledger_disk all = {.delta = {.reads = 5000, .read_sectors = 40000},
			.from_ns = at(100),
			.to_ns = at(1900),
			.k = 18,
			.complete = true};

		load_from(0);
		for (uint32_t k = 0; k < 20; k++) {
			bool edge = k == 1 || k == 18, ours = k == 0 || k == 19 || edge;

			worker[0].next = k;
			work(0, ours ? 100 : 0, 1000);
			enter(0, k, 0, 100 * (k + 1));
			if (!late)
				disk_did(k, ours ? (edge ? 300 : 100) : 1000, 0);
			else if (!edge && ours)
				disk_did(k, 100, 0);
			else if (k == 18)
				iob_ledger_disk(&ledger, &all);
		}
		gap_at(150, 1850, 2000);
		iob_ledger_close_segment(&ledger, at(2000));
		iob_ledger_finish(&ledger, at(2000));
		iob_ledger_totals(&ledger, -1, at(2000), &total, NULL, &disk);
		cr_expect(disk.reads >= 399 && disk.reads <= 401, "late %d: %zu reads", late,
			(size_t)disk.reads);
		cr_expect_float_eq(total.seconds, 0.3, 1e-9);
		tear_down();
		set_up();
	}
}

/* The timer was late, but something came back: then it is no gap, and others slowed us down. */
Test(gap, where_workers_ran_the_disk_is_theirs)
{
	struct iob_segment_figures total;
	struct iob_diskstat disk;

	load_from(0);
	for (uint32_t k = 0; k < 4; k++) {
		worker[0].next = k;
		work(0, k == 1 ? 0 : 10, 1000);
		enter(0, k, 0, 100 * (k + 1));
		disk_did(k, 50, 0);
	}
	gap_at(0, 400, 400);
	iob_ledger_close_segment(&ledger, at(400));
	iob_ledger_finish(&ledger, at(400));
	iob_ledger_totals(&ledger, -1, at(400), &total, NULL, &disk);
	cr_expect_eq(
		disk.reads, 150, "without the interval that was empty: %zu", (size_t)disk.reads);
	cr_expect_float_eq(total.disk.r_s, 500, 1e-6);
}

/* It is nobody's that lies between two segments, and each has its part. */
Test(gap, segments_have_their_parts)
{
	struct iob_recorder_view v = {0};

	load_from(0);
	gap_at(200, 800, 900);
	cr_assert_eq(iob_ledger_segment(&ledger, 1, 0, IOB_SEGMENT_PAUSED, at(500)), 0);
	load_from(700);
	iob_ledger_close_segment(&ledger, at(1000));
	iob_ledger_finish(&ledger, at(1000));
	iob_ledger_view(&ledger, at(1000), &v);
	cr_assert_eq(v.gap.count, 1);
	cr_assert_eq(v.gap.ns, 400 * MS);
	cr_assert_float_eq(v.total.seconds, 0.4, 1e-9);
	cr_assert_float_eq(v.segment.seconds, 0.2, 1e-9);
}

Test(gap, a_stall_around_it_stays_one)
{
	load_from(0);
	gap_at(500, 1500, 1500);
	iob_ledger_advance(&ledger, at(2500));
	iob_ledger_close_segment(&ledger, at(2500));
	iob_ledger_finish(&ledger, at(2600));
	cr_assert_eq(iob_ledger_longest_stall_ns(&ledger), 1500 * MS);
}

/* From the load process, which may say anything. */
Test(gap, nonsense_does_no_harm)
{
	struct iob_recorder_view v = {0};
	struct iob_gap gap = {.from_ns = 0, .to_ns = UINT64_MAX};

	load_from(0);
	iob_ledger_gap(&ledger, &gap, at(100));
	gap = (struct iob_gap){.from_ns = at(50), .to_ns = UINT64_MAX};
	iob_ledger_gap(&ledger, &gap, at(300));
	gap = (struct iob_gap){.from_ns = UINT64_MAX, .to_ns = at(10)};
	iob_ledger_gap(&ledger, &gap, at(300));
	for (int i = 0; i < 2 * IOB_MAX_GAPS; i++)
		gap_at(100, 300, 300);
	iob_ledger_close_segment(&ledger, at(400));
	iob_ledger_finish(&ledger, at(400));
	iob_ledger_view(&ledger, at(400), &v);
	cr_assert_lt(ledger.timeline.count, 10);
	cr_assert_leq(v.total.seconds, 0.4);
	cr_assert_geq(v.total.seconds, 0);
}
