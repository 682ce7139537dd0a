/* SPDX-License-Identifier: MIT */
#include "ui/layout.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(layout, .timeout = 60);

static struct iob_layout at(int rows, int cols)
{
	struct iob_layout l;

	iob_layout_dashboard(&l, rows, cols, (struct iob_layout_wish){.hidden = 0});
	return l;
}

static int shown(const struct iob_layout *l, enum iob_block block)
{
	return l->block[block].rows > 0;
}

/* Each cell may belong to one block only. */
static void check_size(int rows, int cols, struct iob_layout_wish wish)
{
	static unsigned char taken[100 * 250];
	struct iob_layout l;

	iob_layout_dashboard(&l, rows, cols, wish);

	memset(taken, 0, (size_t)(rows * cols));
	for (int b = 0; b < IOB_NBLOCKS; b++) {
		struct iob_rect r = l.block[b];

		if (r.rows == 0)
			continue;
		cr_assert(r.y >= 0 && r.x >= 0 && r.cols > 0 && r.y + r.rows <= rows &&
				  r.x + r.cols <= cols,
			"block %d leaves a screen of %dx%d", b, rows, cols);
		for (int y = r.y; y < r.y + r.rows; y++) {
			unsigned char *line = &taken[y * cols + r.x];

			cr_assert_null(memchr(line, 1, (size_t)r.cols),
				"block %d overlaps at %dx%d", b, rows, cols);
			memset(line, 1, (size_t)r.cols);
		}
	}
}

Test(layout, no_block_overlaps_or_leaves_the_screen_at_any_size)
{
	for (int rows = 1; rows <= 100; rows++)
		for (int cols = 1; cols <= 250; cols++)
			check_size(rows, cols, (struct iob_layout_wish){.hidden = 0});
}

static const enum iob_block panels[] = {
	IOB_BLOCK_GRAPH, IOB_BLOCK_LATENCY, IOB_BLOCK_DISK, IOB_BLOCK_JOBS, IOB_BLOCK_CHANGES};

Test(layout, any_set_of_panels_can_be_hidden)
{
	for (unsigned set = 0; set < 32; set++) {
		struct iob_layout_wish wish = {.hidden = 0};

		for (int i = 0; i < 5; i++)
			wish.hidden |= set & 1u << i ? 1u << panels[i] : 0;
		for (int rows = 20; rows <= 70; rows += 3)
			for (int cols = 70; cols <= 200; cols += 13)
				check_size(rows, cols, wish);
	}
}

Test(layout, a_hidden_panel_is_gone_and_a_large_one_has_the_screen)
{
	struct iob_layout l;

	for (int i = 0; i < 5; i++) {
		iob_layout_dashboard(
			&l, 40, 120, (struct iob_layout_wish){.hidden = 1u << panels[i]});
		cr_assert(!shown(&l, panels[i]), "panel %d", i);
		iob_layout_dashboard(&l, 24, 80, (struct iob_layout_wish){.large = panels[i]});
		cr_assert_eq(l.block[panels[i]].rows, 20);
		cr_assert_eq(l.block[panels[i]].cols, 80);
	}
}

Test(layout, what_is_never_dropped_is_there_at_every_size)
{
	for (int rows = 1; rows <= 100; rows++) {
		for (int cols = 1; cols <= 250; cols++) {
			struct iob_layout l = at(rows, cols);

			cr_assert(shown(&l, IOB_BLOCK_NUMBERS) || shown(&l, IOB_BLOCK_LATENCY));
			if (rows >= 2)
				cr_assert(shown(&l, IOB_BLOCK_TITLE));
			if (rows >= 3)
				cr_assert(shown(&l, IOB_BLOCK_STRIP));
			if (rows >= 5)
				cr_assert(
					shown(&l, IOB_BLOCK_STATUS) && shown(&l, IOB_BLOCK_HINTS));
		}
	}
}

Test(layout, the_standard_console_has_all_panels_and_fills_every_row)
{
	struct iob_layout l = at(24, 80);
	int rows = 0;

	cr_assert_eq(l.size, IOB_SIZE_FULL);
	for (int b = 0; b < IOB_NBLOCKS; b++)
		if (b != IOB_BLOCK_DISK)
			rows += l.block[b].rows;
	cr_assert_eq(rows, 24);
	cr_assert_eq(l.block[IOB_BLOCK_GRAPH].rows, 12);
	cr_assert_eq(l.block[IOB_BLOCK_LATENCY].cols, 46);
	cr_assert(!shown(&l, IOB_BLOCK_GRAPH2));
}

Test(layout, a_large_terminal_gets_a_second_graph_and_more_changes)
{
	struct iob_layout small = at(24, 80), large = at(40, 120), huge = at(60, 200);

	cr_assert(shown(&large, IOB_BLOCK_GRAPH2));
	cr_assert_gt(large.block[IOB_BLOCK_CHANGES].rows, small.block[IOB_BLOCK_CHANGES].rows);
	cr_assert_gt(huge.block[IOB_BLOCK_GRAPH].rows, large.block[IOB_BLOCK_GRAPH].rows);
}

Test(layout, a_larger_screen_never_loses_a_block)
{
	for (int rows = 24; rows < 100; rows++) {
		struct iob_layout a = at(rows, 80), b = at(rows + 1, 80);

		for (int i = 0; i < IOB_NBLOCKS; i++)
			cr_assert(!shown(&a, (enum iob_block)i) || shown(&b, (enum iob_block)i));
	}
}

Test(layout, a_centred_box_stays_on_the_screen)
{
	for (int rows = 1; rows <= 40; rows++) {
		struct iob_rect r = iob_layout_centre(rows, 50, 12, 70);

		cr_assert(r.y >= 0 && r.x >= 0 && r.y + r.rows <= rows && r.x + r.cols <= 50);
	}
	struct iob_rect none = iob_rect_inside((struct iob_rect){0, 0, 1, 1});
	cr_assert_eq(none.rows, 0);
	cr_assert_eq(none.cols, 0);
}
