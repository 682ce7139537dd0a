/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "result/fio_logs.h"

static char text[IOB_FIO_LOG_HIST_ROOM];
static char *end;

static void set_up(void)
{
	end = text;
}

TestSuite(fio_logs, .init = set_up);

static void expect(const char *want)
{
	*end = '\0';
	cr_expect_str_eq(text, want);
}

Test(fio_logs, names)
{
	char path[32];

	cr_expect_eq(iob_fio_log_path(path, sizeof(path), "d/x", IOB_FIO_LOG_BW, 1), 0);
	cr_expect_str_eq(path, "d/x_bw.1.log");
	cr_expect_eq(iob_fio_log_path(path, sizeof(path), "x", IOB_FIO_LOG_IOPS, 12), 0);
	cr_expect_str_eq(path, "x_iops.12.log");
	cr_expect_eq(iob_fio_log_path(path, sizeof(path), "x", IOB_FIO_LOG_HIST, 0), 0);
	cr_expect_str_eq(path, "x_clat_hist.log");
	cr_expect_eq(iob_fio_log_path(path, 8, "abcdefgh", IOB_FIO_LOG_LAT, 0), -ENAMETOOLONG);
}

static const struct iob_io_record record = {.done_ns = 1999999,
	.slat_ns = 1000,
	.clat_ns = 500000,
	.offset = 8192,
	.bytes = 4096,
	.priority = 0x4002,
	.dir = IOB_WRITE,
	.high = 1};

Test(fio_logs, a_line_for_each_transfer)
{
	struct iob_fio_log_options o = {.value = IOB_FIO_LOG_BOTH};

	for (int kind = 0; kind < IOB_FIO_LOG_HIST; kind++)
		end = iob_fio_log_record(end, (enum iob_fio_log)kind, &o, &record);
	expect("1, 8000, 1, 4096, 1\n"   /* 4 KiB in half a ms, KiB/s */
	       "1, 1, 1, 4096, 1\n"      /* iops */
	       "1, 1000, 1, 4096, 1\n"   /* slat */
	       "1, 500000, 1, 4096, 1\n" /* clat */
	       "1, 501000, 1, 4096, 1\n");
}

Test(fio_logs, columns_on_demand)
{
	struct iob_fio_log_options o = {
		.offset = true, .priority = true, .epoch_ms = 1700000000000};

	end = iob_fio_log_record(end, IOB_FIO_LOG_CLAT, &o, &record);
	expect("1700000000001, 500000, 1, 4096, 8192, 0x4002\n");
}

Test(fio_logs, without_a_slat_there_is_no_line_and_lat_is_clat)
{
	struct iob_fio_log_options o = {0};
	struct iob_io_record r = record;

	r.slat_ns = IOB_IO_NO_SLAT;
	end = iob_fio_log_record(end, IOB_FIO_LOG_SLAT, &o, &r);
	end = iob_fio_log_record(end, IOB_FIO_LOG_LAT, &o, &r);
	expect("1, 500000, 1, 4096, 1\n");
}

static const struct iob_log_window window = {.index = 3,
	.end_ns = 2000000000,
	.dir[IOB_READ] = {
		.ios = 100, .bytes = 100 * 4096, .clat = {.n = 3, .sum_ns = 1000, .max_ns = 600}}};

Test(fio_logs, windows_say_rates_and_means_and_zero_for_a_stall)
{
	struct iob_fio_log_options o = {.window_ns = 500000000, .directions = 3};

	end = iob_fio_log_window(end, IOB_FIO_LOG_BW, &o, &window);
	end = iob_fio_log_window(end, IOB_FIO_LOG_IOPS, &o, &window);
	end = iob_fio_log_window(end, IOB_FIO_LOG_CLAT, &o, &window);
	expect("2000, 800, 0, 0, 0\n2000, 0, 1, 0, 0\n"
	       "2000, 200, 0, 0, 0\n2000, 0, 1, 0, 0\n"
	       "2000, 333, 0, 0, 0\n2000, 0, 1, 0, 0\n");
}

Test(fio_logs, largest_and_both)
{
	struct iob_fio_log_options o = {
		.window_ns = 500000000, .directions = 1, .value = IOB_FIO_LOG_MAX};

	end = iob_fio_log_window(end, IOB_FIO_LOG_CLAT, &o, &window);
	o.value = IOB_FIO_LOG_BOTH;
	end = iob_fio_log_window(end, IOB_FIO_LOG_CLAT, &o, &window);
	expect("2000, 600, 0, 0, 0\n2000, 333, 600, 0, 0, 0\n");
}

Test(fio_logs, the_last_window_may_be_short)
{
	struct iob_fio_log_options o = {.window_ns = 500000000, .directions = 1};
	struct iob_log_window w = window;

	w.end_ns = 1750000000;
	end = iob_fio_log_window(end, IOB_FIO_LOG_IOPS, &o, &w);
	expect("1750, 400, 0, 0, 0\n");
}

static struct iob_log_hist hist;

/* Columns after the first three, and the sum over them. */
static unsigned columns(unsigned long *sum)
{
	unsigned n = 0;
	char *p = text;

	*sum = 0;
	for (int skip = 0; skip < 3; skip++)
		p = strchr(p, ',') + 1;
	for (;; n++) {
		*sum += strtoul(p, &p, 10);
		if (*p != ',')
			break;
		p++;
	}
	cr_expect_str_eq(p, "\n");
	return n + 1;
}

Test(fio_logs, hist_has_fios_bins_and_loses_nothing)
{
	static const unsigned bins[] = {1856, 928, 464, 232, 116, 58, 29};
	struct iob_fio_log_options o = {0};
	unsigned long sum;

	hist = (struct iob_log_hist){.end_ns = 100000000, .block_size = 4096, .dir = IOB_WRITE};
	hist.count[0] = 1;
	hist.count[1855] = 2;
	hist.count[1856] = 4; /* beyond fio's ceiling of 17 s */
	hist.count[IOB_HIST_BUCKETS] = 8;
	for (o.coarseness = 0; o.coarseness <= IOB_FIO_MAX_COARSENESS; o.coarseness++) {
		end = text;
		end = iob_fio_log_hist(end, &o, &hist);
		*end = '\0';
		cr_expect_eq(strncmp(text, "100, 1, 4096, 1, ", 17), 0, "%.40s", text);
		cr_expect_eq(columns(&sum), bins[o.coarseness]);
		cr_expect_eq(sum, 15);
		cr_expect_str_eq(strrchr(text, ' '), " 14\n");
	}
}

Test(fio_logs, the_longest_lines_have_room)
{
	struct iob_fio_log_options o = {.epoch_ms = UINT64_MAX / 2,
		.window_ns = 1,
		.value = IOB_FIO_LOG_BOTH,
		.offset = true,
		.priority = true,
		.directions = 7};
	static struct iob_log_window w;

	memset(&hist, 0xff, sizeof(hist));
	cr_expect_leq(iob_fio_log_hist(text, &o, &hist) - text, (ptrdiff_t)IOB_FIO_LOG_HIST_ROOM);
	memset(&w, 0xff, sizeof(w));
	for (int kind = 0; kind < IOB_FIO_LOG_HIST; kind++)
		cr_expect_leq(iob_fio_log_window(text, (enum iob_fio_log)kind, &o, &w) - text,
			(ptrdiff_t)IOB_FIO_LOG_ROOM);
}
