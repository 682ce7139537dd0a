/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "job/param.h"
#include "ui/fmt.h"
#include "ui/stability.h"

#define SCALE    30.0 /* per cent at the end of a bar */
#define MOST_BAR 61

struct compare {
	struct iob_lines *lines;
	const struct iob_result *a, *b;
	const struct iob_result_segment *sa, *sb;
	double noise; /* per cent */
	int bar;      /* cells, odd */
};

static double spread_of(const struct iob_result *r, const struct iob_result_segment *s)
{
	struct iob_stability st = {.from_ms = s->figures.from_ms, .to_ms = s->figures.to_ms};

	iob_stability_add(&st, r->interval, r->nintervals, 0);
	return fmax(0, iob_stability_cv(&st));
}

/* Lower to the left, higher to the right of the middle. */
static void draw_bar(char *buf, int cols, double percent)
{
	int half = cols / 2;
	int n = (int)lround(fmin(fabs(percent), SCALE) / SCALE * half);

	memset(buf, ' ', (size_t)cols);
	buf[half] = '|';
	for (int i = 1; i <= n; i++)
		buf[percent < 0 ? half - i : half + i] = percent < 0 ? '<' : '>';
	buf[cols] = '\0';
}

struct values {
	double a, b;
	char text_a[24], text_b[24];
	bool low_is_good, neutral;
};

static void add_row(struct compare *c, const char *name, const struct values *v)
{
	char change[24], bar[MOST_BAR + 1];
	double percent = v->b > 0 ? (v->a - v->b) / v->b * 100 : 0;
	bool noise = fabs(percent) <= c->noise;
	bool good = v->low_is_good ? percent < 0 : percent > 0;
	enum iob_role role = IOB_ROLE_NORMAL;

	draw_bar(bar, c->bar, percent);
	if (!noise && !v->neutral && percent != 0)
		role = good ? IOB_ROLE_OK : IOB_ROLE_ERROR;
	iob_lines_add(c->lines, role, "%-14s %9s %9s %8s %c [%s]%s", name, v->text_a, v->text_b,
		iob_fmt_change(change, sizeof(change), v->b, v->a),
		role == IOB_ROLE_OK      ? '+'
		: role == IOB_ROLE_ERROR ? '!'
					 : ' ',
		bar, noise && percent != 0 ? " ~" : "");
}

static void add_rates(struct compare *c)
{
	const struct iob_figures *a = &c->sa->figures.all, *b = &c->sb->figures.all;
	struct values v = {.a = a->iops, .b = b->iops};

	iob_format_count(v.text_a, sizeof(v.text_a), a->iops);
	iob_format_count(v.text_b, sizeof(v.text_b), b->iops);
	add_row(c, "IOPS", &v);
	v = (struct values){.a = a->bw, .b = b->bw};
	iob_fmt_mib(v.text_a, sizeof(v.text_a), a->bw);
	iob_fmt_mib(v.text_b, sizeof(v.text_b), b->bw);
	add_row(c, "MiB/s", &v);
}

static void add_latency(struct compare *c, const char *name, uint64_t a, uint64_t b)
{
	struct values v = {.a = (double)a, .b = (double)b, .low_is_good = true};

	iob_fmt_micros(v.text_a, sizeof(v.text_a), a);
	iob_fmt_micros(v.text_b, sizeof(v.text_b), b);
	add_row(c, name, &v);
}

static void add_direction(struct compare *c, enum iob_dir d)
{
	static const struct {
		const char *name;
		int which;
	} rows[] = {{"p50", IOB_P50}, {"p90", IOB_P90}, {"p99", IOB_P99}, {"p99.9", IOB_P999}};
	const struct iob_latency *a = &c->sa->figures.dir[d].lat, *b = &c->sb->figures.dir[d].lat;
	char name[32];

	if (a->n == 0 || b->n == 0)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "%s %s us", iob_dir_name(d), rows[i].name);
		add_latency(
			c, name, a->percentile_ns[rows[i].which], b->percentile_ns[rows[i].which]);
	}
	snprintf(name, sizeof(name), "%s max us", iob_dir_name(d));
	add_latency(c, name, a->max_ns, b->max_ns);
}

static void add_disk(struct compare *c)
{
	struct values v = {.neutral = true};

	if (!c->sa->figures.has_disk || !c->sb->figures.has_disk)
		return;
	v.a = c->sa->figures.disk.util;
	v.b = c->sb->figures.disk.util;
	snprintf(v.text_a, sizeof(v.text_a), "%.0f", v.a);
	snprintf(v.text_b, sizeof(v.text_b), "%.0f", v.b);
	add_row(c, "disk busy %", &v);
}

static bool differ(struct compare *c, const char *what, const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return false;
	iob_lines_add(c->lines, IOB_ROLE_WARN, "differs: %-12s A %.80s   B %.80s", what,
		a[0] ? a : "-", b[0] ? b : "-");
	return true;
}

static struct iob_job job_of(const struct iob_result *r, const struct iob_result_segment *s)
{
	struct iob_job job =
		r->plan->stage[s->params.stage < r->plan->nstages ? s->params.stage : 0];

	iob_live_to_job(&s->params.live, &job);
	return job;
}

static void add_settings(struct compare *c)
{
	struct iob_job *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	char x[300], y[300];
	bool any = false;

	if (a && b) {
		*a = job_of(c->a, c->sa);
		*b = job_of(c->b, c->sb);
		for (size_t i = 0; i < iob_nparams; i++) {
			const struct iob_param *p = &iob_params[i];

			if (p->flags & (IOB_PF_COMPLEMENT | IOB_PF_NO_EFFECT) ||
				p->type == IOB_P_TEXT || strcmp(p->name, "bsrange") == 0 ||
				strcmp(p->name, "randseed") == 0)
				continue;
			any |= differ(c, p->name, iob_param_get(a, p, x, sizeof(x)),
				iob_param_get(b, p, y, sizeof(y)));
		}
	}
	free(a);
	free(b);
	any |= differ(c, "engine", c->a->engine, c->b->engine);
	iob_lines_add(c->lines, any ? IOB_ROLE_WARN : IOB_ROLE_LABEL, "Same settings? %s",
		any ? "no: see above" : "yes");
	differ(c, "target", c->a->target.path, c->b->target.path);
	differ(c, "scheduler", c->a->target.scheduler, c->b->target.scheduler);
	differ(c, "host", c->a->host.name, c->b->host.name);
	differ(c, "kernel", c->a->host.kernel, c->b->host.kernel);
	differ(c, "version", c->a->version, c->b->version);
}

void iob_compare_lines(
	struct iob_lines *lines, const struct iob_result *a, const struct iob_result *b, int cols)
{
	struct compare c = {.lines = lines, .a = a, .b = b};

	c.sa = iob_result_headline(a);
	c.sb = iob_result_headline(b);
	if (!c.sa || !c.sb) {
		iob_lines_add(
			lines, IOB_ROLE_WARN, "run %s has measured nothing", c.sa ? "B" : "A");
		return;
	}
	c.noise = fmax(spread_of(a, c.sa), spread_of(b, c.sb));
	c.bar = cols - 54 < MOST_BAR ? cols - 54 : MOST_BAR;
	c.bar = c.bar < 9 ? 9 : c.bar - !(c.bar % 2);
	iob_lines_add(lines, IOB_ROLE_HEAD, "%-14s %9s %9s %8s   -%.0f%% ... +%.0f%%", "", "A", "B",
		"A vs B", SCALE, SCALE);
	add_rates(&c);
	for (int d = 0; d < IOB_NDIR; d++)
		add_direction(&c, (enum iob_dir)d);
	add_disk(&c);
	iob_lines_add(lines, IOB_ROLE_LABEL,
		"~ within the spread of either run (%.1f %%): repeat before believing it", c.noise);
	add_settings(&c);
}
