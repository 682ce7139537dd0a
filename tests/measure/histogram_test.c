/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "measure/histogram.h"
#include "measure/latency.h"

TestSuite(histogram, .timeout = 20);

static void check_value(uint64_t v)
{
	unsigned i = iob_hist_index(v);

	if (v >> IOB_HIST_VALUE_BITS) {
		cr_assert_eq(i, IOB_HIST_BUCKETS, "%lu", v);
		return;
	}
	cr_assert_lt(i, IOB_HIST_BUCKETS, "%lu", v);
	cr_assert_leq(iob_hist_low(i), v, "%lu in bucket %u", v, i);
	cr_assert_lt(v, iob_hist_low(i + 1), "%lu in bucket %u", v, i);
	uint64_t mid = iob_hist_mid(i);
	uint64_t error = mid > v ? mid - v : v - mid;
	cr_assert_leq(error * 128, v, "%lu in bucket %u has midpoint %lu", v, i, mid);
}

Test(histogram, every_power_of_two_and_its_neighbours_is_in_its_bucket)
{
	check_value(0);
	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t v = UINT64_C(1) << bit;

		check_value(v - 1);
		check_value(v);
		check_value(v + 1);
	}
	check_value(UINT64_MAX);
}

Test(histogram, random_values_are_within_one_part_in_128_of_the_midpoint)
{
	struct iob_rng rng;

	iob_rng_seed(&rng, 1, 0);
	for (int i = 0; i < 200000; i++)
		check_value(iob_rng_next(&rng) >> iob_rng_below(&rng, 64));
}

Test(histogram, buckets_follow_each_other_without_gaps)
{
	for (unsigned i = 0; i < IOB_HIST_BUCKETS; i++) {
		cr_assert_eq(iob_hist_index(iob_hist_low(i)), i);
		cr_assert_eq(iob_hist_index(iob_hist_mid(i)), i);
		cr_assert_eq(iob_hist_index(iob_hist_low(i + 1) - 1), i);
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Rank by integer arithmetic in thousandths of a per cent. */
static uint64_t oracle(const uint64_t *sorted, uint64_t n, uint64_t milli_percent)
{
	return sorted[(milli_percent * n + 99999) / 100000 - 1];
}

static void check_against_oracle(uint64_t *v, uint64_t n)
{
	static const uint64_t milli[] = {
		1, 1000, 5000, 25000, 50000, 90000, 99000, 99500, 99900, 99950, 99990, 100000};
	static struct iob_hist h;

	h = (struct iob_hist){0};
	for (uint64_t i = 0; i < n; i++) {
		h.count[iob_hist_index(v[i])]++;
		h.total++;
	}
	qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 0; i < sizeof(milli) / sizeof(milli[0]); i++) {
		uint64_t want = oracle(v, n, milli[i]);
		uint64_t got = iob_hist_percentile(&h, (double)milli[i] / 1000, v[0], v[n - 1]);
		uint64_t error = got > want ? got - want : want - got;

		cr_assert_leq(error * 128, want, "p%g of %lu: %lu, not %lu",
			(double)milli[i] / 1000, n, got, want);
		cr_assert_geq(got, v[0]);
		cr_assert_leq(got, v[n - 1]);
	}
}

Test(histogram, percentiles_agree_with_a_sorted_array)
{
	static const uint64_t sizes[] = {1, 2, 3, 9, 10, 99, 100, 101, 1000, 20000};
	static uint64_t v[20000];
	struct iob_rng rng;

	iob_rng_seed(&rng, 2, 0);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (uint64_t i = 0; i < sizes[s]; i++)
			v[i] = 1 + (iob_rng_next(&rng) >> (24 + iob_rng_below(&rng, 30)));
		check_against_oracle(v, sizes[s]);
	}
}

Test(histogram, rank_is_exact_where_binary_fractions_are_not)
{
	static struct iob_hist h;

	/* 999 fast ones and a slow one: 99.9 % is the last of the fast. */
	h.count[iob_hist_index(100)] = 999;
	h.count[iob_hist_index(100000)] = 1;
	h.total = 1000;
	cr_assert_eq(iob_hist_percentile(&h, 99.9, 100, 100000), 100);
	cr_assert_eq(iob_hist_percentile(&h, 99.91, 100, 100000), 100000);
}

Test(histogram, values_are_clamped_to_the_extremes)
{
	static struct iob_hist h;

	h.count[iob_hist_index(1000000)] = 3;
	h.total = 3;
	cr_assert_eq(iob_hist_percentile(&h, 1, 1000001, 1000005), 1000001);
	cr_assert_leq(iob_hist_percentile(&h, 50, 1000001, 1000005), 1000005);
	cr_assert_geq(iob_hist_percentile(&h, 50, 1000001, 1000005), 1000001);
	cr_assert_eq(iob_hist_percentile(&h, 100, 1000001, 1000005), 1000005);
}

Test(histogram, empty_gives_zero_and_overflow_gives_the_maximum)
{
	static struct iob_hist h;
	uint64_t hours = UINT64_C(7200) * 1000000000;

	cr_assert_eq(iob_hist_percentile(&h, 50, 5, 9), 0);
	h.count[IOB_HIST_BUCKETS] = 2;
	h.count[5] = 2;
	h.total = 4;
	cr_assert_eq(iob_hist_percentile(&h, 75, 5, hours), hours);
	cr_assert_eq(iob_hist_percentile(&h, 50, 5, hours), 5);
}

Test(histogram, many_percentiles_in_one_pass_equal_each_alone)
{
	static struct iob_hist h;
	uint64_t out[IOB_NPERCENTILES];
	struct iob_rng rng;

	iob_rng_seed(&rng, 3, 0);
	for (int i = 0; i < 5000; i++) {
		h.count[iob_hist_index(1 + iob_rng_below(&rng, 1000000))]++;
		h.total++;
	}
	iob_hist_percentiles(&h, iob_percentiles, IOB_NPERCENTILES, 1, 1000000, out);
	for (int i = 0; i < IOB_NPERCENTILES; i++) {
		cr_assert_eq(out[i], iob_hist_percentile(&h, iob_percentiles[i], 1, 1000000));
		cr_assert(i == 0 || out[i] >= out[i - 1]);
	}
}

Test(histogram, a_percentile_is_thin_below_ten_samples_beyond_it)
{
	cr_assert(iob_hist_percentile_is_thin(999, 99));
	cr_assert_not(iob_hist_percentile_is_thin(1000, 99));
	cr_assert(iob_hist_percentile_is_thin(9999, 99.9));
	cr_assert_not(iob_hist_percentile_is_thin(10000, 99.9));
	cr_assert_not(iob_hist_percentile_is_thin(20, 50));
	cr_assert(iob_hist_percentile_is_thin(19, 50));
}

Test(histogram, adding_adds_every_bucket)
{
	static struct iob_hist a, b;

	a.count[0] = 1;
	a.count[IOB_HIST_BUCKETS] = 2;
	a.total = 3;
	b.count[0] = 10;
	b.count[700] = 5;
	b.total = 15;
	iob_hist_add(&b, &a);
	cr_assert_eq(b.total, 18);
	cr_assert_eq(b.count[0], 11);
	cr_assert_eq(b.count[700], 5);
	cr_assert_eq(b.count[IOB_HIST_BUCKETS], 2);
}
