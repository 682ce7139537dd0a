/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "measure/timeline.h"

TestSuite(timeline, .timeout = 10);

Test(timeline, grows_with_zeros_and_keeps_what_was_there)
{
	struct iob_timeline t = {0};

	iob_timeline_at(&t, 3)->errors = 9;
	cr_assert_eq(t.count, 4);
	for (size_t k = 4; k < 20000; k += 37)
		iob_timeline_at(&t, k)->syncs = (uint32_t)k;
	for (size_t k = 4; k < t.count; k++)
		cr_assert_eq(t.entry[k].syncs, (k - 4) % 37 ? 0 : k);
	cr_assert_eq(t.entry[3].errors, 9);
	cr_assert_eq(t.entry[0].errors, 0);
	cr_assert_lt(t.room, 40000);
	cr_assert_null(iob_timeline_at(&t, SIZE_MAX));
	cr_assert_null(iob_timeline_at(&t, SIZE_MAX / 4));
	iob_timeline_free(&t);
	cr_assert_eq(t.count, 0);
	iob_timeline_free(&t);
}

Test(timeline, folding_sums_counts_and_takes_the_largest_percentiles)
{
	struct iob_interval e[3] = {
		{.segment = 1,
			.flags = IOB_INTERVAL_IDLE | IOB_INTERVAL_DISK,
			.disk = {.reads = 5, .in_flight = 3}},
		{.segment = 2,
			.errors = 4,
			.syncs = 1,
			.dir[IOB_WRITE] = {10, 40960, 1000, 90, 200, 210, 220},
			.disk = {.reads = 6, .in_flight = 8}},
		{.segment = 2,
			.flags = IOB_INTERVAL_LATE,
			.errors = 1,
			.dir[IOB_WRITE] = {1, 4096, 5000, 5000, 5000, 5000, 5000}},
	};
	struct iob_interval sum;

	iob_timeline_fold(&sum, e, 3);
	cr_assert_eq(sum.segment, 2);
	cr_assert_eq(sum.flags, IOB_INTERVAL_DISK | IOB_INTERVAL_LATE);
	cr_assert_eq(sum.errors, 5);
	cr_assert_eq(sum.syncs, 1);
	cr_assert_eq(sum.dir[IOB_WRITE].ios, 11);
	cr_assert_eq(sum.dir[IOB_WRITE].bytes, 45056);
	cr_assert_eq(sum.dir[IOB_WRITE].sum_ns, 6000);
	cr_assert_eq(sum.dir[IOB_WRITE].p50_ns, 5000);
	cr_assert_eq(sum.dir[IOB_WRITE].max_ns, 5000);
	cr_assert_eq(sum.dir[IOB_READ].ios, 0);
	cr_assert_eq(sum.disk.reads, 11);
	iob_timeline_fold(&sum, e, 1);
	cr_assert(sum.flags & IOB_INTERVAL_IDLE);
	cr_assert_eq(sum.disk.in_flight, 3);
	iob_timeline_fold(&sum, e, 0);
	cr_assert_eq(sum.flags, 0);
}
