/* SPDX-License-Identifier: MIT */
/*
 * Rows and columns -> rectangles of the dashboard.  Pure: each block has a fixed least size and a
 * place in the order of what goes first when the screen is short; rows left over go to the graphs.
 */
#ifndef IOB_UI_LAYOUT_H
#define IOB_UI_LAYOUT_H

#include <stdbool.h>

struct iob_rect {
	int y, x, rows, cols; /* rows 0: not on the screen */
};

enum iob_block {
	IOB_BLOCK_TITLE,
	IOB_BLOCK_STRIP,
	IOB_BLOCK_GRAPH,
	IOB_BLOCK_GRAPH2,
	IOB_BLOCK_GRAPH3,
	IOB_BLOCK_LATENCY,
	IOB_BLOCK_DISK,
	IOB_BLOCK_JOBS,
	IOB_BLOCK_CHANGES,
	IOB_BLOCK_NUMBERS, /* the figures in words, where there is no room for the table */
	IOB_BLOCK_STATUS,
	IOB_BLOCK_HINTS,
	IOB_NBLOCKS,
};

enum iob_size_class {
	IOB_SIZE_TINY,    /* numbers only, down to one cell */
	IOB_SIZE_COMPACT, /* from 60x16: a graph and a short table, no boxes */
	IOB_SIZE_FULL,    /* from 80x24 */
};

struct iob_layout {
	enum iob_size_class size;
	bool boxes;
	struct iob_rect block[IOB_NBLOCKS];
};

/* What the user wants of it; zeroed = all. */
struct iob_layout_wish {
	unsigned hidden;      /* bit 1 << block */
	enum iob_block large; /* takes all the room, unless it is IOB_BLOCK_TITLE */
};

void iob_layout_dashboard(struct iob_layout *, int rows, int cols, struct iob_layout_wish);
/* A box of at most rows x cols in the middle of the screen, one cell of margin where there is room.
 */
struct iob_rect iob_layout_centre(int screen_rows, int screen_cols, int rows, int cols);
bool iob_rect_has(struct iob_rect, int y, int x);
/* What is left inside the lines of a box. */
struct iob_rect iob_rect_inside(struct iob_rect);

#endif
