/* SPDX-License-Identifier: MIT */
/* Two runs side by side, how steady a rate was, and the map of latencies: without a screen. */
#include "ui/compare.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/sample_result.h"
#include "tests/support/ui_source.h"
#include "ui/heatmap.h"
#include "ui/steady.h"

TestSuite(compare, .timeout = 20);

static const char *line_with(const struct iob_lines *lines, const char *text)
{
	for (size_t i = 0; i < lines->count; i++)
		if (strstr(lines->item[i].text, text))
			return lines->item[i].text;
	for (size_t i = 0; i < lines->count; i++)
		fprintf(stderr, "%s\n", lines->item[i].text);
	cr_assert_fail("no line with \"%s\"", text);
	return "";
}

Test(compare, a_run_equals_itself)
{
	struct iob_result *r = calloc(1, sizeof(*r));
	struct iob_lines lines = {.count = 0};

	iob_sample_result(r);
	iob_compare_lines(&lines, r, r, 76);
	cr_assert_not_null(strstr(line_with(&lines, "IOPS"), "+0.0%"));
	line_with(&lines, "read p99 us");
	line_with(&lines, "Same settings? yes");
	for (size_t i = 0; i < lines.count; i++)
		cr_assert_null(strstr(lines.item[i].text, "differs"));
	iob_lines_free(&lines);
	iob_result_free(r);
	free(r);
}

Test(compare, what_differs_is_said_and_good_is_told_from_bad)
{
	struct iob_result *r = calloc(2, sizeof(*r));
	struct iob_lines lines = {.count = 0};

	iob_sample_result(&r[0]);
	iob_sample_result(&r[1]);
	/* No spread, so that nothing counts as noise. */
	r[0].nintervals = r[1].nintervals = 0;
	for (size_t i = 0; i < r[0].nsegments; i++) {
		struct iob_segment_figures *f = &r[0].segment[i].figures;

		f->all.iops *= 1.1;
		f->dir[IOB_READ].lat.percentile_ns[IOB_P99] *= 2;
		r[0].segment[i].params.live.iodepth = 77;
	}
	iob_compare_lines(&lines, &r[0], &r[1], 76);
	const char *iops = line_with(&lines, "IOPS"), *p99 = line_with(&lines, "read p99 us");
	cr_assert(strstr(iops, "+10%") && strstr(iops, " + ["), "%s", iops);
	cr_assert(strstr(p99, "+100%") && strstr(p99, " ! ["), "%s", p99);
	cr_assert_not_null(strstr(p99, "|>>>"));
	cr_assert_not_null(strstr(line_with(&lines, "differs: iodepth"), "A 77"));
	line_with(&lines, "Same settings? no");
	iob_lines_free(&lines);
	iob_result_free(&r[0]);
	iob_result_free(&r[1]);
	free(r);
}

Test(compare, lines_keep_to_the_width)
{
	struct iob_result *r = calloc(1, sizeof(*r));

	iob_sample_result(r);
	for (int cols = 70; cols < 200; cols += 13) {
		struct iob_lines lines = {.count = 0};

		iob_compare_lines(&lines, r, r, cols);
		for (size_t i = 0; i < lines.count; i++)
			cr_assert_leq(
				strlen(lines.item[i].text), (size_t)cols, "%s", lines.item[i].text);
		iob_lines_free(&lines);
	}
	iob_result_free(r);
	free(r);
}

Test(compare, a_run_without_load_is_said_to_be_empty)
{
	struct iob_result a = {.nsegments = 0}, b = {.nsegments = 0};
	struct iob_lines lines = {.count = 0};

	iob_compare_lines(&lines, &a, &b, 76);
	line_with(&lines, "measured nothing");
	iob_lines_free(&lines);
}

static double cv_of(const uint64_t *ios, size_t n)
{
	struct iob_stability s = {.to_ms = n * 1000};
	struct iob_interval *v = calloc(n * 10, sizeof(*v));

	for (size_t i = 0; i < n * 10; i++)
		v[i].dir[IOB_WRITE].ios = ios[i / 10];
	/* In two pieces that split a second. */
	iob_stability_add(&s, v, 13, 0);
	iob_stability_add(&s, v + 13, n * 10 - 13, 13);
	free(v);
	return iob_stability_cv(&s);
}

Test(compare, stability_is_the_spread_of_full_seconds)
{
	static const uint64_t flat[] = {5, 5, 5, 5}, steps[] = {10, 20, 30};

	cr_assert_float_eq(cv_of(flat, 4), 0, 1e-9);
	/* Mean 200, deviation 100. */
	cr_assert_float_eq(cv_of(steps, 3), 50, 1e-9);
	cr_assert_lt(cv_of(steps, 2), 0);
}

Test(compare, stability_of_a_run_is_that_of_the_stretch)
{
	struct iob_fake fake;

	iob_fake_open(&fake);
	fake.now_ms = 30000;
	struct iob_source source = iob_fake_source(&fake);
	cr_assert_float_eq(iob_stability_of(&source, 0, 18000), 0, 1e-6);
	/* The stall in the 20th second. */
	cr_assert_gt(iob_stability_of(&source, 15000, 25000), 10);
	iob_fake_close(&fake);
}

Test(compare, the_heat_map_puts_shares_into_rows)
{
	struct iob_heat_column columns[4];
	struct iob_cell cells[4 * 8];
	struct iob_heatmap h = {columns, 4, 8, 0, 0, IOB_GLYPHS_ASCII};
	struct iob_fake fake;

	iob_fake_open(&fake);
	fake.now_ms = 2000;
	struct iob_source source = iob_fake_source(&fake);
	/* Two columns before the run, two within it. */
	iob_heatmap_read(&h, &source, -20, 10, 20);
	cr_assert_eq(columns[0].count[iob_heat_level(100000)], 0);
	cr_assert_eq(columns[2].count[iob_heat_level(100000)], 99000);
	cr_assert_eq(columns[3].count[iob_heat_level(1000000)], 1000);
	iob_heatmap_fit(&h);
	cr_assert_eq(h.low, iob_heat_level(100000));
	cr_assert_eq(h.high, iob_heat_level(1000000));
	iob_heatmap_draw(&h, cells);
	cr_assert_eq(cells[7 * 4 + 2].ch, '@');
	cr_assert_eq(cells[2].ch, ':');
	cr_assert_eq(cells[7 * 4].ch, ' ');
	cr_assert_leq(iob_heatmap_low(&h, 7), 100000);
	iob_fake_close(&fake);
}

Test(compare, an_empty_heat_map_has_an_axis)
{
	struct iob_heat_column columns[2] = {{.count = {0}}};

	for (int rows = 1; rows < 60; rows++) {
		struct iob_heatmap h = {columns, 2, rows, 0, 0, IOB_GLYPHS_BLOCK};
		struct iob_cell cells[2 * 60];

		iob_heatmap_fit(&h);
		iob_heatmap_draw(&h, cells);
		cr_assert_leq(h.low, h.high);
		cr_assert_lt(h.high, IOB_HEAT_LEVELS);
	}
}
