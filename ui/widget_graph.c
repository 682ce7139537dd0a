/* SPDX-License-Identifier: MIT */
/* A graph with its axes: bars from the history, marks where segments begin. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ui/fmt.h"
#include "ui/widget_graph.h"

#define MOST_ROWS 256

static void y_label(char *buf, size_t n, enum iob_metric metric, double v)
{
	switch (metric) {
	case IOB_METRIC_P50:
	case IOB_METRIC_P99:
	case IOB_METRIC_P999:
	case IOB_METRIC_MAX:
	case IOB_METRIC_HEAT:
		iob_format_latency(buf, n, (uint64_t)llround(v));
		break;
	case IOB_METRIC_DEPTH:
		iob_fmt_three(buf, n, v);
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

/* Round numbers need no zeros after the point; of a unit that has no room its first letter stands,
 * as in the table of latencies. */
static void axis_label(char *buf, size_t n, enum iob_metric metric, double v)
{
	char text[24];

	y_label(text, sizeof(text), metric, v);
	char *dot = strchr(text, '.');
	char *unit = dot ? dot + 1 + strspn(dot + 1, "0123456789") : NULL;
	char *last = unit;
	while (dot && last > dot && (last[-1] == '0' || last[-1] == '.'))
		last--;
	if (last < unit)
		memmove(last, unit, strlen(unit) + 1);
	size_t cols = strlen(text);
	if (cols > IOB_LABEL_COLS - 1 && text[cols - 1] == 's')
		text[cols - 1] = '\0';
	snprintf(buf, n, "%s", text);
}

static void draw_y_axis(struct iob_graph *g)
{
	struct iob_cell line = {iob_canvas_line(g->canvas, '|'), IOB_ROLE_BOX};
	char text[24];

	for (int y = 0; y < g->rows; y++)
		iob_canvas_cells(g->canvas, g->inside, y, IOB_LABEL_COLS - 1, &line, 1);
	axis_label(text, sizeof(text), g->metric, g->top);
	iob_canvas_right(g->canvas, g->inside, 0, IOB_LABEL_COLS - 1, IOB_ROLE_LABEL, text);
	bool log = g->model->yaxis == IOB_YAXIS_LOG;
	if (g->rows >= 6) {
		/* The middle of the axis lies on the lower edge of this row when rows are even. */
		axis_label(text, sizeof(text), g->metric,
			log ? iob_axis_unlog(0.5, g->top) : g->top / 2);
		iob_canvas_right(g->canvas, g->inside, g->rows / 2, IOB_LABEL_COLS - 1,
			IOB_ROLE_LABEL, text);
	}
	snprintf(text, sizeof(text), "0");
	if (log)
		axis_label(text, sizeof(text), g->metric, iob_axis_unlog(0, g->top));
	if (g->rows >= 2)
		iob_canvas_right(g->canvas, g->inside, g->rows - 1, IOB_LABEL_COLS - 1,
			IOB_ROLE_LABEL, text);
}

static double largest_of(const struct iob_bar *bars, size_t n)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++)
		if (bars[i].kind == IOB_BAR_VALUE && bars[i].value > largest)
			largest = bars[i].value;
	return largest;
}

static double top_of(const struct iob_graph *g, struct iob_axis *axis)
{
	if (g->metric == IOB_METRIC_UTIL)
		return 100;
	if (g->model->yaxis == IOB_YAXIS_FIXED && axis->top > 0)
		return axis->top;
	if (g->model->yaxis != IOB_YAXIS_STICKY)
		return iob_axis_follow(axis, g->largest, g->model->now_ns);
	double wanted = iob_axis_nice(g->largest);
	axis->top = wanted > axis->top ? wanted : axis->top;
	return axis->top;
}

/* The heights on a logarithmic axis take the place of the values. */
static void bend(struct iob_bar *bars, size_t n, double top)
{
	for (size_t i = 0; i < n; i++) {
		double share = bars[i].value > 0 ? bars[i].part / bars[i].value : 0;

		bars[i].value = iob_axis_log(bars[i].value, top);
		bars[i].part = bars[i].value * share;
	}
}

static void draw_data(struct iob_graph *g, struct iob_axis *axis)
{
	int samples = iob_raster_samples(g->canvas->glyphs);
	size_t nbars = (size_t)g->cols * (size_t)samples;
	struct iob_bar *bars = calloc(nbars, sizeof(*bars));
	struct iob_cell *cells = calloc((size_t)g->rows * (size_t)g->cols, sizeof(*cells));

	if (bars && cells) {
		g->columns.fold = iob_history_fold(iob_model_zoom_s(g->model), samples);
		g->columns.group = (size_t)samples;
		g->first = iob_history_bars(&g->model->history, g->metric, g->columns, bars, nbars);
		g->largest = largest_of(bars, nbars);
		g->top = top_of(g, axis);
		struct iob_raster raster = {cells, g->rows, g->cols, g->canvas->glyphs, g->top};
		if (g->model->yaxis == IOB_YAXIS_LOG) {
			bend(bars, nbars, g->top);
			raster.top = 1;
		}
		iob_raster_bars(&raster, bars);
		iob_graph_put(g, cells);
	}
	free(bars);
	free(cells);
}

/* Whose latencies a graph shows. */
static enum iob_dir latency_of(const struct iob_segment_figures *f)
{
	return f->dir[IOB_READ].ios ? IOB_READ : f->dir[IOB_WRITE].ios ? IOB_WRITE : IOB_TRIM;
}

static double now_of(const struct iob_model *m, enum iob_metric metric, bool segment)
{
	const struct iob_segment_figures *f = segment ? &m->shown.view.segment : &m->shown.view.now;
	enum iob_dir dir = latency_of(f);

	switch (metric) {
	case IOB_METRIC_IOPS:
		return f->all.iops;
	case IOB_METRIC_MIB:
		return f->all.bw / (1 << 20);
	case IOB_METRIC_P50:
		return (double)f->dir[dir].lat.percentile_ns[IOB_P50];
	case IOB_METRIC_P99:
	case IOB_METRIC_HEAT:
		return (double)f->dir[dir].lat.percentile_ns[IOB_P99];
	case IOB_METRIC_P999:
		return (double)f->dir[dir].lat.percentile_ns[IOB_P999];
	case IOB_METRIC_DEPTH:
		return f->depth;
	case IOB_METRIC_MAX:
		return (double)f->dir[dir].lat.max_ns;
	case IOB_METRIC_UTIL:
	case IOB_NMETRICS:
		break;
	}
	return segment ? m->shown.view.segment.disk.util : m->shown.view.disk.util;
}

static bool is_latency(enum iob_metric metric)
{
	return (metric >= IOB_METRIC_P50 && metric <= IOB_METRIC_MAX) || metric == IOB_METRIC_HEAT;
}

static void left_title(const struct iob_graph *g, char *left, size_t n)
{
	static const char *const words[IOB_NDIR] = {" rd", " wr", " tr"};
	const struct iob_model *m = g->model;
	bool both = iob_model_does(m, IOB_READ) && iob_model_does(m, IOB_WRITE);
	bool rates = g->metric == IOB_METRIC_IOPS || g->metric == IOB_METRIC_MIB;
	bool worst = g->metric == IOB_METRIC_P99 || g->metric == IOB_METRIC_P999;
	bool one = is_latency(g->metric) && g->metric != IOB_METRIC_HEAT;

	/* Percentiles of a column come from those of its tenths of a second. */
	snprintf(left, n, "%s%s%s%s%s", iob_metric_name(g->metric),
		!both   ? ""
		: rates ? " rd+wr"
		: one   ? words[latency_of(&m->shown.view.now)]
			: "",
		worst ? ", worst 0.1 s" : "", m->yaxis == IOB_YAXIS_AUTO ? "" : ", y ",
		m->yaxis == IOB_YAXIS_AUTO ? "" : iob_yaxis_name(m->yaxis));
}

/* A percentile that rests on too few samples has a "~" in front. */
static const char *doubt(const struct iob_graph *g)
{
	const struct iob_segment_figures *f = &g->model->shown.view.now;
	const struct iob_latency *lat = &f->dir[latency_of(f)].lat;
	int which = g->metric == IOB_METRIC_P50    ? IOB_P50
		    : g->metric == IOB_METRIC_P99  ? IOB_P99
		    : g->metric == IOB_METRIC_P999 ? IOB_P999
						   : -1;

	return which >= 0 && lat->n && (lat->thin >> which & 1) ? "~" : "";
}

static void right_title(const struct iob_graph *g, char *right, size_t n)
{
	char now[24], segment[24], most[24];

	y_label(now, sizeof(now), g->metric, now_of(g->model, g->metric, false));
	y_label(segment, sizeof(segment), g->metric, now_of(g->model, g->metric, true));
	y_label(most, sizeof(most), g->metric, g->largest);
	if (g->metric == IOB_METRIC_HEAT)
		snprintf(right, n, "%u s/col  p99 now %s  seg %s", iob_model_zoom_s(g->model), now,
			segment);
	else
		snprintf(right, n, "%u s/col  now %s%s  seg %s  peak %s",
			iob_model_zoom_s(g->model), doubt(g), now, segment, most);
}

/* Rates, latency and the disk's own view go together, whichever of them was asked for. */
static enum iob_metric metric_of(const struct iob_model *m, int which)
{
	bool busy = m->view == IOB_METRIC_UTIL || m->view == IOB_METRIC_DEPTH;

	if (which == 0)
		return m->view;
	if (which == 1)
		return is_latency(m->view) ? IOB_METRIC_IOPS : IOB_METRIC_P99;
	if (busy)
		return IOB_METRIC_IOPS;
	return m->shown.view.has_disk ? IOB_METRIC_UTIL : IOB_METRIC_DEPTH;
}

void iob_draw_graph(
	struct iob_canvas *c, struct iob_rect r, struct iob_model *m, int which, bool box)
{
	struct iob_graph g = {.canvas = c, .model = m, .lane = which == 0 ? 2 : 0};
	char left[96], right[128];

	g.metric = metric_of(m, which);
	g.columns.back = m->back;
	g.sweep = m->sweep;
	g.inside = box ? iob_rect_inside(r) : r;
	g.rows = g.inside.rows - g.lane;
	if (g.rows > MOST_ROWS)
		g.rows = MOST_ROWS;
	g.cols = g.inside.cols - IOB_LABEL_COLS;
	if (g.cols > IOB_GRAPH_COLS)
		g.cols = IOB_GRAPH_COLS;
	if (g.rows < 1 || g.cols < 1)
		return;
	if (g.metric == IOB_METRIC_HEAT) {
		iob_graph_heat(&g);
	} else {
		draw_data(&g, &m->axis[which][g.metric]);
		draw_y_axis(&g);
	}
	iob_graph_lanes(&g);
	if (box) {
		left_title(&g, left, sizeof(left));
		right_title(&g, right, sizeof(right));
		iob_canvas_box(c, r, left, right);
	}
}
