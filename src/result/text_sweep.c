/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "result/sweep_points.h"
#include "result/text_page.h"

#define BAR 26

/* IOPS as a bar, p99 as a mark on the same line: both scaled to their largest value. */
static void draw(char *buf, double iops_share, double p99_share)
{
	int bar = (int)(iops_share * BAR + 0.5);
	int mark = (int)(p99_share * (BAR - 1) + 0.5);

	for (int i = 0; i < BAR; i++)
		buf[i] = i < bar ? '#' : ' ';
	buf[mark] = '|';
	buf[BAR] = '\0';
}

static uint64_t largest_p99(const struct iob_sweep_points *p)
{
	uint64_t most = 1;

	for (size_t i = 0; i < p->count; i++)
		most = p->point[i].p99_ns > most ? p->point[i].p99_ns : most;
	return most;
}

static void print_point(const struct iob_result *r, const struct iob_sweep_points *p, size_t i,
	double most_p99, FILE *f)
{
	const struct iob_figures *all = &p->segment[i]->figures.all;
	double best = p->point[p->knee.best].iops;
	char value[32], iops[16], p50[16], p99[16], bar[BAR + 1];

	draw(bar, p->point[i].iops / best, (double)p->point[i].p99_ns / most_p99);
	fprintf(f, "%10s%9s%9.1f%9s%9s  %s%s\n",
		iob_sweep_format(&r->sweep, p->point[i].value, value, sizeof(value)),
		iob_format_count(iops, sizeof(iops), all->iops), all->bw / (1024 * 1024),
		iob_format_latency(p50, sizeof(p50), all->lat.percentile_ns[IOB_P50]),
		iob_format_latency(p99, sizeof(p99), p->point[i].p99_ns), bar,
		(int)i == p->knee.knee ? " knee" : "");
}

static void print_knee(const struct iob_result *r, const struct iob_sweep_points *p, FILE *f)
{
	const struct iob_sweep *s = &r->sweep;
	const struct iob_knee_point *knee = &p->point[p->knee.knee];
	const struct iob_knee_point *best = &p->point[p->knee.best];
	char at[32], most[32], iops[16], limit[16], p99[16];

	iob_page_field(f, "knee", "%s\t%s gives %.0f%% of the most IOPS (%s at %s)", s->param,
		iob_sweep_format(s, knee->value, at, sizeof(at)), 100 * knee->iops / best->iops,
		iob_format_count(iops, sizeof(iops), best->iops),
		iob_sweep_format(s, best->value, most, sizeof(most)));
	if (!s->max_p99_ns)
		return;
	iob_format_latency(limit, sizeof(limit), s->max_p99_ns);
	if (p->knee.limit < 0)
		iob_page_field(f, "", "p99 stays within %s in all steps", limit);
	else
		iob_page_field(f, "", "p99 passes %s at %s\t%s (%s)", limit, s->param,
			iob_sweep_format(s, p->point[p->knee.limit].value, at, sizeof(at)),
			iob_format_latency(p99, sizeof(p99), p->point[p->knee.limit].p99_ns));
}

void iob_text_sweep(const struct iob_result *r, FILE *f)
{
	struct iob_sweep_points p;

	iob_sweep_points(&p, r);
	if (p.count == 0)
		return;
	fprintf(f, "\nsweep of %s (bar: IOPS, mark |: p99, each against its largest)\n",
		r->sweep.param);
	fprintf(f, "%10s%9s%9s%9s%9s\n", r->sweep.param, "IOPS", "MiB/s", "p50", "p99");
	for (size_t i = 0; i < p.count; i++)
		print_point(r, &p, i, (double)largest_p99(&p), f);
	print_knee(r, &p, f);
}
