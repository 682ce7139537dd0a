/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/clock.h"
#include "measure/diskset.h"
#include "measure/diskwatch.h"
#include "tests/support/measure_root.h"

TestSuite(diskwatch, .init = measure_root_make, .fini = measure_root_remove, .timeout = 10);

static struct iob_diskwatch watch;
static const struct iob_diskline sda = {8, 0, 8, 0, "sda"};

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
	iob_diskwatch_open(&watch, measure_root, &sda, at(0));
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
	iob_diskwatch_open(&watch, measure_root, &sda, at(0));
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

/* Who opened the target has read them before the load began. */
Test(diskwatch, begins_with_what_was_read_before)
{
	const struct iob_diskwatch_point before = {.ns = at(0), .stat = {.reads = 450}};
	struct iob_diskstat delta;
	uint64_t from;

	counters(500);
	cr_assert(iob_diskwatch_open(&watch, measure_root, &sda, at(5)));
	iob_diskwatch_begin_at(&watch, &before);
	counters(510);
	cr_assert(iob_diskwatch_read(&watch, at(6), &delta, &from));
	cr_assert_eq(delta.reads, 60);
	cr_assert_eq(from, at(0));
	cr_assert_not(iob_diskwatch_open(&watch, measure_root, &sda, at(7)), "it is watched on");
	iob_diskwatch_leave(&watch);
	cr_assert_not(iob_diskwatch_read(&watch, at(8), &delta, &from));
	iob_diskwatch_close(&watch);
}

Test(diskwatch, a_disk_that_goes_and_comes_back_starts_anew)
{
	struct iob_diskstat delta;
	struct iob_iostat io;
	uint64_t from;

	counters(500);
	iob_diskwatch_open(&watch, measure_root, &sda, at(0));
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

Test(diskwatch, of_a_partition_its_own_line_counts_and_the_rest_of_its_disk_lies_beside_it)
{
	static const struct iob_diskline sda1 = {8, 1, 8, 0, "sda"};
	struct iob_diskstat delta;
	uint64_t from = 0;

	measure_root_put("diskstats", "8 0 sda 900 0 9000 0 500 0 5000 0 0 0 0\n"
				      "8 1 sda1 100 0 1000 0 50 0 500 0 0 0 0\n");
	iob_diskwatch_open(&watch, measure_root, &sda1, at(0));
	measure_root_put("diskstats", "8 0 sda 915 0 9120 0 500 0 5000 0 0 0 0\n"
				      "8 1 sda1 110 0 1080 0 50 0 500 0 0 0 0\n");
	cr_assert(iob_diskwatch_read(&watch, at(1), &delta, &from));
	cr_expect_eq(delta.reads, 10);
	cr_expect_eq(delta.read_sectors, 80);
	cr_expect_eq(watch.beside.reads, 5);
	cr_expect_eq(watch.beside.read_sectors, 40);
	cr_expect_eq(watch.beside.writes, 0);
	cr_assert(iob_diskwatch_read(&watch, at(2), &delta, &from));
	cr_expect_eq(watch.beside.reads, 0);
	iob_diskwatch_close(&watch);
}

#define HEAD "259 1 nvme0n1 %u 0 0 0 0 0 0 0 0 0 0\n"
static const struct iob_diskline nvme = {259, 1, 259, 1, "nvme0n1"};

static void head(unsigned reads)
{
	char line[128];

	snprintf(line, sizeof(line), HEAD, reads);
	measure_root_put("diskstats", line);
}

static void path(const char *name, unsigned reads)
{
	char file[128], line[128];

	snprintf(file, sizeof(file), "sys/class/nvme/%s/stat", name);
	/* As /sys/block/X/stat has it: 11 numbers up to 4.17, 17 since 5.5. */
	snprintf(line, sizeof(line), "%8u 0 %u 0 0 0 0 0 1 0 0 0 0 0 0 0 0\n", reads, 8 * reads);
	measure_root_write(file, line);
}

Test(diskwatch, where_a_multipath_disk_counts_nothing_the_sum_over_its_paths_does)
{
	struct iob_diskstat delta;
	uint64_t from = 0;

	head(0);
	path("nvme0/nvme0c0n1", 1000);
	path("nvme1/nvme0c1n1", 500);
	path("nvme1/nvme0c1n2", 7); /* another disk's */
	path("nvme2/nvme2c2n1", 7);
	iob_diskwatch_open(&watch, measure_root, &nvme, at(0));
	path("nvme0/nvme0c0n1", 1010);
	path("nvme1/nvme0c1n1", 503);
	path("nvme1/nvme0c1n2", 99);
	cr_assert(iob_diskwatch_read(&watch, at(1), &delta, &from));
	cr_expect_eq(delta.reads, 13);
	cr_expect_eq(delta.read_sectors, 104);
	cr_expect_eq(delta.in_flight, 2);
	cr_expect_eq(iob_diskwatch_paths(&watch), 2);
	/* One that fails: the file is empty, and what it had counted stays. */
	measure_root_write("sys/class/nvme/nvme0/nvme0c0n1/stat", "");
	path("nvme1/nvme0c1n1", 504);
	cr_assert(iob_diskwatch_read(&watch, at(2), &delta, &from));
	cr_expect_eq(delta.reads, 1);
	iob_diskwatch_close(&watch);
}

Test(diskwatch, newer_kernels_name_the_paths_below_the_disk)
{
	struct iob_diskstat delta;
	uint64_t from = 0;

	head(0);
	measure_root_write("sys/block/nvme0n1/multipath/nvme0c3n1/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
	path("nvme0/nvme0c0n1", 1000);
	iob_diskwatch_open(&watch, measure_root, &nvme, at(0));
	cr_expect_eq(iob_diskwatch_paths(&watch), 0, "nobody has counted anything yet");
	measure_root_write("sys/block/nvme0n1/multipath/nvme0c3n1/stat", "5 0 0 0 0 0 0 0 0 0 0\n");
	cr_assert(iob_diskwatch_read(&watch, at(1), &delta, &from));
	cr_expect_eq(delta.reads, 5);
	cr_expect_eq(iob_diskwatch_paths(&watch), 1);
	iob_diskwatch_close(&watch);
}

Test(diskwatch, a_multipath_disk_that_counts_is_believed)
{
	struct iob_diskstat delta;
	uint64_t from = 0;

	head(100);
	path("nvme0/nvme0c0n1", 1000);
	iob_diskwatch_open(&watch, measure_root, &nvme, at(0));
	head(107);
	path("nvme0/nvme0c0n1", 2000);
	cr_assert(iob_diskwatch_read(&watch, at(1), &delta, &from));
	cr_expect_eq(delta.reads, 7);
	cr_expect_eq(iob_diskwatch_paths(&watch), 0);
	iob_diskwatch_close(&watch);
}

Test(diskwatch, a_set_of_all_disks_knows_the_paths_too)
{
	static struct iob_diskset set;
	struct iob_diskstat found;
	unsigned paths = 0;

	measure_root_put("diskstats", "8 0 sda 3 0 0 0 0 0 0 0 0 0 0\n"
				      "259 1 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n");
	path("nvme0/nvme0c0n1", 1000);
	path("nvme1/nvme0c1n1", 500);
	path("nvme1/nvme1c1n1", 9);
	cr_assert_eq(iob_diskset_read(&set, measure_root), 0);
	cr_assert(iob_diskset_find(&set, 259, 1, "nvme0n1", &found, &paths));
	cr_expect_eq(found.reads, 1500);
	cr_expect_eq(paths, 2);
	cr_assert(iob_diskset_find(&set, 8, 0, "sda", &found, &paths));
	cr_expect_eq(found.reads, 3);
	cr_expect_eq(paths, 0);
	iob_diskset_free(&set);
}

Test(diskwatch, no_disk_at_all_is_no_error)
{
	struct iob_diskstat delta;
	uint64_t from;

	cr_assert_not(iob_diskwatch_read(&watch, at(0), &delta, &from));
	iob_diskwatch_open(&watch, measure_root, &sda, at(0));
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
