/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/param.h"
#include "measure/stability.h"

static double spread_of(const struct iob_result *r, const struct iob_result_segment *s)
{
	struct iob_stability st = {.from_ms = s->figures.from_ms, .to_ms = s->figures.to_ms};

	iob_stability_add(&st, r->interval, r->nintervals, 0);
	return iob_stability_cv(&st);
}

/* A new row; its values are set by the caller. */
static struct iob_compare_row *add_row(struct iob_comparison *c, enum iob_compare_unit unit,
	const char *dir, const char *blank, const char *what)
{
	struct iob_compare_row *row = &c->row[c->nrows++];

	*row = (struct iob_compare_row){.unit = unit, .low_is_good = unit == IOB_COMPARE_LATENCY};
	snprintf(row->name, sizeof(row->name), "%s%s%s", dir, blank, what);
	return row;
}

static void add_rates(struct iob_comparison *c)
{
	struct iob_compare_row *iops = add_row(c, IOB_COMPARE_COUNT, "", "", "IOPS");
	struct iob_compare_row *bw = add_row(c, IOB_COMPARE_BANDWIDTH, "", "", "bandwidth");

	for (unsigned i = 0; i < c->nruns; i++) {
		iops->value[i] = c->segment[i]->figures.all.iops;
		bw->value[i] = c->segment[i]->figures.all.bw;
	}
}

static void add_direction(struct iob_comparison *c, enum iob_dir d)
{
	static const struct {
		const char *name;
		int which;
	} rows[] = {{"p50", IOB_P50}, {"p90", IOB_P90}, {"p99", IOB_P99}, {"p99.9", IOB_P999}};
	struct iob_compare_row *row;

	for (unsigned i = 0; i < c->nruns; i++)
		if (c->segment[i]->figures.dir[d].lat.n == 0)
			return;
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		row = add_row(c, IOB_COMPARE_LATENCY, iob_dir_name(d), " ", rows[k].name);
		for (unsigned i = 0; i < c->nruns; i++)
			row->value[i] = (double)c->segment[i]
						->figures.dir[d]
						.lat.percentile_ns[rows[k].which];
	}
	row = add_row(c, IOB_COMPARE_LATENCY, iob_dir_name(d), " ", "max");
	for (unsigned i = 0; i < c->nruns; i++)
		row->value[i] = (double)c->segment[i]->figures.dir[d].lat.max_ns;
}

static void add_disk(struct iob_comparison *c)
{
	for (unsigned i = 0; i < c->nruns; i++)
		if (!c->segment[i]->figures.has_disk)
			return;
	struct iob_compare_row *row = add_row(c, IOB_COMPARE_PERCENT, "", "", "disk busy");
	row->neutral = true;
	for (unsigned i = 0; i < c->nruns; i++)
		row->value[i] = c->segment[i]->figures.disk.util;
}

int iob_comparison_make(struct iob_comparison *c, const struct iob_result *const *runs, unsigned n)
{
	memset(c, 0, sizeof(*c));
	c->nruns = n < IOB_COMPARE_RUNS ? n : IOB_COMPARE_RUNS;
	for (unsigned i = 0; i < c->nruns; i++) {
		c->run[i] = runs[i];
		c->segment[i] = iob_result_headline(runs[i]);
		if (!c->segment[i])
			return (int)i;
		c->spread[i] = spread_of(runs[i], c->segment[i]);
	}
	add_rates(c);
	for (int d = 0; d < IOB_NDIR; d++)
		add_direction(c, (enum iob_dir)d);
	add_disk(c);
	return -1;
}

double iob_comparison_change(const struct iob_compare_row *row, unsigned run)
{
	return row->value[0] > 0 ? (row->value[run] - row->value[0]) / row->value[0] * 100 : 0;
}

double iob_comparison_noise(const struct iob_comparison *c, unsigned run)
{
	return fmax(c->spread[0], c->spread[run]);
}

enum iob_compare_verdict iob_comparison_judge(
	const struct iob_comparison *c, const struct iob_compare_row *row, unsigned run)
{
	double change = iob_comparison_change(row, run);

	if (change == 0)
		return IOB_COMPARE_SAME;
	if (fabs(change) <= iob_comparison_noise(c, run))
		return IOB_COMPARE_NOISE;
	if (row->neutral)
		return IOB_COMPARE_OTHER;
	return (change > 0) == row->low_is_good ? IOB_COMPARE_WORSE : IOB_COMPARE_BETTER;
}

/* The job of the headline segment, with its live values; to be freed. */
static struct iob_job *job_of(const struct iob_comparison *c, unsigned i)
{
	const struct iob_plan *plan = c->run[i]->plan;
	const struct iob_segment_params *params = &c->segment[i]->params;
	struct iob_job *job = malloc(sizeof(*job));

	if (!job)
		return NULL;
	*job = plan->stage[params->stage < plan->nstages ? params->stage : 0];
	iob_live_to_job(&params->live, job);
	return job;
}

static bool differ(
	iob_compare_report *report, void *self, const char *what, const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return false;
	report(self, what, a, b);
	return true;
}

bool iob_comparison_settings(
	const struct iob_comparison *c, unsigned run, iob_compare_report *report, void *self)
{
	IOB_FREE struct iob_job *a = job_of(c, 0);
	IOB_FREE struct iob_job *b = job_of(c, run);
	char x[300], y[300];
	bool any = false;

	for (size_t i = 0; a && b && i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);

		if (p->flags & (IOB_PF_COMPLEMENT | IOB_PF_NO_EFFECT) || p->type == IOB_P_TEXT ||
			strcmp(p->name, "bsrange") == 0 || strcmp(p->name, "randseed") == 0)
			continue;
		any |= differ(report, self, p->name, iob_param_get(a, p, x, sizeof(x)),
			iob_param_get(b, p, y, sizeof(y)));
	}
	any |= differ(report, self, "engine", c->run[0]->engine, c->run[run]->engine);
	return !any;
}

void iob_comparison_places(
	const struct iob_comparison *c, unsigned run, iob_compare_report *report, void *self)
{
	const struct iob_result *a = c->run[0], *b = c->run[run];

	differ(report, self, "target", a->target.path, b->target.path);
	differ(report, self, "scheduler", a->target.scheduler, b->target.scheduler);
	differ(report, self, "host", a->host.name, b->host.name);
	differ(report, self, "kernel", a->host.kernel, b->host.kernel);
	differ(report, self, "version", a->version, b->version);
}
