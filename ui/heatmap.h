/* SPDX-License-Identifier: MIT */
/* Latencies over time -> cells: a column per stretch of time, a row per band of latencies, the
 * darker the larger the share of the column's I/Os in it.  Without curses. */
#ifndef IOB_UI_HEATMAP_H
#define IOB_UI_HEATMAP_H

#include "measure/heat.h"
#include "ui/raster.h"
#include "ui/source.h"

struct iob_heat_column {
	uint64_t count[IOB_HEAT_LEVELS];
};

struct iob_heatmap {
	struct iob_heat_column *column;
	int cols, rows;
	unsigned low, high; /* levels of the lowest and the highest row */
	enum iob_glyphs glyphs;
};

/* Fill the columns, each of `per_column` intervals, from interval `first` (may be negative) on. */
void iob_heatmap_read(
	struct iob_heatmap *, const struct iob_source *, long first, size_t per_column, size_t end);
/* Choose the levels that are in use, at least one for each four rows. */
void iob_heatmap_fit(struct iob_heatmap *);
/* rows * cols cells, row 0 on top. */
void iob_heatmap_draw(const struct iob_heatmap *, struct iob_cell *);
/* The least latency of a row. */
uint64_t iob_heatmap_low(const struct iob_heatmap *, int row);

#endif
