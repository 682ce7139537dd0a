/* SPDX-License-Identifier: MIT */
/* The latency table: a line for each direction, over the last second and over the segment. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "ui/fmt.h"
#include "ui/widget.h"

#define NAME_COLS  7
#define VALUE_COLS 6
#define WIDE_COLS  7

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
	if (spans >= 3)
		line(t, d, "10s", &m->recent.dir[d]);
	line(t, d, "seg", &v->segment.dir[d]);
	if (spans >= 4 && m->has_base)
		line(t, d, "base", &m->base.dir[d]);
	if (spans >= (m->has_base ? 5 : 4))
		line(t, d, "run", &v->total.dir[d]);
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
	if (box) {
		title(m, right, sizeof(right));
		iob_canvas_box(c, r, "Latency", right);
	}
}
