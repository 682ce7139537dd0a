/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "measure/hoststat.h"
#include "tests/support/measure_root.h"

TestSuite(hoststat, .timeout = 10);

/* One line of each age that kernels have printed, and names that need care. */
static const char text[] =
	"   8       0 sda 100 20 3000 40 50 60 7000 80 2 900 1000\n"
	"   8       1 sda1 11 22 33 44\n"
	" 104      16 cciss/c0d1 1 2 3 4 5 6 7 8 9 10 11\n"
	"   9     127 md!vol 12 0 96 0 0 0 0 0 0 0 0 5 6 7 8\n"
	" 259       0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
	" 259       1 nvme0n1p1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n"
	" 259      10 odd 1 2 3\n"
	" 259      11 words 1 2 3 4 5 6 x 8 9 10 11\n"
	"\n"
	"   7       0 my  big disk 1 2 3 4 5 6 7 8 9 10 11\n"
	"   7       1 3ware/c0 x/y 1 2 3 4\n"
	"   7       2 alone\n"
	"   7       3 alone and empty \n"
	"  94       4 dasdb 18446744073709551615 0 0 0 0 0 0 0 0 0 0\n"
	"  94       8 big 18446744073709551616 0 0 0 0 0 0 0 0 0 0";

Test(hoststat, eleven_columns)
{
	struct iob_diskstat s;

	cr_assert_eq(iob_diskstat_parse(text, 8, 0, &s), 0);
	cr_assert_eq(s.reads, 100);
	cr_assert_eq(s.read_merges, 20);
	cr_assert_eq(s.read_sectors, 3000);
	cr_assert_eq(s.read_ms, 40);
	cr_assert_eq(s.writes, 50);
	cr_assert_eq(s.write_merges, 60);
	cr_assert_eq(s.write_sectors, 7000);
	cr_assert_eq(s.write_ms, 80);
	cr_assert_eq(s.in_flight, 2);
	cr_assert_eq(s.io_ms, 900);
	cr_assert_eq(s.weighted_ms, 1000);
	cr_assert_eq(s.discards, 0);
	cr_assert_eq(s.flushes, 0);
}

Test(hoststat, four_columns_of_an_old_partition)
{
	struct iob_diskstat s;

	cr_assert_eq(iob_diskstat_parse(text, 8, 1, &s), 0);
	cr_assert_eq(s.reads, 11);
	cr_assert_eq(s.read_sectors, 22);
	cr_assert_eq(s.writes, 33);
	cr_assert_eq(s.write_sectors, 44);
	cr_assert_eq(s.read_merges, 0);
}

Test(hoststat, fifteen_seventeen_and_more_columns)
{
	struct iob_diskstat s;

	cr_assert_eq(iob_diskstat_parse(text, 9, 127, &s), 0);
	cr_assert_eq(s.discards, 5);
	cr_assert_eq(s.discard_ms, 8);
	cr_assert_eq(s.flushes, 0);
	cr_assert_eq(iob_diskstat_parse(text, 259, 0, &s), 0);
	cr_assert_eq(s.flushes, 16);
	cr_assert_eq(s.flush_ms, 17);
	cr_assert_eq(iob_diskstat_parse(text, 259, 1, &s), 0);
	cr_assert_eq(s.flush_ms, 17);
}

Test(hoststat, odd_names_are_only_skipped)
{
	struct iob_diskstat s;

	cr_assert_eq(iob_diskstat_parse(text, 104, 16, &s), 0);
	cr_assert_eq(s.weighted_ms, 11);
	cr_assert_eq(iob_diskstat_parse(text, 94, 4, &s), 0);
	cr_assert_eq(s.reads, UINT64_MAX);
}

Test(hoststat, missing_and_senseless_lines_are_told_apart)
{
	struct iob_diskstat s;

	cr_assert_eq(iob_diskstat_parse(text, 8, 2, &s), -ENOENT);
	cr_assert_eq(iob_diskstat_parse("", 8, 0, &s), -ENOENT);
	cr_assert_eq(iob_diskstat_parse("\n\n\n", 8, 0, &s), -ENOENT);
	cr_assert_eq(iob_diskstat_parse("8 0", 8, 0, &s), -EINVAL);
	cr_assert_eq(iob_diskstat_parse("8 0 sda", 8, 0, &s), -EINVAL);
	cr_assert_eq(iob_diskstat_parse(text, 259, 10, &s), -EINVAL);
	cr_assert_eq(iob_diskstat_parse(text, 259, 11, &s), -EINVAL);
	cr_assert_eq(iob_diskstat_parse(text, 94, 8, &s), -EINVAL);
}

Test(hoststat, names_with_blanks)
{
	struct iob_diskstat s;

	cr_assert_eq(iob_diskstat_parse(text, 7, 0, &s), 0);
	cr_assert_eq(s.reads, 1);
	cr_assert_eq(s.weighted_ms, 11);
	cr_assert_eq(iob_diskstat_parse(text, 7, 1, &s), 0);
	cr_assert_eq(s.write_sectors, 4);
	cr_assert_eq(iob_diskstat_parse(text, 7, 2, &s), -EINVAL);
	cr_assert_eq(iob_diskstat_parse(text, 7, 3, &s), -EINVAL);
}

Test(hoststat, delta_understands_a_wrap_at_32_bits_a_new_start_and_jitter)
{
	struct iob_diskstat a = {
		.reads = UINT64_C(5000000000),
		.read_sectors = UINT32_MAX - 9,
		.writes = 1000000,
		.io_ms = 70000,
		.in_flight = 5,
	};
	struct iob_diskstat b = {
		.reads = UINT64_C(5000000007),
		.read_sectors = 20,
		.writes = 12,
		.io_ms = 69998,
		.in_flight = 1,
	};
	struct iob_diskstat d;

	iob_diskstat_delta(&d, &a, &b);
	cr_assert_eq(d.reads, 7);
	cr_assert_eq(d.read_sectors, 30);
	cr_assert_eq(d.writes, 12);
	cr_assert_eq(d.io_ms, 0);
	cr_assert_eq(d.in_flight, 1);
}

Test(hoststat, split_parts_add_up_to_the_whole)
{
	struct iob_diskstat whole = {.reads = 101, .writes = 1, .flush_ms = 33, .in_flight = 4};
	struct iob_diskstat a, b;

	for (double share = 0; share <= 1.0; share += 0.07) {
		iob_diskstat_split(&a, &b, &whole, share);
		cr_assert_eq(a.reads + b.reads, 101);
		cr_assert_eq(a.writes + b.writes, 1);
		cr_assert_eq(a.flush_ms + b.flush_ms, 33);
		cr_assert_eq(a.in_flight, 4);
		cr_assert_float_eq((double)a.reads, 101 * share, 0.51);
	}
}

Test(hoststat, iostat_figures_of_a_second)
{
	struct iob_diskstat d = {
		.reads = 1000,
		.read_merges = 10,
		.read_sectors = 8000,
		.read_ms = 2000,
		.writes = 0,
		.io_ms = 500,
		.weighted_ms = 2000,
		.flushes = 4,
	};
	struct iob_iostat s;

	iob_iostat_compute(&s, &d, 500000000);
	cr_assert_float_eq(s.r_s, 2000, 1e-9);
	cr_assert_float_eq(s.r_bytes_s, 8192000, 1e-6);
	cr_assert_float_eq(s.rrqm_s, 20, 1e-9);
	cr_assert_float_eq(s.r_await_ms, 2, 1e-9);
	cr_assert_eq(s.w_await_ms, 0);
	cr_assert_float_eq(s.aqu_sz, 4, 1e-9);
	cr_assert_float_eq(s.util, 100, 1e-9);
	cr_assert_float_eq(s.f_s, 8, 1e-9);
	iob_iostat_compute(&s, &d, 1000000000);
	cr_assert_float_eq(s.util, 50, 1e-9);
	d.io_ms = 1020;
	iob_iostat_compute(&s, &d, 1000000000);
	cr_assert_eq(s.util, 100);
	iob_iostat_compute(&s, &d, 0);
	cr_assert_eq(s.r_s, 0);
}

Test(hoststat, reader_sees_new_values_and_a_missing_disk, .init = measure_root_make,
	.fini = measure_root_remove)
{
	static char many[200000];
	struct iob_diskstat_reader r;
	struct iob_diskstat s;
	size_t n = 0;

	/* Longer than the reader's first buffer. */
	for (int i = 0; i < 2000; i++)
		n += (size_t)snprintf(
			many + n, sizeof(many) - n, "  7 %d loop%d 0 0 0 0 0 0 0 0 0 0 0\n", i, i);
	snprintf(many + n, sizeof(many) - n, "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n");
	measure_root_put("diskstats", many);
	cr_assert_eq(iob_diskstat_open(&r, measure_root, 8, 0, NULL), 0);
	cr_assert_eq(iob_diskstat_read(&r, &s), 0);
	cr_assert_eq(s.reads, 1);
	measure_root_put("diskstats", "8 0 sda 2 0 0 0 0 0 0 0 0 0 0\n");
	cr_assert_eq(iob_diskstat_read(&r, &s), 0);
	cr_assert_eq(s.reads, 2);
	measure_root_put("diskstats", "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");
	cr_assert_eq(iob_diskstat_read(&r, &s), -ENOENT);
	iob_diskstat_close(&r);
	cr_assert_lt(iob_diskstat_read(&r, &s), 0);
	iob_diskstat_close(&r);
}

Test(hoststat, no_diskstats_is_an_error_with_the_path, .init = measure_root_make,
	.fini = measure_root_remove)
{
	struct iob_diskstat_reader r;
	struct iob_error err = {0};

	cr_assert_eq(iob_diskstat_open(&r, measure_root, 8, 0, &err), -ENOENT);
	cr_assert_not_null(strstr(err.text, "/proc/diskstats"));
	iob_diskstat_close(&r);
}

Test(hoststat, cpu_times_leave_out_idle_and_do_not_count_guests_twice, .init = measure_root_make,
	.fini = measure_root_remove)
{
	struct iob_cpustat c;

	measure_root_put(
		"stat", "cpu  10 20 30 400 50 6 7 8 9 10\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 1 2\n");
	cr_assert_eq(iob_cpustat_read(measure_root, &c), 0);
	cr_assert_eq(c.busy, 10 + 20 + 30 + 6 + 7 + 8);
	cr_assert_eq(c.total, 10 + 20 + 30 + 400 + 50 + 6 + 7 + 8);
	cr_assert_eq(c.cpus, 2);
	measure_root_put("stat", "nothing of use\n");
	cr_assert_eq(iob_cpustat_read(measure_root, &c), -EINVAL);
	cr_assert_eq(iob_cpustat_read("/nonexistent", &c), -ENOENT);
}
