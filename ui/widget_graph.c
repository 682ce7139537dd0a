/* SPDX-License-Identifier: MIT */
/* A graph with its axes: bars from the history, marks where segments begin. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ui/fmt.h"
#include "ui/widget.h"

#define LABEL_COLS 6 /* "250k" and the line after it */
#define MOST_COLS  1024
#define MOST_ROWS  256

struct graph {
	struct iob_canvas *canvas;
	struct iob_rect inside;
	const struct iob_model *model;
	enum iob_metric metric;
	int rows, cols; /* of the data */
	int lane;       /* rows below the data: axis and letters */
	double top, largest;
	long first; /* point of the first column */
	size_t fold;
};

static void y_label(char *buf, size_t n, enum iob_metric metric, double v)
{
	switch (metric) {
	case IOB_METRIC_P99:
	case IOB_METRIC_MAX:
		iob_format_latency(buf, n, (uint64_t)llround(v));
		break;
	case IOB_METRIC_MIB:
		iob_fmt_mib(buf, n, v * (1 << 20));
		break;
	case IOB_METRIC_IOPS:
	case IOB_METRIC_UTIL:
	case IOB_NMETRICS:
		iob_format_count(buf, n, v);
		break;
	}
}

/* Round numbers need no ".0" before their letter. */
static void axis_label(char *buf, size_t n, enum iob_metric metric, double v)
{
	char text[24];

	y_label(text, sizeof(text), metric, v);
	char *dot = strchr(text, '.');
	size_t zeros = dot ? strspn(dot + 1, "0") : 0;
	if (dot && zeros > 0 && (dot[1 + zeros] < '0' || dot[1 + zeros] > '9'))
		memmove(dot, dot + 1 + zeros, strlen(dot + 1 + zeros) + 1);
	snprintf(buf, n, "%s", text);
}

static void draw_y_axis(struct graph *g)
{
	struct iob_cell line = {iob_canvas_line(g->canvas, '|'), IOB_ROLE_BOX};
	char text[24];

	for (int y = 0; y < g->rows; y++)
		iob_canvas_cells(g->canvas, g->inside, y, LABEL_COLS - 1, &line, 1);
	axis_label(text, sizeof(text), g->metric, g->top);
	iob_canvas_right(g->canvas, g->inside, 0, LABEL_COLS - 1, IOB_ROLE_LABEL, text);
	if (g->rows >= 6) {
		/* The middle of the axis lies on the lower edge of this row when rows are even. */
		axis_label(text, sizeof(text), g->metric, g->top / 2);
		iob_canvas_right(
			g->canvas, g->inside, g->rows / 2, LABEL_COLS - 1, IOB_ROLE_LABEL, text);
	}
	if (g->rows >= 2)
		iob_canvas_right(
			g->canvas, g->inside, g->rows - 1, LABEL_COLS - 1, IOB_ROLE_LABEL, "0");
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

static void draw_time_axis(struct graph *g)
{
	struct iob_cell line = {iob_canvas_line(g->canvas, '-'), IOB_ROLE_BOX};
	struct iob_cell corner = {iob_canvas_line(g->canvas, '+'), IOB_ROLE_BOX};
	struct iob_rect r = g->inside;
	unsigned zoom = iob_model_zoom_s(g->model);
	int step = g->cols > 100 ? 20 : 15;
	char text[24];

	if (g->canvas->glyphs != IOB_GLYPHS_ASCII)
		corner.ch = 0x2514;
	iob_canvas_cells(g->canvas, r, g->rows, LABEL_COLS - 1, &corner, 1);
	for (int x = 0; x < g->cols; x++)
		iob_canvas_cells(g->canvas, r, g->rows, LABEL_COLS + x, &line, 1);
	for (int back = step; back < g->cols; back += step) {
		age_label(text, sizeof(text), (unsigned)back * zoom);
		int x = LABEL_COLS + g->cols - 1 - back;
		iob_canvas_text(g->canvas, r, g->rows, x, IOB_ROLE_LABEL, text);
	}
	const char *end = g->model->shown.phase == IOB_PHASE_DONE ? "end" : "now";
	iob_canvas_right(g->canvas, r, g->rows, LABEL_COLS + g->cols, IOB_ROLE_LABEL, end);
}

/* Column in which a segment begins, -1 if it is not on the screen. */
static int column_of(const struct graph *g, const struct iob_change *change)
{
	long point = (long)(change->figures.from_ms / IOB_POINT_MS);
	long per_column = (long)g->fold * iob_raster_samples(g->canvas->glyphs);
	long offset = point - g->first;

	if (offset < 0 || offset / per_column >= g->cols)
		return -1;
	return (int)(offset / per_column);
}

static void draw_marks(struct graph *g, const struct iob_raster *raster)
{
	const struct iob_changes *changes = &g->model->changes;
	char lane[MOST_COLS];

	memset(lane, ' ', sizeof(lane));
	for (size_t i = 0; i < changes->count; i++) {
		const struct iob_change *change = &changes->item[i];
		int x = change->letter == ' ' ? -1 : column_of(g, change);

		if (x < 0)
			continue;
		/* The beginning of the run needs no line. */
		if (change->letter != '0')
			iob_raster_mark(raster, x);
		/* Two changes in one column; the start is no change. */
		lane[x] = lane[x] == ' ' || lane[x] == '0' ? change->letter : '*';
	}
	if (g->lane < 2)
		return;
	for (int x = 0; x < g->cols; x++) {
		struct iob_cell cell = {(unsigned char)lane[x], IOB_ROLE_MARK};

		if (lane[x] != ' ')
			iob_canvas_cells(
				g->canvas, g->inside, g->rows + 1, LABEL_COLS + x, &cell, 1);
	}
}

static double largest_of(const struct iob_bar *bars, size_t n)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++)
		if (bars[i].kind == IOB_BAR_VALUE && bars[i].value > largest)
			largest = bars[i].value;
	return largest;
}

static void draw_data(struct graph *g, struct iob_axis *axis)
{
	int samples = iob_raster_samples(g->canvas->glyphs);
	size_t nbars = (size_t)g->cols * (size_t)samples;
	struct iob_bar *bars = calloc(nbars, sizeof(*bars));
	struct iob_cell *cells = calloc((size_t)g->rows * (size_t)g->cols, sizeof(*cells));

	if (bars && cells) {
		g->fold = iob_history_fold(iob_model_zoom_s(g->model), samples);
		g->first = iob_history_bars(
			&g->model->history, g->metric, g->fold, (size_t)samples, bars, nbars);
		g->largest = largest_of(bars, nbars);
		g->top = iob_axis_follow(axis, g->largest, g->model->now_ns);
		if (g->metric == IOB_METRIC_UTIL)
			g->top = 100;
		struct iob_raster raster = {cells, g->rows, g->cols, g->canvas->glyphs, g->top};
		iob_raster_bars(&raster, bars);
		draw_marks(g, &raster);
		for (int y = 0; y < g->rows; y++)
			iob_canvas_cells(
				g->canvas, g->inside, y, LABEL_COLS, &cells[y * g->cols], g->cols);
	}
	free(bars);
	free(cells);
}

static double now_of(const struct iob_model *m, enum iob_metric metric, bool segment)
{
	const struct iob_segment_figures *f = segment ? &m->shown.view.segment : &m->shown.view.now;
	enum iob_dir dir = f->dir[IOB_READ].ios ? IOB_READ : IOB_WRITE;

	switch (metric) {
	case IOB_METRIC_IOPS:
		return f->all.iops;
	case IOB_METRIC_MIB:
		return f->all.bw / (1 << 20);
	case IOB_METRIC_P99:
		return (double)f->dir[dir].lat.percentile_ns[IOB_P99];
	case IOB_METRIC_MAX:
		return (double)f->dir[dir].lat.max_ns;
	case IOB_METRIC_UTIL:
	case IOB_NMETRICS:
		break;
	}
	return segment ? m->shown.view.segment.disk.util : m->shown.view.disk.util;
}

static void box_title(const struct graph *g, char *left, size_t n, char *right, size_t m)
{
	const struct iob_model *model = g->model;
	bool both = iob_model_does(model, IOB_READ) && iob_model_does(model, IOB_WRITE);
	bool rates = g->metric == IOB_METRIC_IOPS || g->metric == IOB_METRIC_MIB;
	bool latency = g->metric == IOB_METRIC_P99 || g->metric == IOB_METRIC_MAX;
	char now[24], segment[24], most[24];

	/* Percentiles of a column come from those of its tenths of a second. */
	snprintf(left, n, "%s%s%s", iob_metric_name(g->metric),
		!both     ? ""
		: rates   ? " rd+wr"
		: latency ? " rd"
			  : "",
		g->metric == IOB_METRIC_P99 ? ", worst 0.1 s" : "");
	y_label(now, sizeof(now), g->metric, now_of(model, g->metric, false));
	y_label(segment, sizeof(segment), g->metric, now_of(model, g->metric, true));
	y_label(most, sizeof(most), g->metric, g->largest);
	snprintf(right, m, "%u s/col  now %s  seg %s  peak %s", iob_model_zoom_s(model), now,
		segment, most);
}

void iob_draw_graph(
	struct iob_canvas *c, struct iob_rect r, struct iob_model *m, int which, bool box)
{
	struct graph g = {.canvas = c, .model = m, .lane = which == 0 ? 2 : 0};
	char left[64], right[96];

	g.metric = m->view;
	if (which == 1)
		g.metric = m->view == IOB_METRIC_P99 ? IOB_METRIC_IOPS : IOB_METRIC_P99;
	g.inside = box ? iob_rect_inside(r) : r;
	g.rows = g.inside.rows - g.lane;
	if (g.rows > MOST_ROWS)
		g.rows = MOST_ROWS;
	g.cols = g.inside.cols - LABEL_COLS;
	if (g.cols > MOST_COLS)
		g.cols = MOST_COLS;
	if (g.rows < 1 || g.cols < 1)
		return;
	draw_data(&g, &m->axis[which][g.metric]);
	draw_y_axis(&g);
	if (g.lane)
		draw_time_axis(&g);
	if (box) {
		box_title(&g, left, sizeof(left), right, sizeof(right));
		iob_canvas_box(c, r, left, right);
	}
}

static const char *waiting_for(enum iob_phase phase)
{
	if (phase == IOB_PHASE_DONE)
		return "nothing has been run";
	return phase == IOB_PHASE_STARTING ? "the load process comes up"
					   : "workers allocate and touch their memory";
}

void iob_draw_progress(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m, bool box)
{
	const struct iob_snapshot *s = &m->shown;
	struct iob_rect inside = box ? iob_rect_inside(r) : r;
	int y = inside.rows / 2 - 1;
	char done[24], total[24];

	if (box)
		iob_canvas_box(c, r, iob_phase_name(s->phase), NULL);
	if (y < 0)
		y = 0;
	if (s->phase != IOB_PHASE_LAYOUT || s->layout_total == 0) {
		iob_canvas_text(c, inside, y, 2, IOB_ROLE_NORMAL, waiting_for(s->phase));
		return;
	}
	double share = (double)s->layout_done / (double)s->layout_total;
	struct iob_cell gauge[MOST_COLS];
	int cols = inside.cols - 10;
	iob_format_bytes(done, sizeof(done), s->layout_done);
	iob_format_bytes(total, sizeof(total), s->layout_total);
	iob_canvas_printf(c, inside, y, 2, IOB_ROLE_NORMAL,
		"laying out the file with incompressible data: %s of %s", done, total);
	if (cols < 1)
		return;
	cols = cols > MOST_COLS ? MOST_COLS : cols;
	iob_raster_gauge(gauge, cols, share, c->glyphs);
	iob_canvas_cells(c, inside, y + 1, 2, gauge, cols);
	iob_canvas_printf(c, inside, y + 1, cols + 3, IOB_ROLE_VALUE, "%3.0f%%", share * 100);
}
