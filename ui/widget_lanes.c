/* SPDX-License-Identifier: MIT */
/* What all graphs have below their data: the axis of time, and letters where segments begin. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "ui/widget_graph.h"

static long points_per_column(const struct iob_graph *g)
{
	return (long)(g->columns.fold * g->columns.group);
}

/* Where column i of the data stands: a sweep fills from left to right and begins anew. */
static int place_of(const struct iob_graph *g, int column)
{
	long absolute = g->first / points_per_column(g) + column;

	if (!g->sweep)
		return column;
	return (int)((absolute % g->cols + g->cols) % g->cols);
}

static void age_label(char *buf, size_t n, unsigned seconds)
{
	if (seconds < 120)
		snprintf(buf, n, "-%us", seconds);
	else if (seconds < 7200)
		snprintf(buf, n, seconds % 60 ? "-%um%02us" : "-%um", seconds / 60, seconds % 60);
	else
		snprintf(buf, n, "-%uh%02um", seconds / 3600, seconds / 60 % 60);
}

static void ages(const struct iob_graph *g)
{
	unsigned zoom = iob_model_zoom_s(g->model);
	int step = g->cols > 100 ? 20 : 15;
	char text[24];

	for (int back = step; back < g->cols; back += step) {
		age_label(text, sizeof(text), (unsigned)(back + (int)g->columns.back) * zoom);
		int x = IOB_LABEL_COLS + g->cols - 1 - back;
		iob_canvas_text(g->canvas, g->inside, g->rows, x, IOB_ROLE_LABEL, text);
	}
}

static void draw_time_axis(const struct iob_graph *g)
{
	struct iob_cell line = {iob_canvas_line(g->canvas, '-'), IOB_ROLE_BOX};
	struct iob_cell corner = {iob_canvas_line(g->canvas, '+'), IOB_ROLE_BOX};
	struct iob_rect r = g->inside;
	int newest = place_of(g, g->cols - 1);
	char end[24];

	if (g->canvas->glyphs != IOB_GLYPHS_ASCII)
		corner.ch = 0x2514;
	iob_canvas_cells(g->canvas, r, g->rows, IOB_LABEL_COLS - 1, &corner, 1);
	for (int x = 0; x < g->cols; x++)
		iob_canvas_cells(g->canvas, r, g->rows, IOB_LABEL_COLS + x, &line, 1);
	snprintf(end, sizeof(end), "%s", g->model->shown.phase == IOB_PHASE_DONE ? "end" : "now");
	if (g->columns.back)
		age_label(end, sizeof(end), (unsigned)g->columns.back * iob_model_zoom_s(g->model));
	if (!g->sweep)
		ages(g);
	int x = newest + 1 < (int)strlen(end) ? (int)strlen(end) : newest + 1;
	iob_canvas_right(g->canvas, r, g->rows, IOB_LABEL_COLS + x, IOB_ROLE_LABEL, end);
}

/* Column of a time, -1 if it is not on the screen. */
static int column_of(const struct iob_graph *g, uint64_t ms)
{
	long offset = (long)(ms / IOB_POINT_MS) - g->first;

	if (offset < 0 || offset / points_per_column(g) >= g->cols)
		return -1;
	return (int)(offset / points_per_column(g));
}

static void find_letters(const struct iob_graph *g, char *lane)
{
	const struct iob_changes *changes = &g->model->changes;
	const struct iob_marks *marks = &g->model->marks;

	memset(lane, ' ', (size_t)g->cols);
	for (size_t i = 0; i < changes->count; i++) {
		char letter = changes->item[i].letter;
		int x = column_of(g, changes->item[i].figures.from_ms);

		if (x < 0 || letter == ' ')
			continue;
		/* Two changes in one column; the start is no change. */
		lane[x] = lane[x] == ' ' || lane[x] == '0' ? letter : '*';
	}
	for (size_t i = 0; i < marks->count; i++) {
		int x = column_of(g, marks->item[i].ms);

		if (x >= 0)
			lane[x] = lane[x] == ' ' || lane[x] == '0' ? '!' : '*';
	}
}

void iob_graph_lanes(const struct iob_graph *g)
{
	char lane[IOB_GRAPH_COLS];

	if (g->lane < 1)
		return;
	draw_time_axis(g);
	find_letters(g, lane);
	for (int x = 0; g->lane > 1 && x < g->cols; x++) {
		struct iob_cell cell = {(unsigned char)lane[x], IOB_ROLE_MARK};

		if (lane[x] != ' ')
			iob_canvas_cells(g->canvas, g->inside, g->rows + 1,
				IOB_LABEL_COLS + place_of(g, x), &cell, 1);
	}
}

void iob_graph_put(const struct iob_graph *g, struct iob_cell *cells)
{
	struct iob_raster raster = {cells, g->rows, g->cols, g->canvas->glyphs, 1};
	char lane[IOB_GRAPH_COLS];

	find_letters(g, lane);
	for (int x = 0; x < g->cols; x++)
		/* The beginning of the run needs no line. */
		if (lane[x] != ' ' && lane[x] != '0')
			iob_raster_mark(&raster, x);
	for (int y = 0; y < g->rows; y++) {
		if (!g->sweep) {
			iob_canvas_cells(g->canvas, g->inside, y, IOB_LABEL_COLS,
				&cells[y * g->cols], g->cols);
			continue;
		}
		/* The oldest column stays empty: it shows where the newest one is. */
		for (int x = 1; x < g->cols; x++)
			iob_canvas_cells(g->canvas, g->inside, y, IOB_LABEL_COLS + place_of(g, x),
				&cells[y * g->cols + x], 1);
	}
}
