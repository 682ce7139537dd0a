/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "ui/heatmap.h"
#include "ui/widget_graph.h"

/* Five cells. */
static void label(char *buf, size_t n, uint64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	double v = (double)ns;
	int unit = 0;

	for (; v >= 999.5 && unit < 3; unit++)
		v /= 1000;
	snprintf(buf, n, v < 9.95 && unit ? "%.1f%s" : "%.0f%s", v, units[unit]);
}

static void draw_axis(const struct iob_graph *g, const struct iob_heatmap *h)
{
	struct iob_cell line = {iob_canvas_line(g->canvas, '|'), IOB_ROLE_BOX};
	char text[24];

	for (int y = 0; y < g->rows; y++) {
		iob_canvas_cells(g->canvas, g->inside, y, IOB_LABEL_COLS - 1, &line, 1);
		if (y != g->rows - 1 && y % 3 != 0)
			continue;
		label(text, sizeof(text), iob_heatmap_low(h, y));
		iob_canvas_right(g->canvas, g->inside, y, IOB_LABEL_COLS - 1, IOB_ROLE_LABEL, text);
	}
}

void iob_graph_heat(struct iob_graph *g)
{
	struct iob_heatmap h = {.cols = g->cols, .rows = g->rows, .glyphs = g->canvas->glyphs};
	struct iob_cell *cells = calloc((size_t)(g->rows * g->cols), sizeof(*cells));
	const struct iob_model *m = g->model;

	h.column = calloc((size_t)g->cols, sizeof(*h.column));
	g->columns.fold = iob_history_fold(iob_model_zoom_s(m), 1);
	g->columns.group = 1;
	g->first = iob_history_first(&m->history, g->columns, (size_t)g->cols);
	if (cells && h.column && m->source.heat) {
		iob_heatmap_read(&h, &m->source, g->first * IOB_POINT_INTERVALS,
			g->columns.fold * IOB_POINT_INTERVALS, m->history.closed);
		iob_heatmap_fit(&h);
		iob_heatmap_draw(&h, cells);
		iob_graph_put(g, cells);
		draw_axis(g, &h);
	}
	free(h.column);
	free(cells);
}
