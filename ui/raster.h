/* SPDX-License-Identifier: MIT */
/* Values -> cells of a bar graph, without curses. */
#ifndef IOB_UI_RASTER_H
#define IOB_UI_RASTER_H

#include <stddef.h>
#include <stdint.h>

#include "ui/caps.h"
#include "ui/role.h"

struct iob_cell {
	uint32_t ch; /* code point, ' ' = empty */
	uint8_t role;
};

enum iob_bar_kind {
	IOB_BAR_NONE, /* before the run or after it: nothing is drawn */
	IOB_BAR_VALUE,
	IOB_BAR_GAP, /* no stage was running then (paused, between stages) */
};

struct iob_bar {
	enum iob_bar_kind kind;
	double value; /* >= 0; not a number counts as a gap */
	double part;  /* of value, what is read; the rest is drawn in the role of writes */
};

struct iob_raster {
	struct iob_cell *cell; /* rows * cols, row 0 on top */
	int rows, cols;
	enum iob_glyphs glyphs;
	double top; /* value at the upper edge, > 0; what is higher gets '^' */
};

/* Samples per column: the number of bars is cols times this. */
int iob_raster_samples(enum iob_glyphs);
/* Fill all cells. */
void iob_raster_bars(const struct iob_raster *, const struct iob_bar *);
/* A vertical line in the empty cells of a column: never hides data. */
void iob_raster_mark(const struct iob_raster *, int col);
/* A bar of `cols` cells, filled to `share` (0..1) of them. */
void iob_raster_gauge(struct iob_cell *, int cols, double share, enum iob_glyphs);

#endif
