/* SPDX-License-Identifier: MIT */
/* A page that needs nothing but itself: what was run, tables, graphs of the timeline, warnings. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "job/param.h"
#include "measure/sample.h"
#include "result/html_graph.h"
#include "result/result.h"

static const char style[] =
	":root{color-scheme:light dark}body{font:15px/1.4 system-ui,sans-serif;max-width:78rem;"
	"margin:1.5rem auto;padding:0 1rem}"
	"table{display:block;overflow-x:auto;border-collapse:collapse;margin:.5rem 0 1.2rem}"
	"td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #8884}"
	"td:first-child,th:first-child{text-align:left}figure{margin:1rem 0;max-width:60rem}"
	"svg{width:100%;height:auto;font-size:11px}text{fill:currentColor}"
	".end{text-anchor:end}.mid{text-anchor:middle}.grid{stroke:#8884;fill:none}"
	"polyline{fill:none;stroke-width:1.6}.s0{stroke:#2a7fd4}.s1{stroke:#d2691e}"
	".s2{stroke:#2e8b57}.k0{color:#2a7fd4}.k1{color:#d2691e}.k2{color:#2e8b57}"
	".warn{border-left:4px solid #d2691e;padding-left:.7rem}";

static void put_head(const struct iob_result *r, FILE *f)
{
	time_t start = (time_t)r->started_s;
	char when[64] = "";
	struct tm tm;

	if (localtime_r(&start, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %Z", &tm);
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>", f);
	iob_html_text(r->target.path[0] ? r->target.path : "iotop-bench", f);
	fprintf(f, "</title>\n<style>%s</style></head><body>\n<h1>", style);
	iob_html_text(r->target.path[0] ? r->target.path : r->engine, f);
	fprintf(f, "</h1>\n<p>%s", iob_result_is_foreign(r) ? "" : "iotop-bench ");
	iob_html_text(r->version, f);
	fprintf(f, ", %s", when);
	fputs("</p>\n", f);
}

static void put_fact(const char *name, const char *text, FILE *f)
{
	if (!text[0])
		return;
	fprintf(f, "<tr><td>%s</td><td>", name);
	iob_html_text(text, f);
	fputs("</td></tr>\n", f);
}

static void put_facts(const struct iob_result *r, FILE *f)
{
	char size[16];

	fputs("<table>\n", f);
	if (r->target.size)
		put_fact("size", iob_format_bytes(size, sizeof(size), r->target.size), f);
	put_fact("disk", r->target.disk, f);
	put_fact("partition", r->target.partition, f);
	put_fact("model", r->target.model, f);
	put_fact("scheduler", r->target.scheduler, f);
	put_fact("engine", r->engine, f);
	put_fact("flags", r->engine_flags, f);
	put_fact("host", r->host.name, f);
	put_fact("kernel", r->host.kernel, f);
	put_fact("CPU", r->host.cpu, f);
	put_fact("outcome", iob_outcome_name(r->outcome), f);
	put_fact("error", r->error.text, f);
	fputs("</table>\n", f);
}

static void put_param(const struct iob_job *job, const char *name, FILE *f)
{
	char value[64];

	fputs("<td>", f);
	iob_html_text(iob_param_get(job, iob_param_find(name), value, sizeof(value)), f);
	fputs("</td>", f);
}

static void put_latencies(const struct iob_latency *lat, FILE *f)
{
	static const int shown[] = {IOB_P50, IOB_P90, IOB_P99, IOB_P999, IOB_P9999};
	char text[16];

	fprintf(f, "<td>%s</td>",
		iob_format_latency(text, sizeof(text), (uint64_t)llround(lat->mean_ns)));
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		fprintf(f, "<td>%s%s</td>",
			iob_format_latency(text, sizeof(text), lat->percentile_ns[shown[i]]),
			lat->thin & (1u << shown[i]) ? " ~" : "");
	fprintf(f, "<td>%s</td>", iob_format_latency(text, sizeof(text), lat->max_ns));
}

static void put_row(const char *what, const struct iob_segment_figures *s, enum iob_dir d,
	const struct iob_job *job, FILE *f)
{
	const struct iob_figures *v = &s->dir[d];
	char iops[16], bw[48];

	if (v->ios == 0 && v->errors == 0)
		return;
	fputs("<tr><td>", f);
	iob_html_text(what, f);
	fprintf(f, "</td><td>%.1f s</td>", s->seconds);
	put_param(job, "rw", f);
	put_param(job, "bs", f);
	put_param(job, "iodepth", f);
	fprintf(f, "<td>%s</td><td>%s</td><td>%s</td>", iob_dir_name(d),
		iob_format_count(iops, sizeof(iops), v->iops),
		iob_format_bandwidth(bw, sizeof(bw), v->bw));
	put_latencies(&v->lat, f);
	fprintf(f, "<td>%" PRIu64 "</td></tr>\n", v->errors + v->zeros);
}

static void put_table(const char *title, FILE *f)
{
	fprintf(f,
		"<h2>%s</h2>\n<table><tr><th></th><th>time</th><th>rw</th><th>bs</th>"
		"<th>iodepth</th><th></th><th>IOPS</th><th>bandwidth</th><th>mean</th>"
		"<th>p50</th><th>p90</th><th>p99</th><th>p99.9</th><th>p99.99</th><th>max</th>"
		"<th>errors</th></tr>\n",
		title);
}

static void put_stages(const struct iob_result *r, FILE *f)
{
	put_table("Figures", f);
	for (unsigned i = 0; i < r->nstages; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			put_row(r->plan->stage[i].name, &r->stage[i].figures, (enum iob_dir)d,
				&r->plan->stage[i], f);
	fputs("</table>\n<p>~ fewer than ten samples lie beyond this percentile</p>\n", f);
}

static void put_segments(const struct iob_result *r, FILE *f)
{
	IOB_FREE struct iob_job *job = malloc(sizeof(*job));

	if (r->nsegments < 2 || !job || iob_result_is_foreign(r))
		return;
	put_table("Segments", f);
	for (size_t i = 0; i < r->nsegments; i++) {
		const struct iob_result_segment *s = &r->segment[i];
		char number[16];

		if (s->figures.stage >= r->nstages || s->figures.kind != IOB_SEGMENT_LOAD)
			continue;
		*job = r->plan->stage[s->figures.stage];
		iob_live_to_job(&s->params.live, job);
		snprintf(number, sizeof(number), "%u", s->figures.id);
		for (int d = 0; d < IOB_NDIR; d++)
			put_row(number, &s->figures, (enum iob_dir)d, job, f);
	}
	fputs("</table>\n", f);
}

static char *label_latency(char *buf, size_t n, double value)
{
	return iob_format_latency(buf, n, (uint64_t)value);
}

/* What the graphs show of one interval or of several in one point. */
enum curve { CURVE_IOPS, CURVE_BYTES, CURVE_P50, CURVE_P99 };

static double value_of(const struct iob_interval *v, enum iob_dir d, enum curve c, double seconds)
{
	const struct iob_interval_dir *x = &v->dir[d];

	switch (c) {
	case CURVE_IOPS:
		return (double)x->ios / seconds;
	case CURVE_BYTES:
		return (double)x->bytes / seconds / 1e6;
	case CURVE_P50:
		return (double)x->p50_ns;
	default:
		return (double)x->p99_ns;
	}
}

static void add_series(struct iob_html_graph *g, const struct iob_result *r, enum iob_dir d,
	enum curve c, const char *name)
{
	struct iob_html_series *s = &g->series[g->nseries++];

	s->name = name;
	for (size_t i = 0; i < g->points; i++) {
		size_t from = i * r->nintervals / g->points;
		size_t to = (i + 1) * r->nintervals / g->points;
		struct iob_interval sum;

		iob_timeline_fold(&sum, r->interval + from, to - from);
		s->value[i] =
			value_of(&sum, d, c, (double)(to - from) * ((double)IOB_INTERVAL_NS / 1e9));
	}
}

static void start_graph(struct iob_html_graph *g, const struct iob_result *r, const char *title,
	char *(*label)(char *, size_t, double))
{
	g->title = title;
	g->label = label;
	g->nseries = 0;
	g->points = r->nintervals < IOB_HTML_POINTS ? r->nintervals : IOB_HTML_POINTS;
	g->seconds = (double)r->nintervals * ((double)IOB_INTERVAL_NS / 1e9);
}

static void put_rates(struct iob_html_graph *g, const struct iob_result *r, enum curve c,
	const char *title, FILE *f)
{
	start_graph(g, r, title, iob_format_count);
	for (int d = 0; d < IOB_NDIR; d++)
		if (r->total.dir[d].ios)
			add_series(g, r, (enum iob_dir)d, c, iob_dir_name((enum iob_dir)d));
	iob_html_graph(g, f);
}

static int put_graphs(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	IOB_FREE struct iob_html_graph *g = calloc(1, sizeof(*g));

	if (!g)
		return iob_fail(err, -ENOMEM, "write the page: %m");
	put_rates(g, r, CURVE_IOPS, "IOPS", f);
	put_rates(g, r, CURVE_BYTES, "MB/s", f);
	for (int d = 0; d < IOB_NDIR; d++) {
		char title[32];

		if (!r->total.dir[d].ios)
			continue;
		snprintf(title, sizeof(title), "latency of %ss", iob_dir_name((enum iob_dir)d));
		start_graph(g, r, title, label_latency);
		add_series(g, r, (enum iob_dir)d, CURVE_P50, "p50");
		add_series(g, r, (enum iob_dir)d, CURVE_P99, "p99");
		iob_html_graph(g, f);
	}
	return 0;
}

static void put_verdict(const struct iob_result *r, FILE *f)
{
	if (r->limit.what[0]) {
		fputs("<p><b>limit</b> ", f);
		iob_html_text(r->limit.text, f);
		fputs("</p>\n", f);
	}
	for (unsigned i = 0; i < r->warnings.count; i++) {
		fputs("<p class=\"warn\"><b>", f);
		iob_html_text(r->warnings.item[i].code, f);
		fputs("</b> ", f);
		iob_html_text(r->warnings.item[i].text, f);
		fputs("</p>\n", f);
	}
}

int iob_report_html(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	put_head(r, f);
	put_facts(r, f);
	put_verdict(r, f);
	put_stages(r, f);
	int rc = put_graphs(r, f, err);
	if (rc)
		return rc;
	put_segments(r, f);
	fputs("</body></html>\n", f);
	errno = 0;
	if (fflush(f) || ferror(f))
		return iob_fail(err, errno ? -errno : -EIO, "write the report: %m");
	return 0;
}
