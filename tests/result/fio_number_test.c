/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <string.h>

#include "result/fio_coarse.h"
#include "result/fio_number.h"

struct number {
	uint64_t value;
	unsigned digits;
	bool binary;
	enum iob_fio_unit unit;
	char want[24];
};

/* What fio 3.33 printed for these. */
ParameterizedTestParameters(fio_number, as_fio)
{
	static struct number rows[] = {
		{0, 0, true, IOB_FIO_BYTES, "0B"},
		{999, 4, false, IOB_FIO_PLAIN, "999"},
		{9999, 0, true, IOB_FIO_BYTES, "9999B"},
		{10000, 0, true, IOB_FIO_BYTES, "9.77KiB"},
		{10239, 0, true, IOB_FIO_BYTES, "10.00KiB"},
		{10240, 0, true, IOB_FIO_BYTES, "10.0KiB"},
		{102399, 0, true, IOB_FIO_BYTES, "100.0KiB"},
		{102400, 0, true, IOB_FIO_BYTES, "100KiB"},
		{1047552, 0, true, IOB_FIO_BYTES, "1023KiB"},
		{1048575, 0, true, IOB_FIO_BYTES, "1024KiB"},
		{10239590, 0, true, IOB_FIO_BYTES, "10000KiB"},
		{10240000, 0, true, IOB_FIO_BYTES, "9.77MiB"},
		{10239590, 6, true, IOB_FIO_BYTES, "9999.6KiB"},
		{999999, 5, true, IOB_FIO_BYTES, "976.6KiB"},
		{123456, 3, true, IOB_FIO_BYTES, "121KiB"},
		{123456, 1, true, IOB_FIO_BYTES, "0MiB"},
		{429361, 0, false, IOB_FIO_PLAIN, "429k"},
		{14601, 0, false, IOB_FIO_PLAIN, "14.6k"},
		{6875314, 0, false, IOB_FIO_PLAIN, "6875k"},
		{3258456, 6, false, IOB_FIO_PLAIN, "3258.5k"},
		{12153000, 6, false, IOB_FIO_PLAIN, "12153k"},
		{17814349, 0, true, IOB_FIO_BYTE_RATE, "17.0MiB/s"},
		{17814349, 0, false, IOB_FIO_BYTE_RATE, "17.8MB/s"},
		{912000000, 0, false, IOB_FIO_BIT_RATE, "7296Mbit/s"},
		{912000000, 0, true, IOB_FIO_BIT_RATE, "6958Mibit/s"},
		{183677403136, 0, true, IOB_FIO_BYTES, "171GiB"},
		{183677403136, 0, false, IOB_FIO_BYTES, "184GB"},
		{UINT64_MAX, 0, false, IOB_FIO_BYTES, "18.4EB"},
		{UINT64_MAX, 0, true, IOB_FIO_BIT_RATE, "16.0Eibit/s"},
	};

	return cr_make_param_array(struct number, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct number *row, fio_number, as_fio)
{
	char buf[IOB_FIO_NUMBER_MAX];

	iob_fio_number(buf, sizeof(buf), row->value, row->digits, row->binary, row->unit);
	cr_expect_str_eq(buf, row->want);
}

Test(fio_number, rows_change_their_unit_only_if_all_of_it_is_large)
{
	cr_expect_str_eq(iob_fio_row_unit(2001, 100000, 1001).name, "usec");
	cr_expect_str_eq(iob_fio_row_unit(2000, 100000, 1001).name, "nsec");
	cr_expect_str_eq(iob_fio_row_unit(2001, 99999, 1001).name, "nsec");
	cr_expect_str_eq(iob_fio_row_unit(2001, 100000, 1000).name, "nsec");
	cr_expect_str_eq(iob_fio_row_unit(2000001, 100000000, 1e6 + 1).name, "msec");
	cr_expect_str_eq(iob_fio_row_unit(2000001, 99999999, 1e6 + 1).name, "usec");
	cr_expect_str_eq(iob_fio_percentile_unit(2001, 100000).name, "usec");
	cr_expect_str_eq(iob_fio_percentile_unit(2000001, 100000000).name, "msec");
}

Test(fio_number, percentiles_are_rounded_up)
{
	struct iob_fio_time_unit us = iob_fio_percentile_unit(2001, 100000);
	struct iob_fio_time_unit ms = iob_fio_percentile_unit(2000001, 100000000);

	cr_expect_eq(iob_fio_percentile_in(us, 4000), 4);
	cr_expect_eq(iob_fio_percentile_in(us, 4001), 5);
	cr_expect_eq(iob_fio_percentile_in(ms, 4000000), 4);
	cr_expect_eq(iob_fio_percentile_in(ms, 4000001), 5);
}

static struct iob_hist hist;

Test(fio_number, latencies_fall_into_the_slot_below_their_bound)
{
	struct iob_fio_latencies lat = {0};

	hist.count[iob_hist_index(1)] = 1;
	hist.count[iob_hist_index(2)] = 1;
	hist.count[iob_hist_index(999)] = 1;
	hist.count[iob_hist_index(1500)] = 1;
	hist.count[iob_hist_index(300000)] = 2;
	hist.count[iob_hist_index(1500000)] = 1;
	hist.count[iob_hist_index(5000000000)] = 1;
	hist.count[IOB_HIST_BUCKETS] = 2;
	iob_fio_latencies_add(&lat, &hist, 10);
	cr_expect_float_eq(lat.ns[0], 10, 1e-9);
	cr_expect_float_eq(lat.ns[1], 10, 1e-9);
	cr_expect_float_eq(lat.ns[9], 10, 1e-9);
	cr_expect_float_eq(lat.us[0], 10, 1e-9);
	cr_expect_float_eq(lat.us[7], 20, 1e-9);
	cr_expect_float_eq(lat.ms[0], 10, 1e-9);
	cr_expect_float_eq(lat.ms[11], 30, 1e-9);
}

Test(fio_number, a_bucket_on_a_bound_is_divided)
{
	struct iob_fio_latencies lat = {0};
	unsigned bucket = iob_hist_index(250000);
	double below = 250000 - (double)iob_hist_low(bucket);
	double width = (double)(iob_hist_low(bucket + 1) - iob_hist_low(bucket));

	cr_assert_gt(below, 0);
	hist.count[bucket] = 100;
	iob_fio_latencies_add(&lat, &hist, 100);
	cr_expect_float_eq(lat.us[6], 100 * below / width, 1e-6);
	cr_expect_float_eq(lat.us[6] + lat.us[7], 100, 1e-6);
}
