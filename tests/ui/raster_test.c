/* SPDX-License-Identifier: MIT */
#include "ui/raster.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(raster, .timeout = 10);

#define MOST 16

static struct iob_cell cells[MOST * MOST];

static struct iob_raster draw(enum iob_glyphs glyphs, int rows, const double *values, int n)
{
	int cols = n / iob_raster_samples(glyphs);
	struct iob_raster r = {cells, rows, cols, glyphs, 8};
	struct iob_bar bars[MOST];

	for (int i = 0; i < n; i++)
		bars[i] = (struct iob_bar){IOB_BAR_VALUE, values[i], values[i]};
	iob_raster_bars(&r, bars);
	return r;
}

/* One character per cell: half blocks as 'n' and '#', everything beyond as '?'. */
static const char *row(const struct iob_raster *r, int y)
{
	static char text[MOST + 1];

	for (int x = 0; x < r->cols; x++) {
		uint32_t ch = r->cell[y * r->cols + x].ch;

		text[x] = ch < 128       ? (char)ch
			  : ch == 0x2584 ? 'n'
			  : ch == 0x2588 ? '#'
			  : ch == 0x2502 ? 'I'
					 : '?';
	}
	text[r->cols] = '\0';
	return text;
}

static const double ramp[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

Test(raster, ascii_has_four_levels_per_row)
{
	struct iob_raster r = draw(IOB_GLYPHS_ASCII, 2, ramp, 9);

	cr_assert_str_eq(row(&r, 0), "     _.:|");
	cr_assert_str_eq(row(&r, 1), " _.:|||||");
}

Test(raster, blocks_have_two_levels_per_row)
{
	struct iob_raster r = draw(IOB_GLYPHS_BLOCK, 2, ramp, 9);

	cr_assert_str_eq(row(&r, 0), "     nn##");
	cr_assert_str_eq(row(&r, 1), " nn######");
	r = draw(IOB_GLYPHS_CONSOLE, 4, ramp, 9);
	cr_assert_str_eq(row(&r, 0), "       n#");
	cr_assert_str_eq(row(&r, 3), " n#######");
}

Test(raster, braille_has_two_samples_of_four_levels_per_cell)
{
	const double values[4] = {8, 2, 0, 0.1};
	struct iob_raster r = draw(IOB_GLYPHS_BRAILLE, 1, values, 4);

	cr_assert_eq(r.cols, 2);
	cr_assert_eq(r.cell[0].ch, 0x2800u + 0x47 + 0x80);
	cr_assert_eq(r.cell[1].ch, 0x2800u + 0x80);
}

Test(raster, zero_is_empty_and_the_least_above_it_is_not)
{
	const double values[3] = {0, 1e-9, 5e-324};
	struct iob_raster r = draw(IOB_GLYPHS_ASCII, 2, values, 3);

	cr_assert_str_eq(row(&r, 1), " __");
}

Test(raster, what_is_above_the_top_is_clipped_and_says_so)
{
	const double values[4] = {8, 8.01, 18446744073709551615.0, (double)INFINITY};
	struct iob_raster r = draw(IOB_GLYPHS_ASCII, 2, values, 4);

	cr_assert_str_eq(row(&r, 0), "|^^^");
	cr_assert_str_eq(row(&r, 1), "||||");
}

Test(raster, gaps_are_seen_and_nothing_is_nothing)
{
	struct iob_raster r = {cells, 2, 3, IOB_GLYPHS_ASCII, 8};
	const struct iob_bar bars[3] = {
		{IOB_BAR_NONE, 0, 0}, {IOB_BAR_GAP, 0, 0}, {IOB_BAR_VALUE, (double)NAN, 0}};

	iob_raster_bars(&r, bars);
	cr_assert_str_eq(row(&r, 0), "   ");
	cr_assert_str_eq(row(&r, 1), " --");
}

Test(raster, a_mark_never_hides_data)
{
	struct iob_raster r = draw(IOB_GLYPHS_ASCII, 4, ramp, 9);

	iob_raster_mark(&r, 4);
	iob_raster_mark(&r, 0);
	iob_raster_mark(&r, -1);
	iob_raster_mark(&r, 9);
	cr_assert_str_eq(row(&r, 0), "'   '  .|");
	cr_assert_str_eq(row(&r, 2), "'  .|||||");
	cr_assert_eq(r.cell[4].role, IOB_ROLE_MARK);
	cr_assert_eq(r.cell[3 * 9 + 4].role, IOB_ROLE_READ);
}

Test(raster, the_reading_part_is_told_apart_from_the_writing_part)
{
	struct iob_raster r = {cells, 4, 1, IOB_GLYPHS_BLOCK, 8};
	const struct iob_bar bar = {IOB_BAR_VALUE, 8, 4};

	iob_raster_bars(&r, &bar);
	cr_assert_eq(r.cell[3].role, IOB_ROLE_READ);
	cr_assert_eq(r.cell[2].role, IOB_ROLE_READ);
	cr_assert_eq(r.cell[1].role, IOB_ROLE_WRITE);
	cr_assert_eq(r.cell[0].role, IOB_ROLE_WRITE);
}

Test(raster, no_rows_and_no_columns_do_no_harm)
{
	struct iob_raster r = {cells, 0, 3, IOB_GLYPHS_ASCII, 8};
	const struct iob_bar bars[3] = {{IOB_BAR_VALUE, 1, 1}};

	iob_raster_bars(&r, bars);
	iob_raster_mark(&r, 1);
	r.rows = 2;
	r.cols = 0;
	iob_raster_bars(&r, bars);
	iob_raster_gauge(cells, 0, 0.5, IOB_GLYPHS_ASCII);
}

Test(raster, a_gauge_fills_by_its_share)
{
	struct iob_raster r = {cells, 1, 8, IOB_GLYPHS_ASCII, 1};

	iob_raster_gauge(cells, 8, 0.5, IOB_GLYPHS_ASCII);
	cr_assert_str_eq(row(&r, 0), "||||....");
	iob_raster_gauge(cells, 8, 7, IOB_GLYPHS_ASCII);
	cr_assert_str_eq(row(&r, 0), "||||||||");
	iob_raster_gauge(cells, 8, 0, IOB_GLYPHS_ASCII);
	cr_assert_str_eq(row(&r, 0), "........");
}
