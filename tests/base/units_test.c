/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <criterion/theories.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

TestSuite(units, .timeout = 10);

struct value {
	char text[40];
	uint64_t expected;
};

struct refusal {
	char text[48];
	int code;
};

ParameterizedTestParameters(units, size_is_parsed)
{
	static struct value rows[] = {
		{"0", 0},
		{"1", 1},
		{"4096", 4096},
		{"512b", 512},
		{"4k", 4096},
		{"4K", 4096},
		{"4KiB", 4096},
		{"4ki", 4096},
		{"4kB", 4000},
		{"4kb", 4000},
		{"1m", 1048576},
		{"1.5m", 1572864},
		{"1.50000m", 1572864},
		{"0.5k", 512},
		{"1.5kB", 1500},
		{"007", 7},
		{"1g", UINT64_C(1) << 30},
		{"1GB", 1000000000},
		{"2t", UINT64_C(2) << 40},
		{"3TB", UINT64_C(3000000000000)},
		{"1p", UINT64_C(1) << 50},
		{"1PB", UINT64_C(1000000000000000)},
		{"16383p", UINT64_C(16383) << 50},
		{"18446744073709551615", UINT64_MAX},
		{"0.00048828125g", 524288},
	};

	return cr_make_param_array(struct value, rows, COUNT(rows));
}

ParameterizedTest(struct value *v, units, size_is_parsed)
{
	uint64_t out = 0;
	const char *why = NULL;

	cr_assert_eq(iob_parse_size(v->text, &out, &why), 0, "%s: %s", v->text, why);
	cr_assert_eq(out, v->expected, "%s is %llu", v->text, (unsigned long long)out);
}

ParameterizedTestParameters(units, size_is_refused)
{
	static struct refusal rows[] = {
		{"", -EINVAL},
		{"4x", -EINVAL},
		{"-1", -EINVAL},
		{"+1", -EINVAL},
		{" 1", -EINVAL},
		{"1 ", -EINVAL},
		{"4 k", -EINVAL},
		{"1e3", -EINVAL},
		{"0x10", -EINVAL},
		{"4kk", -EINVAL},
		{"4k,", -EINVAL},
		{"k", -EINVAL},
		{".5k", -EINVAL},
		{"1.k", -EINVAL},
		{"1..5k", -EINVAL},
		{"1.5", -EINVAL},
		{"0.1k", -EINVAL},
		{"0.0000009765625g", -EINVAL},
		{"1.0000000000000000001m", -EINVAL},
		{"4kibi", -EINVAL},
		{"10%", -EINVAL},
		{"nan", -EINVAL},
		{"18446744073709551616", -ERANGE},
		{"16384p", -ERANGE},
		{"18446744073709551615k", -ERANGE},
		{"99999999999999999999999999999999999999999", -ERANGE},
		{"16383.9999999999999999p", -EINVAL},
	};

	return cr_make_param_array(struct refusal, rows, COUNT(rows));
}

ParameterizedTest(struct refusal *r, units, size_is_refused)
{
	uint64_t out = 42;
	const char *why = NULL;

	cr_assert_eq(iob_parse_size(r->text, &out, &why), r->code, "\"%s\"", r->text);
	cr_assert_eq(out, 42, "the result is left alone");
	cr_assert_not_null(why);
}

ParameterizedTestParameters(units, time_is_parsed)
{
	static struct value rows[] = {
		{"0", 0},
		{"30", UINT64_C(30000000000)},
		{"1.5", UINT64_C(1500000000)},
		{"10sec", UINT64_C(10000000000)},
		{"10s", UINT64_C(10000000000)},
		{"250ns", 250},
		{"1us", 1000},
		{"1.5us", 1500},
		{"300ms", 300000000},
		{"300MSEC", 300000000},
		{"1.5m", UINT64_C(90000000000)},
		{"2min", UINT64_C(120000000000)},
		{"2minutes", UINT64_C(120000000000)},
		{"1h", UINT64_C(3600000000000)},
		{"1d", UINT64_C(86400000000000)},
		{"0.000000001", 1},
	};

	return cr_make_param_array(struct value, rows, COUNT(rows));
}

ParameterizedTest(struct value *v, units, time_is_parsed)
{
	uint64_t out = 1;
	const char *why = NULL;

	cr_assert_eq(iob_parse_time(v->text, IOB_NS_PER_S, &out, &why), 0, "%s: %s", v->text, why);
	cr_assert_eq(out, v->expected, "%s is %llu", v->text, (unsigned long long)out);
}

ParameterizedTestParameters(units, time_is_refused)
{
	static struct refusal rows[] = {
		{"", -EINVAL},
		{"-1", -EINVAL},
		{"10k", -EINVAL},
		{"1 s", -EINVAL},
		{"s", -EINVAL},
		{"1.5ns", -EINVAL},
		{"1e9", -EINVAL},
		{"1:30", -EINVAL},
		{"300000d", -ERANGE},
		{"18446744074", -ERANGE},
	};

	return cr_make_param_array(struct refusal, rows, COUNT(rows));
}

ParameterizedTest(struct refusal *r, units, time_is_refused)
{
	uint64_t out = 42;
	const char *why = NULL;

	cr_assert_eq(iob_parse_time(r->text, IOB_NS_PER_S, &out, &why), r->code, "\"%s\"", r->text);
	cr_assert_eq(out, 42);
	cr_assert_not_null(why);
}

Test(units, bare_time_counts_in_the_callers_unit)
{
	uint64_t out = 0;
	const char *why = NULL;

	cr_assert_eq(iob_parse_time("7", IOB_NS_PER_MS, &out, &why), 0);
	cr_assert_eq(out, 7000000);
}

Test(units, uint_takes_digits_only)
{
	static const char *const bad[] = {
		"", "-1", "4k", "1.5", "1.0x", "0x1", " 1", "18446744073709551616"};
	uint64_t out = 0;
	const char *why = NULL;

	cr_assert_eq(iob_parse_uint("18446744073709551615", &out, &why), 0);
	cr_assert_eq(out, UINT64_MAX);
	for (size_t i = 0; i < COUNT(bad); i++)
		cr_assert_lt(iob_parse_uint(bad[i], &out, &why), 0, "\"%s\"", bad[i]);
	cr_assert_eq(out, UINT64_MAX);
}

Test(units, counts_may_have_thousands)
{
	static const struct value good[] = {
		{"20000", 20000}, {"20k", 20000}, {"1.5M", 1500000}, {"2g", 2000000000}};
	static const char *const bad[] = {"", "k", "1.5", "0.0005k", "4kb", "20x", "-1"};
	uint64_t out = 0;
	const char *why = NULL;

	for (size_t i = 0; i < COUNT(good); i++) {
		cr_assert_eq(iob_parse_count(good[i].text, &out, &why), 0, "%s", good[i].text);
		cr_assert_eq(out, good[i].expected);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		cr_assert_lt(iob_parse_count(bad[i], &out, &why), 0, "\"%s\"", bad[i]);
}

Test(units, percent_is_in_millionths)
{
	static const struct value good[] = {{"75%", 75000000}, {"75", 75000000},
		{"12.5%", 12500000}, {"0", 0}, {"100%", 100000000}, {"0.000001%", 1}};
	static const struct refusal bad[] = {{"101", -ERANGE}, {"100.000001%", -ERANGE},
		{"-1%", -EINVAL}, {"%", -EINVAL}, {"5%%", -EINVAL}, {"5k", -EINVAL},
		{"0.0000001%", -EINVAL}, {"18446744073709551615", -ERANGE}};
	uint64_t out = 0;
	const char *why = NULL;

	for (size_t i = 0; i < COUNT(good); i++) {
		cr_assert_eq(iob_parse_percent(good[i].text, &out, &why), 0, "%s", good[i].text);
		cr_assert_eq(out, good[i].expected, "%s", good[i].text);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		cr_assert_eq(
			iob_parse_percent(bad[i].text, &out, &why), bad[i].code, "%s", bad[i].text);
}

TheoryDataPoints(units, exact_sizes_come_back) = {
	DataPoints(uint64_t, 0, 1, 512, 1000, 1023, 1024, 1536, 4096, 1000000, UINT64_C(3) << 40,
		UINT64_MAX, UINT64_C(1) << 63),
	DataPoints(uint64_t, 0, 1, 7, 1023),
};

Theory((uint64_t base, uint64_t add), units, exact_sizes_come_back)
{
	char text[40];
	uint64_t out = 0;
	uint64_t value = base + add;
	const char *why = NULL;

	cr_assert_eq(iob_parse_size(iob_format_size_exact(text, sizeof(text), value), &out, &why),
		0, "%s", text);
	cr_assert_eq(out, value, "%s", text);
}

TheoryDataPoints(units, exact_times_come_back) = {
	DataPoints(uint64_t, 0, 1, 999, 1000, 1500, 1000000, 1500000, 300000000, 1000000000,
		UINT64_C(90000000000), UINT64_C(3600000000000), UINT64_C(86400000000000),
		UINT64_MAX - 1),
	DataPoints(uint64_t, 0, 1),
};

Theory((uint64_t base, uint64_t add), units, exact_times_come_back)
{
	char text[40];
	uint64_t out = 0;
	uint64_t value = base + add;
	const char *why = NULL;

	cr_assert_eq(
		iob_parse_time(iob_format_time_exact(text, sizeof(text), value), 1, &out, &why), 0,
		"%s", text);
	cr_assert_eq(out, value, "%s", text);
}

static void expect(const char *got, const char *wanted)
{
	cr_expect_str_eq(got, wanted, "got %s, wanted %s", got, wanted);
}

Test(units, exact_values_read_well)
{
	char b[40];

	expect(iob_format_size_exact(b, sizeof(b), 4096), "4k");
	expect(iob_format_size_exact(b, sizeof(b), 1048576), "1m");
	expect(iob_format_size_exact(b, sizeof(b), 1536), "1536");
	expect(iob_format_size_exact(b, sizeof(b), UINT64_C(16) << 30), "16g");
	expect(iob_format_time_exact(b, sizeof(b), 5 * IOB_NS_PER_S), "5s");
	expect(iob_format_time_exact(b, sizeof(b), 1500 * IOB_NS_PER_MS), "1.5s");
	expect(iob_format_time_exact(b, sizeof(b), 1050 * IOB_NS_PER_MS), "1.05s");
	expect(iob_format_time_exact(b, sizeof(b), 300 * IOB_NS_PER_MS), "300ms");
	expect(iob_format_time_exact(b, sizeof(b), 7200 * IOB_NS_PER_S), "2h");
	expect(iob_format_time_exact(b, sizeof(b), 90 * IOB_NS_PER_S), "90s");
	expect(iob_format_time_exact(b, sizeof(b), 0), "0s");
}

Test(units, bytes_for_people)
{
	char b[40];

	expect(iob_format_bytes(b, sizeof(b), 0), "0B");
	expect(iob_format_bytes(b, sizeof(b), 1023), "1023B");
	expect(iob_format_bytes(b, sizeof(b), 4096), "4KiB");
	expect(iob_format_bytes(b, sizeof(b), UINT64_C(1000204886016)), "931.5GiB");
	expect(iob_format_bytes(b, sizeof(b), UINT64_C(4000787030016)), "3.6TiB");
	expect(iob_format_bytes(b, sizeof(b), (UINT64_C(1) << 40) - 1), "1TiB");
	expect(iob_format_bytes(b, sizeof(b), UINT64_MAX), "16EiB");
	expect(iob_format_bytes_si(b, sizeof(b), UINT64_C(1000204886016)), "1TB");
	expect(iob_format_bytes_si(b, sizeof(b), UINT64_C(1920383410176)), "1.92TB");
	expect(iob_format_bytes_si(b, sizeof(b), UINT64_C(480103981056)), "480.1GB");
	expect(iob_format_bytes_si(b, sizeof(b), 4096), "4.1kB");
	expect(iob_format_bytes_si(b, sizeof(b), 1050), "1.05kB");
	expect(iob_format_bytes_si(b, sizeof(b), 999999999), "1GB");
	expect(iob_format_bytes_si(b, sizeof(b), UINT64_MAX), "18.45EB");
}

Test(units, bandwidth_is_printed_as_fio_prints_it)
{
	char b[48];

	expect(iob_format_bandwidth(b, sizeof(b), 1919e6), "1830MiB/s (1919MB/s)");
	expect(iob_format_bandwidth(b, sizeof(b), 59.8 * 1048576), "59.8MiB/s (62.7MB/s)");
	expect(iob_format_bandwidth(b, sizeof(b), 8.25 * 1048576), "8448KiB/s (8651kB/s)");
	expect(iob_format_bandwidth(b, sizeof(b), 345), "345B/s (345B/s)");
	expect(iob_format_bandwidth(b, sizeof(b), 0), "0B/s (0B/s)");
	expect(iob_format_bandwidth(b, sizeof(b), (double)NAN), "0B/s (0B/s)");
	expect(iob_format_bandwidth(b, sizeof(b), -5), "0B/s (0B/s)");
	expect(iob_format_bandwidth(b, sizeof(b), 10300.0), "10.1KiB/s (10.3kB/s)");
}

Test(units, counts_for_people)
{
	char b[40];

	expect(iob_format_count(b, sizeof(b), 0), "0");
	expect(iob_format_count(b, sizeof(b), 967), "967");
	expect(iob_format_count(b, sizeof(b), 966.6), "967");
	expect(iob_format_count(b, sizeof(b), 4940), "4940");
	expect(iob_format_count(b, sizeof(b), 12345), "12.3k");
	expect(iob_format_count(b, sizeof(b), 214000), "214k");
	expect(iob_format_count(b, sizeof(b), 1048000), "1048k");
	expect(iob_format_count(b, sizeof(b), 12345678), "12.3M");
	expect(iob_format_count(b, sizeof(b), 3.217), "3.22");
	expect(iob_format_count(b, sizeof(b), 31.25), "31.2");
	expect(iob_format_count(b, sizeof(b), 59), "59");
	expect(iob_format_count(b, sizeof(b), (double)NAN), "0");
	expect(iob_format_count(b, sizeof(b), -1), "0");
	iob_format_count(b, 5, 1e300);
	cr_expect_eq(strlen(b), 4, "what does not fit is cut");
}

Test(units, latencies_have_three_digits)
{
	char b[40];

	expect(iob_format_latency(b, sizeof(b), 0), "0ns");
	expect(iob_format_latency(b, sizeof(b), 412), "412ns");
	expect(iob_format_latency(b, sizeof(b), 92123), "92.1us");
	expect(iob_format_latency(b, sizeof(b), 1934000), "1.93ms");
	expect(iob_format_latency(b, sizeof(b), 2050000000), "2.05s");
	expect(iob_format_latency(b, sizeof(b), 999499), "999us");
	expect(iob_format_latency(b, sizeof(b), 999500), "1.00ms");
	expect(iob_format_latency(b, sizeof(b), 99960), "100us");
	expect(iob_format_latency(b, sizeof(b), UINT64_C(1234000000000)), "1234s");
}

Test(units, clock_has_hours_only_when_needed)
{
	char b[40];

	expect(iob_format_clock(b, sizeof(b), 0), "00:00");
	expect(iob_format_clock(b, sizeof(b), 61 * IOB_NS_PER_S), "01:01");
	expect(iob_format_clock(b, sizeof(b), 3599 * IOB_NS_PER_S + 999), "59:59");
	expect(iob_format_clock(b, sizeof(b), 36610 * IOB_NS_PER_S), "10:10:10");
}
