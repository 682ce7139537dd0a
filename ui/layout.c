/* SPDX-License-Identifier: MIT */
#include "ui/layout.h"

#include <string.h>

#define FULL_ROWS    24
/* One less than 80 and 60: see iob_term_size. */
#define FULL_COLS    79
#define COMPACT_ROWS 16
#define COMPACT_COLS 59

/* Box of 5 lines: head and two lines for each of two directions. */
#define TABLE_ROWS   7
/* On large screens: eight lines for two directions, or the spread of the latencies. */
#define TABLE_LARGE  15
/* From here on it costs no graph. */
#define LARGE_ROWS   57
/* Below this a second graph would be too flat to read. */
#define GRAPH2_LEAST 7
#define GRAPH_LEAST  12
/* The table of workers, and the width from which it stands beside the changes. */
#define JOBS_COLS    42
#define JOBS_SCREEN  100

static int least(int a, int b)
{
	return a < b ? a : b;
}

static void place(struct iob_layout *l, enum iob_block block, int *y, int rows, int cols)
{
	l->block[block] = (struct iob_rect){*y, 0, rows, cols};
	*y += rows;
}

static bool wants(const struct iob_layout_wish *wish, enum iob_block block)
{
	return !(wish->hidden & 1u << block);
}

/* Two blocks side by side; one that is not wanted leaves its place to the other. */
static void pair(struct iob_layout *l, const enum iob_block block[2], const bool shown[2],
	struct iob_rect r, int left)
{
	if (shown[0] && shown[1]) {
		l->block[block[0]] = (struct iob_rect){r.y, r.x, r.rows, left};
		l->block[block[1]] = (struct iob_rect){r.y, r.x + left, r.rows, r.cols - left};
	} else if (shown[0] || shown[1]) {
		l->block[block[shown[0] ? 0 : 1]] = r;
	}
}

static int table_rows(int rows)
{
	/* Two more lines make room for a line more of both directions. */
	if (rows >= LARGE_ROWS)
		return TABLE_LARGE;
	return rows >= 36 ? TABLE_ROWS + 2 : TABLE_ROWS;
}

/* Heights of the three bands between the strip and the status line. */
struct bands {
	int graphs, table, lower;
};

static struct bands bands_of(int rows, int cols, const struct iob_layout_wish *w)
{
	struct bands b = {0, 0, 0};
	int spare = rows - FULL_ROWS, room = rows - 4;

	if (wants(w, IOB_BLOCK_LATENCY) || wants(w, IOB_BLOCK_DISK))
		b.table = table_rows(rows);
	if (wants(w, IOB_BLOCK_CHANGES) || (wants(w, IOB_BLOCK_JOBS) && cols >= JOBS_SCREEN))
		b.lower = spare < 6 ? 1 : 2 + least(10, 1 + spare / 3);
	b.graphs = room - b.table - b.lower;
	if (wants(w, IOB_BLOCK_GRAPH))
		return b;
	if (b.lower)
		b.lower += b.graphs;
	else if (b.table)
		b.table += b.graphs;
	b.graphs = 0;
	return b;
}

/* Rows of the graphs below the first one, 0 = not there. */
static void share_graphs(int rows, int *second, int *third)
{
	*second = *third = 0;
	if (rows >= GRAPH_LEAST + 2 * GRAPH2_LEAST)
		*second = *third = rows * 2 / 7 > GRAPH2_LEAST ? rows * 2 / 7 : GRAPH2_LEAST;
	else if (rows >= GRAPH_LEAST + GRAPH2_LEAST)
		*second = rows * 2 / 5 > GRAPH2_LEAST ? rows * 2 / 5 : GRAPH2_LEAST;
}

static void full(struct iob_layout *l, int rows, int cols, const struct iob_layout_wish *w)
{
	static const enum iob_block tables[2] = {IOB_BLOCK_LATENCY, IOB_BLOCK_DISK};
	static const enum iob_block lowers[2] = {IOB_BLOCK_JOBS, IOB_BLOCK_CHANGES};
	struct bands b = bands_of(rows, cols, w);
	bool table[2] = {wants(w, IOB_BLOCK_LATENCY), wants(w, IOB_BLOCK_DISK)};
	bool lower[2] = {wants(w, IOB_BLOCK_JOBS) && cols >= JOBS_SCREEN && b.lower >= 4,
		wants(w, IOB_BLOCK_CHANGES)};
	int second, third, y = 0;

	share_graphs(b.graphs, &second, &third);
	l->boxes = true;
	place(l, IOB_BLOCK_TITLE, &y, 1, cols);
	place(l, IOB_BLOCK_STRIP, &y, 1, cols);
	if (b.graphs)
		place(l, IOB_BLOCK_GRAPH, &y, b.graphs - second - third, cols);
	if (second)
		place(l, IOB_BLOCK_GRAPH2, &y, second, cols);
	if (third)
		place(l, IOB_BLOCK_GRAPH3, &y, third, cols);
	pair(l, tables, table, (struct iob_rect){y, 0, b.table, cols}, least(cols * 58 / 100, 74));
	y += b.table;
	pair(l, lowers, lower, (struct iob_rect){y, 0, b.lower, cols}, JOBS_COLS);
	y = rows - 2;
	place(l, IOB_BLOCK_STATUS, &y, 1, cols);
	place(l, IOB_BLOCK_HINTS, &y, 1, cols);
}

/* One block between the strip and the status line. */
static void large(struct iob_layout *l, int rows, int cols, enum iob_block block)
{
	int y = 0;

	l->boxes = true;
	place(l, IOB_BLOCK_TITLE, &y, 1, cols);
	place(l, IOB_BLOCK_STRIP, &y, 1, cols);
	place(l, block, &y, rows - 4, cols);
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

void iob_layout_dashboard(struct iob_layout *l, int rows, int cols, struct iob_layout_wish wish)
{
	memset(l, 0, sizeof(*l));
	if (rows < 1 || cols < 1)
		return;
	if (wish.large != IOB_BLOCK_TITLE && rows >= COMPACT_ROWS && cols >= COMPACT_COLS) {
		l->size = IOB_SIZE_FULL;
		large(l, rows, cols, wish.large);
	} else if (rows >= FULL_ROWS && cols >= FULL_COLS) {
		l->size = IOB_SIZE_FULL;
		full(l, rows, cols, &wish);
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

bool iob_rect_has(struct iob_rect r, int y, int x)
{
	return y >= r.y && y < r.y + r.rows && x >= r.x && x < r.x + r.cols;
}
