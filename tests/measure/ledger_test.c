/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/clock.h"
#include "base/rng.h"
#include "measure/ledger.h"
#include "tests/support/measure_worker.h"

#define T0 (1000 * IOB_NS_PER_S)
#define MS IOB_NS_PER_MS

static struct iob_ledger ledger;
static struct iob_ring *rings;
static struct pretended worker[2];
static struct iob_popped popped;

static void set_up(void)
{
	iob_ledger_init(&ledger, 2);
	rings = pretended_ring(2);
	for (int i = 0; i < 2; i++)
		worker[i] = pretended_new(&rings[i]);
	iob_ledger_begin(&ledger, T0);
}

static void tear_down(void)
{
	iob_ledger_free(&ledger);
	for (int i = 0; i < 2; i++)
		free(worker[i].acc);
	free(rings);
}

TestSuite(ledger, .init = set_up, .fini = tear_down, .timeout = 30);

/* Time in ms since the origin. */
static uint64_t at(uint64_t ms)
{
	return T0 + ms * MS;
}

static void load_from(uint64_t ms)
{
	cr_assert_eq(iob_ledger_segment(
			     &ledger, (uint32_t)ledger.announced, 0, IOB_SEGMENT_LOAD, at(ms)),
		0);
}

static void enter(int w, uint32_t interval, uint16_t flags, uint64_t now_ms)
{
	cr_assert(pretended_push(&worker[w], interval, flags));
	cr_assert(iob_ring_pop(&rings[w], &popped));
	iob_ledger_sample(&ledger, (unsigned)w, &popped, at(now_ms));
}

static void work(int w, int ios, uint64_t ns)
{
	for (int i = 0; i < ios; i++)
		pretended_io(&worker[w], IOB_READ, 4096, ns);
}

static const struct iob_interval *entry(size_t k)
{
	cr_assert_lt(k, ledger.timeline.count);
	return &ledger.timeline.entry[k];
}

static uint64_t timeline_ios(void)
{
	struct iob_interval sum;

	iob_timeline_fold(&sum, ledger.timeline.entry, ledger.timeline.count);
	return sum.dir[0].ios + sum.dir[1].ios + sum.dir[2].ios;
}

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

Test(ledger, samples_ahead_of_their_segment_are_kept_for_it)
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

Test(ledger, ramp_and_pause_are_not_in_the_totals)
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

Test(ledger, idle_stretches_are_marked_and_are_no_stall)
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

/* Whatever the order and the lateness: the sums are those of an independent count. */
Test(ledger, sums_over_timeline_and_segments_equal_the_workers_count)
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

Test(ledger, now_is_the_last_ten_closed_intervals_exactly)
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

Test(ledger, disk_counts_go_to_the_interval_and_by_time_to_the_segments)
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
