/* SPDX-License-Identifier: MIT */
#include "ui/history.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/ui_source.h"

static struct iob_fake fake;
static struct iob_source source;
static struct iob_history h;

static void begin(void)
{
	iob_fake_open(&fake);
	source = iob_fake_source(&fake);
}

static void end(void)
{
	iob_history_free(&h);
	iob_fake_close(&fake);
}

static void at(uint64_t ms)
{
	fake.now_ms = ms;
	iob_history_update(&h, &source, ms / 100, false);
}

TestSuite(history, .init = begin, .fini = end, .timeout = 20);

Test(history, nothing_is_lost_or_counted_twice_however_often_it_is_fed)
{
	uint64_t sum = 0;

	for (uint64_t ms = 0; ms <= 60000; ms += 130)
		at(ms);
	for (size_t i = 0; i < h.count; i++)
		sum += h.point[i].ios[IOB_READ];
	/* 599 closed intervals of 7000 reads, ten of them in the stall. */
	cr_assert_eq(h.closed, 599);
	cr_assert_eq(sum, (599 - 10) * 7000);
}

Test(history, a_stall_is_a_zero_and_not_a_gap)
{
	at(30000);
	struct iob_bar bar = iob_history_bar(&h, IOB_METRIC_IOPS, 38, 2);

	cr_assert_eq(bar.kind, IOB_BAR_VALUE);
	cr_assert_eq(bar.value, 0);
	bar = iob_history_bar(&h, IOB_METRIC_IOPS, 36, 2);
	cr_assert_float_eq(bar.value, 100e3, 1);
	cr_assert_float_eq(bar.part, 70e3, 1);
}

Test(history, a_second_that_has_just_begun_shows_its_rate_and_not_a_dip)
{
	at(30700);
	struct iob_bar bar = iob_history_bar(&h, IOB_METRIC_IOPS, 60, 2);

	cr_assert_eq(bar.kind, IOB_BAR_VALUE);
	cr_assert_float_eq(bar.value, 100e3, 1);
	/* Before it is half a second old it is not there at all. */
	cr_assert_eq(iob_history_bar(&h, IOB_METRIC_IOPS, 61, 1).kind, IOB_BAR_NONE);
}

Test(history, a_pause_is_a_gap)
{
	struct iob_live live = fake.live;

	at(10000);
	live.paused = true;
	iob_fake_adopt(&fake, &live);
	at(15000);
	cr_assert_eq(iob_history_bar(&h, IOB_METRIC_IOPS, 24, 2).kind, IOB_BAR_GAP);
	cr_assert_eq(iob_history_bar(&h, IOB_METRIC_P99, 24, 2).kind, IOB_BAR_GAP);
}

Test(history, columns_keep_their_members_as_time_goes_on)
{
	struct iob_bar a[10], b[10];

	at(20500);
	long first = iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){2, 1, 0}, a, 10);
	at(20900);
	long same = iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){2, 1, 0}, b, 10);
	cr_assert_eq(first, same);
	for (int i = 0; i < 9; i++)
		cr_assert_eq(a[i].value, b[i].value);
	at(21500);
	cr_assert_eq(iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){2, 1, 0}, b, 10),
		first + 2);
	cr_assert_eq(a[1].value, b[0].value);
}

Test(history, a_young_run_stands_at_the_right_edge)
{
	struct iob_bar bars[10];

	at(3000);
	cr_assert_eq(iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){2, 1, 0}, bars, 10),
		-14);
	cr_assert_eq(bars[6].kind, IOB_BAR_NONE);
	cr_assert_eq(bars[7].kind, IOB_BAR_VALUE);
	cr_assert_eq(bars[9].kind, IOB_BAR_VALUE);
}

Test(history, both_samples_of_a_braille_cell_lie_in_one_second)
{
	struct iob_bar bars[8];

	cr_assert_eq(iob_history_fold(1, 2), 1);
	cr_assert_eq(iob_history_fold(1, 1), 2);
	cr_assert_eq(iob_history_fold(10, 2), 10);
	at(10500);
	cr_assert_eq(
		iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){1, 2, 0}, bars, 8) % 2,
		0);
}

Test(history, what_comes_late_is_seen_when_all_is_read_again)
{
	at(500000);
	/* As if the first minute had been empty when it was read. */
	memset(h.point, 0, 120 * sizeof(h.point[0]));
	iob_history_update(&h, &source, 5000, true);
	cr_assert_float_eq(iob_history_bar(&h, IOB_METRIC_IOPS, 4, 2).value, 100e3, 1);
}

Test(history, other_metrics_fold_too)
{
	at(5000);
	cr_assert_float_eq(
		iob_history_bar(&h, IOB_METRIC_MIB, 2, 2).value, 100e3 * 4096 / (1 << 20), 0.1);
	cr_assert_eq(iob_history_bar(&h, IOB_METRIC_P99, 2, 2).value, 300000);
	cr_assert_eq(iob_history_bar(&h, IOB_METRIC_MAX, 2, 2).value, 900000);
	cr_assert_float_eq(iob_history_bar(&h, IOB_METRIC_UTIL, 2, 2).value, 98, 1e-6);
	cr_assert_eq(iob_history_bar(&h, IOB_METRIC_P999, 2, 2).value, 500000);
	cr_assert_float_eq(iob_history_bar(&h, IOB_METRIC_P50, 2, 2).value, 100000, 1);
	/* 100k a second of 120 us each are 12 in flight. */
	cr_assert_float_eq(iob_history_bar(&h, IOB_METRIC_DEPTH, 2, 2).value, 12, 0.01);
}

Test(history, panning_back_shows_the_columns_before)
{
	struct iob_bar a[10], b[10];

	at(20500);
	long first = iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){2, 1, 0}, a, 10);
	cr_assert_eq(iob_history_bars(&h, IOB_METRIC_IOPS, (struct iob_columns){2, 1, 3}, b, 10),
		first - 6);
	cr_assert_eq(a[0].value, b[3].value);
}

Test(history, each_metric_is_found_by_its_word)
{
	for (int i = 0; i < IOB_NMETRICS; i++)
		cr_assert_eq(
			iob_metric_find(iob_metric_word((enum iob_metric)i)), (enum iob_metric)i);
	cr_assert_eq(iob_metric_find("iop"), IOB_NMETRICS);
}
