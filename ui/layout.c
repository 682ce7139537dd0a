/* SPDX-License-Identifier: MIT */
#include "ui/layout.h"

#include <string.h>

#define FULL_ROWS    24
#define FULL_COLS    80
#define COMPACT_ROWS 16
#define COMPACT_COLS 60

/* Box of 5 lines: head and two lines for each of two directions. */
#define TABLE_ROWS   7
/* Below this a second graph would be too flat to read. */
#define GRAPH2_LEAST 7
#define GRAPH_LEAST  12

static int least(int a, int b)
{
	return a < b ? a : b;
}

static void place(struct iob_layout *l, enum iob_block block, int *y, int rows, int cols)
{
	l->block[block] = (struct iob_rect){*y, 0, rows, cols};
	*y += rows;
}

static void full(struct iob_layout *l, int rows, int cols)
{
	int spare = rows - FULL_ROWS;
	int changes = spare < 6 ? 1 : 2 + least(12, 1 + spare / 3);
	int graphs = rows - 4 - TABLE_ROWS - changes;
	int second = 0;
	int latency = least(cols * 58 / 100, 74);
	int y = 0;

	if (graphs >= GRAPH_LEAST + GRAPH2_LEAST)
		second = graphs * 2 / 5 > GRAPH2_LEAST ? graphs * 2 / 5 : GRAPH2_LEAST;
	l->boxes = true;
	place(l, IOB_BLOCK_TITLE, &y, 1, cols);
	place(l, IOB_BLOCK_STRIP, &y, 1, cols);
	place(l, IOB_BLOCK_GRAPH, &y, graphs - second, cols);
	if (second)
		place(l, IOB_BLOCK_GRAPH2, &y, second, cols);
	l->block[IOB_BLOCK_DISK] = (struct iob_rect){y, latency, TABLE_ROWS, cols - latency};
	place(l, IOB_BLOCK_LATENCY, &y, TABLE_ROWS, latency);
	place(l, IOB_BLOCK_CHANGES, &y, changes, cols);
	place(l, IOB_BLOCK_STATUS, &y, 1, cols);
	place(l, IOB_BLOCK_HINTS, &y, 1, cols);
}

static void compact(struct iob_layout *l, int rows, int cols)
{
	int table = 3;
	int y = 0;

	place(l, IOB_BLOCK_TITLE, &y, 1, cols);
	place(l, IOB_BLOCK_STRIP, &y, 1, cols);
	place(l, IOB_BLOCK_GRAPH, &y, rows - table - 7, cols);
	place(l, IOB_BLOCK_LATENCY, &y, table, cols);
	place(l, IOB_BLOCK_NUMBERS, &y, 1, cols);
	place(l, IOB_BLOCK_DISK, &y, 1, cols);
	place(l, IOB_BLOCK_CHANGES, &y, 1, cols);
	place(l, IOB_BLOCK_STATUS, &y, 1, cols);
	place(l, IOB_BLOCK_HINTS, &y, 1, cols);
}

static void tiny(struct iob_layout *l, int rows, int cols)
{
	int numbers = rows >= 7 ? 3 : rows >= 6 ? 2 : 1;
	int y = 0;

	if (rows >= 2)
		place(l, IOB_BLOCK_TITLE, &y, 1, cols);
	if (rows >= 3)
		place(l, IOB_BLOCK_STRIP, &y, 1, cols);
	place(l, IOB_BLOCK_NUMBERS, &y, numbers, cols);
	if (rows >= 4)
		place(l, IOB_BLOCK_STATUS, &y, 1, cols);
	if (rows >= 5)
		place(l, IOB_BLOCK_HINTS, &y, 1, cols);
	if (rows - y >= 1 && rows >= 8)
		place(l, IOB_BLOCK_CHANGES, &y, 1, cols);
}

void iob_layout_dashboard(struct iob_layout *l, int rows, int cols)
{
	memset(l, 0, sizeof(*l));
	if (rows < 1 || cols < 1)
		return;
	if (rows >= FULL_ROWS && cols >= FULL_COLS) {
		l->size = IOB_SIZE_FULL;
		full(l, rows, cols);
	} else if (rows >= COMPACT_ROWS && cols >= COMPACT_COLS) {
		l->size = IOB_SIZE_COMPACT;
		compact(l, rows, cols);
	} else {
		l->size = IOB_SIZE_TINY;
		tiny(l, rows, cols);
	}
}

struct iob_rect iob_layout_centre(int screen_rows, int screen_cols, int rows, int cols)
{
	struct iob_rect r = {0, 0, least(rows, screen_rows), least(cols, screen_cols)};

	r.y = (screen_rows - r.rows) / 2;
	r.x = (screen_cols - r.cols) / 2;
	return r;
}

struct iob_rect iob_rect_inside(struct iob_rect r)
{
	r.y++;
	r.x++;
	r.rows = r.rows > 2 ? r.rows - 2 : 0;
	r.cols = r.cols > 2 ? r.cols - 2 : 0;
	return r;
}
