/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/clock.h"
#include "measure/segment.h"

TestSuite(segment, .timeout = 10);

#define T0 (50 * IOB_NS_PER_S)

static struct iob_hist reads, writes;

/* 1000 reads of 100 us and 500 writes of 2 ms in two seconds. */
static struct iob_segment sample(void)
{
	struct iob_segment s = {
		.id = 3,
		.stage = 1,
		.kind = IOB_SEGMENT_LOAD,
		.from_ns = T0 + 1500 * IOB_NS_PER_MS,
		.to_ns = T0 + 3500 * IOB_NS_PER_MS,
		.hist = {&reads, &writes, NULL},
		.syncs = 4,
		.sync_sum_ns = 4000,
		.sync_max_ns = 2500,
		.cpu_ns = IOB_NS_PER_S,
	};

	reads = writes = (struct iob_hist){0};
	reads.total = reads.count[iob_hist_index(100000)] = 1000;
	writes.total = writes.count[iob_hist_index(2000000)] = 500;
	s.dir[IOB_READ] = (struct iob_tally){.ios = 1000,
		.bytes = 4096000,
		.issued = 1001,
		.shorts = 1,
		.lat = {1000, 100000000, 1e13, 100000, 100000}};
	s.dir[IOB_WRITE] = (struct iob_tally){.ios = 500,
		.bytes = 512000,
		.errors = 2,
		.lat = {500, 1000000000, 2e15, 2000000, 2000000}};
	return s;
}

Test(segment, rates_are_over_its_own_time)
{
	struct iob_segment s = sample();
	struct iob_segment_figures f;

	iob_segment_figures(&f, &s, T0, T0 + 99 * IOB_NS_PER_S);
	cr_assert_eq(f.id, 3);
	cr_assert_eq(f.stage, 1);
	cr_assert_not(f.open);
	cr_assert_eq(f.from_ms, 1500);
	cr_assert_eq(f.to_ms, 3500);
	cr_assert_float_eq(f.seconds, 2, 1e-9);
	cr_assert_float_eq(f.dir[IOB_READ].iops, 500, 1e-9);
	cr_assert_float_eq(f.dir[IOB_READ].bw, 2048000, 1e-6);
	cr_assert_float_eq(f.dir[IOB_WRITE].iops, 250, 1e-9);
	cr_assert_eq(f.dir[IOB_READ].shorts, 1);
	cr_assert_eq(f.dir[IOB_READ].issued, 1001);
	cr_assert_eq(f.dir[IOB_WRITE].errors, 2);
	cr_assert_eq(f.dir[IOB_TRIM].ios, 0);
	cr_assert_float_eq(f.cpu, 0.5, 1e-9);
	cr_assert_eq(f.syncs, 4);
	cr_assert_float_eq(f.sync_mean_ns, 1000, 1e-9);
	cr_assert_eq(f.sync_max_ns, 2500);
	cr_assert_not(f.has_disk);
}

Test(segment, directions_together_and_depth_by_littles_law)
{
	struct iob_segment s = sample();
	struct iob_segment_figures f;

	iob_segment_figures(&f, &s, T0, 0);
	cr_assert_eq(f.all.ios, 1500);
	cr_assert_eq(f.all.bytes, 4608000);
	cr_assert_float_eq(f.all.iops, 750, 1e-9);
	cr_assert_eq(f.all.lat.n, 1500);
	cr_assert_eq(f.all.lat.min_ns, 100000);
	cr_assert_eq(f.all.lat.max_ns, 2000000);
	cr_assert_float_eq(f.all.lat.mean_ns, 1100000000.0 / 1500, 1e-3);
	cr_assert_float_eq((double)f.all.lat.percentile_ns[IOB_P50], 100000, 1000);
	cr_assert_eq(f.all.lat.percentile_ns[IOB_P99], 2000000);
	cr_assert_float_eq(f.depth, 0.55, 1e-9);
}

Test(segment, an_open_one_is_measured_up_to_now)
{
	struct iob_segment s = sample();
	struct iob_segment_figures f;

	s.to_ns = 0;
	iob_segment_figures(&f, &s, T0, T0 + 2500 * IOB_NS_PER_MS);
	cr_assert(f.open);
	cr_assert_float_eq(f.seconds, 1, 1e-9);
	cr_assert_float_eq(f.dir[IOB_READ].iops, 1000, 1e-9);
	cr_assert_eq(f.to_ms, 2500);
	/* No time at all: no rates, and nothing that is not a number. */
	iob_segment_figures(&f, &s, T0, s.from_ns);
	cr_assert_eq(f.dir[IOB_READ].iops, 0);
	cr_assert_eq(f.depth, 0);
	cr_assert_eq(f.cpu, 0);
	iob_segment_figures(&f, &s, T0, s.from_ns - 5);
	cr_assert_eq(f.seconds, 0);
}

Test(segment, disk_figures_are_over_the_time_that_the_counters_cover)
{
	struct iob_segment s = sample();
	struct iob_segment_figures f;

	s.disk.reads = 100;
	s.disk_ns = IOB_NS_PER_S / 2;
	iob_segment_figures(&f, &s, T0, 0);
	cr_assert(f.has_disk);
	cr_assert_float_eq(f.disk.r_s, 200, 1e-9);
}
