/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/clock.h"
#include "measure/diskwatch.h"
#include "tests/support/measure_root.h"

TestSuite(diskwatch, .init = measure_root_make, .fini = measure_root_remove, .timeout = 10);

static struct iob_diskwatch watch;

static void counters(unsigned reads)
{
	char line[128];

	snprintf(line, sizeof(line), "8 0 sda %u 0 0 0 0 0 0 0 0 0 0\n", reads);
	measure_root_put("diskstats", line);
}

static uint64_t at(unsigned tenths)
{
	return (100 + tenths) * 100 * IOB_NS_PER_MS;
}

Test(diskwatch, the_first_reading_is_a_base_and_each_next_a_difference)
{
	struct iob_diskstat delta;
	uint64_t from = 0;

	counters(1000);
	iob_diskwatch_open(&watch, measure_root, 8, 0, at(0));
	cr_assert(watch.valid);
	counters(1007);
	cr_assert(iob_diskwatch_read(&watch, at(1), &delta, &from));
	cr_assert_eq(delta.reads, 7);
	cr_assert_eq(from, at(0));
	counters(1008);
	cr_assert(iob_diskwatch_read(&watch, at(2), &delta, &from));
	cr_assert_eq(delta.reads, 1);
	cr_assert_eq(from, at(1));
	iob_diskwatch_close(&watch);
}

Test(diskwatch, figures_are_those_of_the_last_second)
{
	struct iob_diskstat delta;
	struct iob_iostat io;
	uint64_t from;

	counters(0);
	iob_diskwatch_open(&watch, measure_root, 8, 0, at(0));
	cr_assert_not(iob_diskwatch_figures(&watch, &io));
	for (unsigned i = 1; i <= 40; i++) {
		counters(i <= 20 ? i * 10 : 200 + (i - 20) * 50);
		iob_diskwatch_read(&watch, at(i), &delta, &from);
		iob_diskwatch_keep(&watch);
		if (i == 20) {
			cr_assert(iob_diskwatch_figures(&watch, &io));
			cr_assert_float_eq(io.r_s, 100, 1e-6);
		}
	}
	cr_assert(iob_diskwatch_figures(&watch, &io));
	cr_assert_float_eq(io.r_s, 500, 1e-6);
	iob_diskwatch_close(&watch);
}

Test(diskwatch, a_disk_that_goes_and_comes_back_starts_anew)
{
	struct iob_diskstat delta;
	struct iob_iostat io;
	uint64_t from;

	counters(500);
	iob_diskwatch_open(&watch, measure_root, 8, 0, at(0));
	measure_root_put("diskstats", "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");
	cr_assert_not(iob_diskwatch_read(&watch, at(1), &delta, &from));
	cr_assert_not(watch.valid);
	cr_assert_not(iob_diskwatch_figures(&watch, &io));
	counters(3);
	cr_assert_not(iob_diskwatch_read(&watch, at(2), &delta, &from));
	counters(5);
	cr_assert(iob_diskwatch_read(&watch, at(3), &delta, &from));
	cr_assert_eq(delta.reads, 2);
	cr_assert_eq(from, at(2));
	iob_diskwatch_close(&watch);
}

Test(diskwatch, no_disk_at_all_is_no_error)
{
	struct iob_diskstat delta;
	uint64_t from;

	cr_assert_not(iob_diskwatch_read(&watch, at(0), &delta, &from));
	iob_diskwatch_open(&watch, measure_root, 8, 0, at(0));
	cr_assert_not(watch.valid);
	cr_assert_not(iob_diskwatch_read(&watch, at(1), &delta, &from));
	iob_diskwatch_close(&watch);
	iob_diskwatch_close(&watch);
}

Test(diskwatch, cpu_share_is_that_between_two_readings_a_second_apart)
{
	measure_root_put("stat", "cpu 100 0 0 900 0 0 0 0\n");
	iob_diskwatch_read_cpu(&watch, measure_root, at(0));
	cr_assert_eq(iob_diskwatch_cpu(&watch), 0);
	measure_root_put("stat", "cpu 150 0 0 1050 0 0 0 0\n");
	iob_diskwatch_read_cpu(&watch, measure_root, at(9));
	cr_assert_eq(iob_diskwatch_cpu(&watch), 0, "too early to be read again");
	iob_diskwatch_read_cpu(&watch, measure_root, at(10));
	cr_assert_float_eq(iob_diskwatch_cpu(&watch), 0.25, 1e-9);
	iob_diskwatch_begin_cpu(&watch);
	measure_root_put("stat", "cpu 250 0 0 1050 0 0 0 0\n");
	iob_diskwatch_read_cpu(&watch, measure_root, at(20));
	measure_root_put("stat", "cpu 250 0 0 1350 0 0 0 0\n");
	iob_diskwatch_read_cpu(&watch, measure_root, at(30));
	cr_assert_eq(iob_diskwatch_cpu(&watch), 0);
	cr_assert_float_eq(iob_diskwatch_cpu_in_all(&watch), 0.25, 1e-9, "not the last second");
}
