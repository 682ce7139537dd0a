/* SPDX-License-Identifier: MIT */
#include "ui/fmt.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(fmt, .timeout = 10);

Test(fmt, a_latency_is_in_microseconds_until_it_has_a_letter)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {{0, "-"}, {412, "0.41"}, {9994, "9.99"}, {9996, "10.0"}, {92100, "92.1"},
		{310000, "310"}, {999499, "999"}, {999500, "1.00m"}, {1930000, "1.93m"},
		{18200000, "18.2m"}, {999499999, "999m"}, {2050000000, "2.05s"},
		{1800000000000, "30min"}};
	char buf[16];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_str_eq(iob_fmt_micros(buf, sizeof(buf), rows[i].ns), rows[i].text);
}

Test(fmt, figures_never_need_more_than_five_cells)
{
	char buf[32];

	for (double v = 1; v < 4e12; v *= 1.01)
		cr_assert_leq(
			strlen(iob_fmt_micros(buf, sizeof(buf), (uint64_t)v)), 5, "%g %s", v, buf);
	for (double v = 1; v < 1e14; v *= 1.01)
		cr_assert_leq(strlen(iob_fmt_mib(buf, sizeof(buf), v)), 5, "%g %s", v, buf);
}

Test(fmt, a_change_is_relative_to_what_was)
{
	char buf[16];

	cr_expect_str_eq(iob_fmt_change(buf, sizeof(buf), 100, 119), "+19%");
	cr_expect_str_eq(iob_fmt_change(buf, sizeof(buf), 100, 95.8), "-4.2%");
	cr_expect_str_eq(iob_fmt_change(buf, sizeof(buf), 100, 100), "+0.0%");
	cr_expect_str_eq(iob_fmt_change(buf, sizeof(buf), 1, 12), "x12");
	cr_expect_str_eq(iob_fmt_change(buf, sizeof(buf), 0, 12), "-");
	cr_expect_str_eq(iob_fmt_change(buf, sizeof(buf), 12, 0), "-100%");
}

Test(fmt, bandwidth_is_in_mebibytes)
{
	char buf[16];

	cr_expect_str_eq(iob_fmt_mib(buf, sizeof(buf), 0), "0.00");
	cr_expect_str_eq(iob_fmt_mib(buf, sizeof(buf), 586.0 * (1 << 20)), "586");
	cr_expect_str_eq(iob_fmt_mib(buf, sizeof(buf), 12300.0 * (1 << 20)), "12.3k");
}
