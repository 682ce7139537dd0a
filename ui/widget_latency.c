/* SPDX-License-Identifier: MIT */
/* The latency table: a line for each direction, over the last second and over the segment. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ui/fmt.h"
#include "ui/widget.h"

#define NAME_COLS  7
#define VALUE_COLS 6
#define WIDE_COLS  7
#define LEAST_BARS 6
#define MOST_BAR   200
#define RECENT     100 /* intervals: ten seconds */

struct table {
	struct iob_canvas *canvas;
	struct iob_rect inside;
	bool wide; /* room for p99.99 and the mean */
	int y;
};

static void value(struct table *t, int column, enum iob_role role, const char *text)
{
	int end = NAME_COLS + (column + 1) * (t->wide ? WIDE_COLS : VALUE_COLS);

	iob_canvas_right(t->canvas, t->inside, t->y, end, role, text);
}

static void head(struct table *t)
{
	static const char *const narrow[] = {"p50", "p90", "p99", "p99.9", "max", "/s", NULL};
	static const char *const wide[] = {
		"p50", "p90", "p99", "p99.9", "p99.99", "max", "mean", "/s", NULL};
	const char *const *names = t->wide ? wide : narrow;

	/* One look from the first to the last: each change of it costs bytes. */
	struct iob_rect row = {
		t->inside.y + t->y, t->inside.x + NAME_COLS + 1, 1, t->inside.cols - NAME_COLS - 2};
	if (t->y < t->inside.rows)
		iob_canvas_fill(t->canvas, row, IOB_ROLE_HEAD);
	iob_canvas_text(t->canvas, t->inside, t->y, 1, IOB_ROLE_LABEL, "us m=ms");
	for (int i = 0; names[i]; i++)
		value(t, i, IOB_ROLE_HEAD, names[i]);
	t->y++;
}

/* A percentile with fewer than ten samples beyond it has a "~" in front. */
static void percentile(struct table *t, int column, const struct iob_latency *lat, int which)
{
	char figure[16], text[20];

	iob_fmt_micros(figure, sizeof(figure), lat->percentile_ns[which]);
	snprintf(text, sizeof(text), "%s%s", lat->n && (lat->thin >> which & 1) ? "~" : "", figure);
	value(t, column, IOB_ROLE_NORMAL, text);
}

static void line(struct table *t, enum iob_dir dir, const char *span, const struct iob_figures *f)
{
	static const char *const shorts[IOB_NDIR] = {"rd", "wr", "tr"};
	enum iob_role role = (enum iob_role)(IOB_ROLE_READ + (int)dir);
	int column = 0;
	char text[24];

	if (t->y >= t->inside.rows)
		return;
	iob_canvas_printf(t->canvas, t->inside, t->y, 1, role, "%s %s", shorts[dir], span);
	percentile(t, column++, &f->lat, IOB_P50);
	percentile(t, column++, &f->lat, IOB_P90);
	percentile(t, column++, &f->lat, IOB_P99);
	percentile(t, column++, &f->lat, IOB_P999);
	if (t->wide)
		percentile(t, column++, &f->lat, IOB_P9999);
	value(t, column++, IOB_ROLE_NORMAL, iob_fmt_micros(text, sizeof(text), f->lat.max_ns));
	if (t->wide) {
		uint64_t mean = (uint64_t)f->lat.mean_ns;

		value(t, column++, IOB_ROLE_NORMAL, iob_fmt_micros(text, sizeof(text), mean));
	}
	value(t, column, IOB_ROLE_VALUE, iob_format_count(text, sizeof(text), f->iops));
	t->y++;
}

static char letter_now(const struct iob_model *m)
{
	const struct iob_changes *c = &m->changes;

	return c->count ? c->item[c->count - 1].letter : ' ';
}

static void title(const struct iob_model *m, char *buf, size_t n)
{
	const struct iob_segment_figures *f = &m->shown.view.segment;
	char letter = letter_now(m);

	if (f->kind == IOB_SEGMENT_RAMP)
		snprintf(buf, n, "ramp %.0f s", f->seconds);
	else if (f->kind == IOB_SEGMENT_PAUSED)
		snprintf(buf, n, "paused");
	else if (letter == ' ')
		snprintf(buf, n, "%s", "");
	else
		snprintf(buf, n, "seg %c %.0f s", letter, f->seconds);
}

/* Where lines are short the segment's stands for all: it is the result. */
static void direction(struct table *t, enum iob_dir d, const struct iob_model *m, int spans)
{
	const struct iob_recorder_view *v = &m->shown.view;

	if (spans >= 2)
		line(t, d, "now", &v->now.dir[d]);
	/* With a cap what a request waited before it could start comes before the longer spans. */
	struct iob_figures intended = v->segment.dir[d];
	bool capped = intended.intended.n > 0 && spans >= 3;
	spans -= capped ? 1 : 0;
	intended.lat = intended.intended;
	if (spans >= 3)
		line(t, d, "10s", &m->recent.dir[d]);
	line(t, d, "seg", &v->segment.dir[d]);
	if (capped)
		line(t, d, "int.", &intended);
	if (spans >= 4 && m->has_base)
		line(t, d, "base", &m->base.dir[d]);
	if (spans >= (m->has_base ? 5 : 4))
		line(t, d, "run", &v->total.dir[d]);
}

/* The last ten seconds, all directions together: sums of the intervals. */
static bool sum_heat(const struct iob_model *m, uint64_t *count, uint64_t *total)
{
	struct iob_heat *heat = calloc(RECENT, sizeof(*heat));
	size_t end = m->history.closed, from = end > RECENT ? end - RECENT : 0, n = 0;

	if (heat && m->source.heat)
		n = m->source.heat(m->source.self, from, heat, end - from);
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < IOB_HEAT_LEVELS; k++)
			count[k] += heat[i].count[k];
	for (int k = 0; k < IOB_HEAT_LEVELS; k++)
		*total += count[k];
	free(heat);
	return *total > 0;
}

static void bar(struct table *t, unsigned level, double share, double length)
{
	struct iob_cell cells[MOST_BAR];
	int cols = t->inside.cols - 20;
	char from[24];

	cols = cols > MOST_BAR ? MOST_BAR : cols;
	if (cols < 4)
		return;
	iob_fmt_micros(from, sizeof(from), iob_heat_low(level));
	iob_canvas_printf(t->canvas, t->inside, t->y, 1, IOB_ROLE_LABEL, "%6s", from);
	iob_raster_gauge(cells, cols, length, t->canvas->glyphs);
	for (int i = 0; i < cols; i++)
		cells[i].ch = cells[i].role == IOB_ROLE_VALUE ? cells[i].ch : ' ';
	iob_canvas_cells(t->canvas, t->inside, t->y, 9, cells, cols);
	iob_canvas_printf(
		t->canvas, t->inside, t->y, 10 + cols, IOB_ROLE_NORMAL, "%7.3f%%", share * 100);
	t->y++;
}

static uint64_t sum(const uint64_t *count, unsigned from, unsigned n)
{
	uint64_t s = 0;

	for (unsigned i = from; i < from + n && i < IOB_HEAT_LEVELS; i++)
		s += count[i];
	return s;
}

/* Where the panel is large: how the latencies of the last ten seconds are spread. */
static void histogram(struct table *t, const struct iob_model *m)
{
	uint64_t count[IOB_HEAT_LEVELS] = {0}, total = 0, most = 0;
	unsigned low = 0, high = IOB_HEAT_LEVELS - 1;

	if (!sum_heat(m, count, &total))
		return;
	while (count[low] == 0)
		low++;
	while (count[high] == 0)
		high--;
	iob_canvas_text(t->canvas, t->inside, t->y++, 1, IOB_ROLE_HEAD,
		"from us    share of the last 10 s");
	/* All of them, however few the lines. */
	unsigned lines = (unsigned)(t->inside.rows - t->y);
	unsigned group = (high - low + lines) / lines;
	most = 0;
	for (unsigned i = low; i <= high; i += group)
		most = sum(count, i, group) > most ? sum(count, i, group) : most;
	for (unsigned i = low; i <= high; i += group) {
		double n = (double)sum(count, i, group);

		bar(t, i, n / (double)total, n / (double)most);
	}
}

void iob_draw_latency(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m, bool box)
{
	struct table t = {.canvas = c, .inside = box ? iob_rect_inside(r) : r};
	int dirs = 0;
	char right[48];

	t.wide = t.inside.cols >= NAME_COLS + 8 * WIDE_COLS;
	for (int d = 0; d < IOB_NDIR; d++)
		dirs += iob_model_does(m, (enum iob_dir)d) ? 1 : 0;
	head(&t);
	int spans = (t.inside.rows - 1) / (dirs ? dirs : 1);
	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_model_does(m, (enum iob_dir)d))
			direction(&t, (enum iob_dir)d, m, spans);
	t.y++;
	if (t.inside.rows - t.y >= LEAST_BARS)
		histogram(&t, m);
	if (box) {
		title(m, right, sizeof(right));
		iob_canvas_box(c, r, "Latency", right);
	}
}
