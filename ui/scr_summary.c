/* SPDX-License-Identifier: MIT */
/* What came out, when the run is over. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "ui/app.h"
#include "ui/fmt.h"
#include "ui/steady.h"
#include "ui/widget.h"

/* The longest stretch of constant parameters stands for the run. */
static size_t headline(const struct iob_changes *c)
{
	size_t best = c->count;

	for (size_t i = 0; i < c->count; i++) {
		if (c->item[i].params.kind != IOB_SEGMENT_LOAD)
			continue;
		if (best == c->count || c->item[i].figures.seconds > c->item[best].figures.seconds)
			best = i;
	}
	return best;
}

static void add_headline(struct iob_lines *lines, const struct iob_model *m, size_t best)
{
	const struct iob_change *change = &m->changes.item[best];
	const struct iob_segment_figures *f = &change->figures;
	char iops[24], bw[64], p50[24], p99[24], max[24];

	iob_lines_add(lines, IOB_ROLE_VALUE, "%s IOPS   %s   over %.1f s",
		iob_format_count(iops, sizeof(iops), f->all.iops),
		iob_format_bandwidth(bw, sizeof(bw), f->all.bw), f->seconds);
	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_latency *lat = &f->dir[d].lat;

		if (f->dir[d].ios == 0)
			continue;
		iob_lines_add(lines, (enum iob_role)(IOB_ROLE_READ + d),
			"%-5s latency  p50 %s  p99 %s  max %s", iob_dir_name((enum iob_dir)d),
			iob_format_latency(p50, sizeof(p50), lat->percentile_ns[IOB_P50]),
			iob_format_latency(p99, sizeof(p99), lat->percentile_ns[IOB_P99]),
			iob_format_latency(max, sizeof(max), lat->max_ns));
	}
}

/* Of a segment's line as a whole. */
#define SEGMENT_COLS 70
/* "  from     s    qd jobs     bs  rd%    IOPS  MiB/s ...": with the blank before. */
#define JOBS_AT      20
#define JOBS_COLS    5
#define MIB_AT       45
#define MIB_COLS     7

/* Drop what stands at [at, at + n) of the line. */
static void drop(char *line, size_t at, size_t n)
{
	if (strlen(line) > at + n)
		memmove(line + at, line + at + n, strlen(line + at + n) + 1);
}

/* Where the line is too long, jobs and MiB/s are what can be missed. */
static void add_row(struct iob_lines *lines, enum iob_role role, size_t cols, char *line)
{
	if (cols < SEGMENT_COLS) {
		drop(line, MIB_AT, MIB_COLS);
		drop(line, JOBS_AT, JOBS_COLS);
	}
	iob_lines_add(lines, role, "%s", line);
}

static void add_segment(
	struct iob_lines *lines, const struct iob_change *c, bool is_headline, size_t cols)
{
	const struct iob_segment_figures *f = &c->figures;
	char from[24], bs[120], iops[24], mib[24], rd[24], wr[24], share[16], line[320];

	if (c->params.kind != IOB_SEGMENT_LOAD) {
		iob_lines_add(lines, IOB_ROLE_LABEL, "  %6s %5.0f  %s",
			iob_format_clock(from, sizeof(from), f->from_ms * 1000000), f->seconds,
			c->what);
		return;
	}
	snprintf(share, sizeof(share), "%llu", (unsigned long long)c->params.live.rwmixread);
	bool mixed = f->dir[IOB_READ].ios && f->dir[IOB_WRITE].ios;
	snprintf(line, sizeof(line), "%c%c%6s %5.0f %5llu %4llu %6s %4s %7s %6s %7s %7s", c->letter,
		is_headline ? '*' : ' ', iob_format_clock(from, sizeof(from), f->from_ms * 1000000),
		f->seconds, (unsigned long long)c->params.live.iodepth,
		(unsigned long long)c->params.live.numjobs,
		iob_live_bs(bs, sizeof(bs), &c->params.live),
		mixed                  ? share
		: f->dir[IOB_READ].ios ? "100"
				       : "0",
		iob_format_count(iops, sizeof(iops), f->all.iops),
		iob_fmt_mib(mib, sizeof(mib), f->all.bw),
		iob_fmt_micros(rd, sizeof(rd), f->dir[IOB_READ].lat.percentile_ns[IOB_P99]),
		iob_fmt_micros(wr, sizeof(wr), f->dir[IOB_WRITE].lat.percentile_ns[IOB_P99]));
	add_row(lines, is_headline ? IOB_ROLE_VALUE : IOB_ROLE_NORMAL, cols, line);
}

static void add_segments(
	struct iob_lines *lines, const struct iob_changes *c, size_t best, size_t cols)
{
	char line[128];
	unsigned loads = 0;

	for (size_t i = 0; i < c->count; i++)
		loads += c->item[i].params.kind == IOB_SEGMENT_LOAD ? 1 : 0;
	iob_lines_add(lines, IOB_ROLE_NORMAL, "%s", "");
	snprintf(line, sizeof(line), "%-2s%6s %5s %5s %4s %6s %4s %7s %6s %7s %7s", "", "from", "s",
		"qd", "jobs", "bs", "rd%", "IOPS", "MiB/s", "rd p99", "wr p99");
	add_row(lines, IOB_ROLE_HEAD, cols, line);
	for (size_t i = 0; i < c->count; i++)
		add_segment(lines, &c->item[i], i == best && loads > 1, cols);
	iob_lines_add(lines, IOB_ROLE_LABEL, "  p99 in us; m = ms");
	if (loads > 1)
		iob_lines_wrap(lines, IOB_ROLE_LABEL, cols, "",
			"* longest segment = headline.  Parameters changed: the run is not one result.");
}

static void add_troubles(struct iob_lines *lines, const struct iob_snapshot *s, size_t cols)
{
	const struct iob_warnings *w = &s->warnings;
	char text[300];

	iob_lines_add(lines, IOB_ROLE_NORMAL, "%s", "");
	if (s->limit.what[0]) {
		snprintf(text, sizeof(text), "Limit: %s", s->limit.text);
		iob_lines_wrap(lines, IOB_ROLE_VALUE, cols, "", text);
	}
	if (w->count == 0)
		iob_lines_add(lines, IOB_ROLE_LABEL, "Warnings: none");
	for (unsigned i = 0; i < w->count; i++) {
		snprintf(text, sizeof(text), "%s: %s", w->item[i].code, w->item[i].text);
		iob_lines_wrap(lines, IOB_ROLE_WARN, cols, "", text);
	}
}

/* What went wrong, before all figures of parts; and in a line what the end of the list says in
 * full.
 */
static void add_verdict(struct iob_lines *lines, const struct iob_snapshot *s, size_t cols)
{
	const struct iob_warnings *w = &s->warnings;
	char text[300];
	size_t used;

	if (s->error.code)
		iob_lines_wrap(lines, IOB_ROLE_ERROR, cols, "", s->error.text);
	if (!s->error.code && s->in_flight && s->outcome >= IOB_OUTCOME_FAILED)
		iob_lines_add(lines, IOB_ROLE_ERROR, "%llu requests never came back",
			(unsigned long long)s->in_flight);
	/* The reason in words; the evidence comes after them. */
	int words = (int)strcspn(s->limit.text, ":;,");
	used = (size_t)snprintf(text, sizeof(text), "limit: %.*s   warnings: %s",
		words > 0 && words < 40 ? words : (int)sizeof(s->limit.what),
		words > 0 && words < 40 ? s->limit.text
		: s->limit.what[0]      ? s->limit.what
					: "unknown",
		w->count ? "" : "none");
	for (unsigned i = 0; i < w->count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s ", w->item[i].code);
	iob_lines_add(lines, w->count ? IOB_ROLE_WARN : IOB_ROLE_NORMAL, "%s", text);
}

static void add_marks(struct iob_lines *lines, const struct iob_marks *marks)
{
	char at[24];

	for (size_t i = 0; i < marks->count; i++)
		iob_lines_add(lines, IOB_ROLE_NORMAL, "! %6s  %s",
			iob_format_clock(at, sizeof(at), marks->item[i].ms * 1000000),
			marks->item[i].text);
}

/* What speaks for and against the figures, besides the warnings. */
static void add_trust(struct iob_lines *lines, const struct iob_app *app, size_t best)
{
	const struct iob_model *m = &app->model;
	const struct iob_segment_figures *f = &m->changes.item[best].figures;
	const struct iob_recorder_view *v = &m->shown.view;
	char kernel[48] = "no disk counters", cv[48] = "too short to say", diff[16];

	if (f->has_disk && f->all.iops > 0)
		snprintf(kernel, sizeof(kernel), "kernel vs app %s",
			iob_fmt_change(diff, sizeof(diff), f->all.iops,
				f->disk.r_s + f->disk.w_s + f->disk.d_s));
	if (app->cv >= 0)
		snprintf(cv, sizeof(cv), "IOPS cv %.1f %%", app->cv);
	iob_lines_add(lines, IOB_ROLE_NORMAL, "%s", "");
	iob_lines_add(lines, IOB_ROLE_HEAD, "Can this be trusted?");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "  stability: %s   errors %llu   short %llu   lost 0",
		cv, (unsigned long long)v->total.all.errors,
		(unsigned long long)v->total.all.shorts);
	iob_lines_add(lines, IOB_ROLE_NORMAL,
		"  %s   busiest worker %.0f %% of a CPU   longest stall %.1f s", kernel,
		v->worker_cpu_max * 100, (double)v->longest_stall_ns / 1e9);
}

static void build(struct iob_lines *lines, const struct iob_app *app, size_t cols)
{
	const struct iob_model *m = &app->model;
	const struct iob_snapshot *s = &m->shown;
	size_t best = headline(&m->changes);
	char target[256], work[80];

	iob_lines_add(lines, IOB_ROLE_NORMAL, "%s   %s   %s%s%s",
		iob_model_target(m, target, sizeof(target)), iob_model_work(m, work, sizeof(work)),
		s->engine, iob_model_caching(m),
		s->target.kind == IOB_TARGET_SCRATCH ? " (removed)" : "");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "%s", "");
	if (best < m->changes.count && m->changes.item[best].figures.all.ios)
		add_headline(lines, m, best);
	else
		iob_lines_add(lines, IOB_ROLE_WARN, "nothing was measured");
	add_verdict(lines, s, cols);
	if (m->changes.count)
		add_segments(lines, &m->changes, best, cols);
	add_marks(lines, &m->marks);
	if (best < m->changes.count)
		add_trust(lines, app, best);
	add_troubles(lines, s, cols);
}

static void draw(struct iob_app *app)
{
	struct iob_lines lines = {.count = 0};
	const struct iob_snapshot *s = &app->model.shown;
	struct iob_rect title = {0, 0, 1, app->cols};
	int graph = app->rows >= 34 && app->cols >= 100 ? 12 : 0;
	struct iob_rect box = {1 + graph, 0, app->rows - 3 - graph, app->cols};
	struct iob_rect status = {app->rows - 2, 0, app->rows > 2 ? 1 : 0, app->cols};
	struct iob_rect hints = {app->rows - 1, 0, app->rows > 1 ? 1 : 0, app->cols};
	bool good = s->outcome == IOB_OUTCOME_COMPLETE || s->outcome == IOB_OUTCOME_STOPPED;

	build(&lines, app, app->cols > 6 ? (size_t)app->cols - 4 : 2);
	iob_canvas_fill(&app->canvas, title, IOB_ROLE_TITLE);
	iob_canvas_text(&app->canvas, title, 0, 1, IOB_ROLE_TITLE,
		PACKAGE_NAME " " PACKAGE_VERSION " | SUMMARY");
	iob_canvas_right(&app->canvas, title, 0, app->cols - 1,
		good ? IOB_ROLE_TITLE : IOB_ROLE_ERROR, iob_outcome_name(s->outcome));
	if (graph)
		iob_draw_graph(&app->canvas, (struct iob_rect){1, 0, graph, app->cols}, &app->model,
			0, true);
	iob_draw_lines(&app->canvas, box, "Result", &lines, &app->scroll, 1);
	if (app->model.toast.level != IOB_TOAST_NONE)
		iob_draw_toast(&app->canvas, status, &app->model.toast);
	else if (app->kept[0])
		iob_canvas_printf(
			&app->canvas, status, 0, 1, IOB_ROLE_LABEL, "kept: %s", app->kept);
	iob_draw_hints(&app->canvas, hints, IOB_SCREEN_SUMMARY);
	iob_lines_free(&lines);
}

/* The whole run in one graph, as far as the steps of the zoom go. */
static void zoom_to_fit(struct iob_app *app)
{
	static const unsigned seconds[] = {1, 2, 5, 10, 30, 60};
	uint64_t length = app->model.shown.view.intervals / 10;
	uint64_t cols = app->cols > 10 ? (uint64_t)app->cols - 8 : 1;
	size_t i = 0;

	while (i < 5 && length / seconds[i] > cols)
		i++;
	iob_model_set_zoom(&app->model, seconds[i]);
	app->model.back = 0;
	app->model.sweep = false;
}

static void enter(struct iob_app *app)
{
	size_t best = headline(&app->model.changes);

	zoom_to_fit(app);
	app->cv = -1;
	if (best < app->model.changes.count)
		app->cv = iob_stability_of(&app->model.source,
			app->model.changes.item[best].figures.from_ms,
			app->model.changes.item[best].figures.to_ms);
	app->scroll = 0;
	/* What was said about the running load is history. */
	app->model.toast.level = IOB_TOAST_NONE;
}

static void act(struct iob_app *app, enum iob_action action)
{
	if (iob_scroll_act(&app->scroll, action))
		return;
	if (action == IOB_ACT_START)
		iob_app_start(app);
	else if (action == IOB_ACT_REPLAY)
		iob_app_replay(app);
	else if (action == IOB_ACT_CANCEL && app->config->setup && app->setup)
		iob_app_show(app, &iob_scr_setup);
}

const struct iob_scr iob_scr_summary = {
	.id = IOB_SCREEN_SUMMARY, .enter = enter, .act = act, .draw = draw};
