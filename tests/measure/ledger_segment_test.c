/* SPDX-License-Identifier: MIT */
/* The ledger: segments, totals and the disk. */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/rng.h"
#include "tests/support/measure_ledger.h"

TestSuite(ledger_segment, .init = set_up, .fini = tear_down, .timeout = 30);

Test(ledger_segment, samples_ahead_of_their_segment_are_kept_for_it)
{
	struct iob_recorder_view v = {0};

	load_from(0);
	worker[0].acc->segment = 2;
	work(0, 11, 1000);
	enter(0, 0, 0, 101);
	cr_assert_eq(ledger.total.dir[IOB_READ].ios, 0);
	cr_assert_eq(iob_ledger_segment(&ledger, 2, 0, IOB_SEGMENT_LOAD, at(50)), -EINVAL);
	cr_assert_eq(iob_ledger_segment(&ledger, 1, 0, IOB_SEGMENT_PAUSED, at(40)), 0);
	cr_assert_eq(iob_ledger_segment(&ledger, 2, 3, IOB_SEGMENT_LOAD, at(50)), 0);
	cr_assert_eq(ledger.segment[2].dir[IOB_READ].ios, 11);
	cr_assert_eq(ledger.segment[2].hist[IOB_READ]->total, 11);
	cr_assert_eq(ledger.segment[0].to_ns, at(40));
	cr_assert_eq(ledger.segment[1].to_ns, at(50));
	iob_ledger_view(&ledger, at(150), &v);
	cr_assert_eq(v.total.all.ios, 11);
	cr_assert_eq(v.segment.stage, 3);
	cr_assert_float_eq(v.total.seconds, 0.140, 1e-9); /* without the pause */
	cr_assert_float_eq(v.segment.seconds, 0.100, 1e-9);
}

Test(ledger_segment, ramp_and_pause_are_not_in_the_totals)
{
	struct iob_segment_figures total;
	struct iob_diskstat disk;

	cr_assert_eq(iob_ledger_segment(&ledger, 0, 0, IOB_SEGMENT_RAMP, at(0)), 0);
	work(0, 100, 1000);
	enter(0, 0, 0, 101);
	load_from(100);
	worker[0].acc->segment = 1;
	work(0, 50, 2000);
	enter(0, 1, 0, 201);
	iob_ledger_close_segment(&ledger, at(300));
	cr_assert_eq(iob_ledger_segment(&ledger, 2, 1, IOB_SEGMENT_LOAD, at(500)), 0);
	worker[0].acc->segment = 2;
	work(0, 5, 3000);
	worker[0].next = 5;
	enter(0, 5, 0, 601);
	iob_ledger_close_segment(&ledger, at(600));
	iob_ledger_totals(&ledger, -1, at(9999), &total, NULL, &disk);
	cr_assert_eq(total.all.ios, 55);
	cr_assert_float_eq(total.seconds, 0.3, 1e-9);
	cr_assert_float_eq(total.all.iops, 55 / 0.3, 1e-6);
	cr_assert_eq(total.from_ms, 100);
	cr_assert_eq(total.to_ms, 600);
	cr_assert_not(total.open);
	iob_ledger_totals(&ledger, 1, at(9999), &total, NULL, NULL);
	cr_assert_eq(total.all.ios, 5);
	cr_assert_eq(total.all.lat.max_ns, 3000);
	cr_assert_float_eq(total.seconds, 0.1, 1e-9);
	iob_ledger_totals(&ledger, 7, at(9999), &total, NULL, NULL);
	cr_assert_eq(total.all.ios, 0);
}

Test(ledger_segment, idle_stretches_are_marked_and_are_no_stall)
{
	iob_ledger_advance(&ledger, at(1000));
	load_from(1050);
	iob_ledger_advance(&ledger, at(2000));
	iob_ledger_close_segment(&ledger, at(1950));
	iob_ledger_advance(&ledger, at(5000));
	iob_ledger_finish(&ledger, at(5000));
	cr_assert(entry(9)->flags & IOB_INTERVAL_IDLE);
	for (size_t k = 10; k < 20; k++)
		cr_assert_eq(entry(k)->flags & IOB_INTERVAL_IDLE, 0, "interval %zu", k);
	for (size_t k = 20; k < 50; k++)
		cr_assert(entry(k)->flags & IOB_INTERVAL_IDLE);
	cr_assert_eq(iob_ledger_longest_stall_ns(&ledger), 1000 * MS);
}

Test(ledger_segment, sums_over_timeline_and_segments_equal_the_workers_count)
{
	struct iob_rng rng;
	uint64_t segments = 0, bytes = 0, sum = 0;
	uint32_t k = 0;

	iob_rng_seed(&rng, 7, 0);
	for (int round = 0; round < 3000; round++) {
		if (iob_rng_below(&rng, 50) == 0) {
			if (iob_rng_below(&rng, 4) == 0)
				iob_ledger_close_segment(&ledger, at(100 * k));
			cr_assert_eq(iob_ledger_segment(&ledger, (uint32_t)ledger.announced, 0,
					     (enum iob_segment_kind)iob_rng_below(&rng, 3),
					     at(100 * k + 30)),
				0);
		}
		int w = (int)iob_rng_below(&rng, 2);
		worker[w].acc->segment = (uint32_t)(ledger.announced + iob_rng_below(&rng, 2));
		for (uint64_t i = iob_rng_below(&rng, 40); i > 0; i--)
			pretended_io(&worker[w], (enum iob_dir)iob_rng_below(&rng, IOB_NDIR), 512,
				iob_rng_next(&rng) >> (16 + iob_rng_below(&rng, 40)));
		k += (uint32_t)iob_rng_below(&rng, 2);
		uint32_t back = (uint32_t)iob_rng_below(&rng, 40) ? 0 : 150;
		enter(w, k > back ? k - back : k, 0, 100 * (k + 1));
		iob_ledger_advance(&ledger, at(100 * (k + 1)));
	}
	iob_ledger_finish(&ledger, at(100 * (k + 2)));
	for (size_t i = 0; i < ledger.room; i++)
		for (int d = 0; d < IOB_NDIR; d++) {
			const struct iob_segment *s = &ledger.segment[i];

			segments += s->dir[d].ios;
			cr_assert(!s->hist[d] || s->hist[d]->total == s->dir[d].ios);
		}
	for (size_t i = 0; i < ledger.timeline.count; i++)
		for (int d = 0; d < IOB_NDIR; d++) {
			bytes += entry(i)->dir[d].bytes;
			sum += entry(i)->dir[d].sum_ns;
		}
	uint64_t ios = 0;
	for (int w = 0; w < 2; w++)
		for (int d = 0; d < IOB_NDIR; d++)
			ios += worker[w].ios[d];
	cr_assert_gt(ios, 10000);
	cr_assert_eq(timeline_ios(), ios);
	cr_assert_eq(segments, ios);
	cr_assert_eq(bytes, worker[0].bytes + worker[1].bytes);
	cr_assert_eq(sum, worker[0].sum + worker[1].sum);
}

Test(ledger_segment, now_is_the_last_ten_closed_intervals_exactly)
{
	struct iob_recorder_view v = {0};

	load_from(0);
	for (uint32_t k = 0; k < 30; k++) {
		work(0, 10, k < 20 ? 1000 : 5000);
		enter(0, k, 0, 100 * (k + 1));
		work(1, 10, 7000);
		enter(1, k, 0, 100 * (k + 1));
		iob_ledger_advance(&ledger, at(100 * (k + 1)));
	}
	iob_ledger_view(&ledger, at(3010), &v);
	cr_assert_eq(v.intervals, 30);
	cr_assert_eq(v.now.all.ios, 200);
	cr_assert_float_eq(v.now.seconds, 1.0, 1e-9);
	cr_assert_float_eq(v.now.all.iops, 200, 1e-6);
	cr_assert_eq(v.now.all.lat.min_ns, 5000);
	cr_assert_eq(v.now.all.lat.max_ns, 7000);
	cr_assert_float_eq(v.now.depth, (100 * 5000 + 100 * 7000) / 1e9, 1e-12);
	cr_assert_eq(v.total.all.ios, 600);
	cr_assert_eq(v.total.all.lat.min_ns, 1000);
	cr_assert_float_eq(v.total.seconds, 3.01, 1e-9);
}

static void disk(uint64_t reads, uint64_t from_ms, uint64_t to_ms, size_t k, bool complete)
{
	struct iob_ledger_disk d = {
		.delta.reads = reads,
		.from_ns = at(from_ms),
		.to_ns = at(to_ms),
		.k = k,
		.complete = complete,
	};

	iob_ledger_disk(&ledger, &d);
}

Test(ledger_segment, disk_counts_go_to_the_interval_and_by_time_to_the_segments)
{
	disk(5, 0, 100, 0, true); /* nothing in force: to no segment */
	load_from(190);
	disk(10, 100, 200, 1, true); /* after a gap: all of it is the new segment's */
	load_from(250);
	disk(100, 200, 300, 2, true); /* half and half */
	iob_ledger_close_segment(&ledger, at(340));
	disk(7, 300, 350, 3, false);
	disk(9, 350, 400, 3, true); /* after the end */
	cr_assert_eq(ledger.segment[0].disk.reads, 60);
	cr_assert_eq(ledger.segment[1].disk.reads, 57);
	cr_assert_eq(ledger.total.disk.reads, 117);
	cr_assert_eq(ledger.segment[0].disk_ns, 60 * MS);
	cr_assert_eq(ledger.segment[1].disk_ns, 90 * MS);
	cr_assert_eq(entry(0)->disk.reads, 5);
	cr_assert_eq(entry(2)->disk.reads, 100);
	cr_assert_eq(entry(3)->disk.reads, 16);
	cr_assert(entry(3)->flags & IOB_INTERVAL_DISK);
}

Test(ledger_segment, knows_when_the_first_worker_ended)
{
	struct iob_segment_figures figures;

	load_from(0);
	for (uint32_t k = 0; k < 5; k++)
		for (int w = 0; w < 2; w++) {
			if (w == 1 && k > 2)
				continue;
			work(w, 10, 1000);
			enter(w, k, k == (w ? 2 : 4) ? IOB_SAMPLE_LAST : 0, 100 * (k + 1));
		}
	iob_ledger_segment_figures(&ledger, 0, at(500), &figures);
	cr_assert_eq(figures.thin_ms, 200);
	iob_ledger_totals(&ledger, -1, at(500), &figures, NULL, NULL);
	cr_assert_eq(figures.thin_ms, 200);
}

/* The last reading before it began is not its own. */
Test(ledger_segment, one_that_is_announced_late_has_what_the_disk_did_since_it_began)
{
	disk(5, 0, 105, 1, true);
	disk(7, 105, 120, 1, false);
	disk(8, 120, 140, 1, false);
	load_from(110);
	disk(9, 140, 160, 1, false);
	cr_assert_eq(ledger.segment[0].disk.reads, 24);
	cr_assert_eq(ledger.segment[0].disk_ns, 50 * MS);
	cr_assert_eq(ledger.total.disk.reads, 24);
	cr_assert_eq(ledger.total.disk_ns, 50 * MS);
	iob_ledger_close_segment(&ledger, at(160));
	for (uint64_t ms = 160; ms < 1000; ms += 5)
		disk(1, ms, ms + 5, 1, false);
	load_from(960);
	cr_assert_eq(ledger.segment[1].disk.reads, 8, "those of before are forgotten");
}

/* 16 reads in 3 ms, of which the front learns at the next reading. */
Test(ledger_segment, rates_of_the_disk_are_over_the_time_of_the_segment)
{
	struct iob_segment_figures total;

	load_from(110);
	disk(16, 100, 140, 1, false);
	iob_ledger_close_segment(&ledger, at(113));
	iob_ledger_totals(&ledger, -1, at(200), &total, NULL, NULL);
	cr_assert_float_eq(total.disk.r_s, 16 / 0.003, 1e-6, "%f", total.disk.r_s);
	iob_ledger_segment_figures(&ledger, 0, at(200), &total);
	cr_assert_float_eq(total.disk.r_s, 16 / 0.003, 1e-6, "%f", total.disk.r_s);
}

Test(ledger_segment, a_late_reading_of_the_disk_is_divided_over_its_intervals)
{
	load_from(0);
	disk(10, 0, 101, 0, true);
	/* The recorder did not get the CPU for a while. */
	disk(1000, 101, 501, 4, true);
	cr_assert_eq(entry(0)->disk.reads, 10);
	for (size_t k = 1; k < 5; k++) {
		cr_assert_geq(entry(k)->disk.reads, 245, "%zu", k);
		cr_assert_leq(entry(k)->disk.reads, 255, "%zu", k);
		cr_assert(entry(k)->flags & IOB_INTERVAL_DISK);
	}
	cr_assert_eq(entry(1)->disk.reads + entry(2)->disk.reads + entry(3)->disk.reads +
			     entry(4)->disk.reads,
		1000);
	cr_assert_eq(ledger.segment[0].disk.reads, 1010);
	/* One that came late within the next interval is not spread into it. */
	disk(50, 501, 603, 5, true);
	cr_assert_eq(entry(5)->disk.reads, 50);
	cr_assert_eq(ledger.timeline.count, 6);
}
