/* SPDX-License-Identifier: MIT */
/* One row for each direction of the whole run and of each segment; header and order are stable. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "job/param.h"
#include "result/result.h"

static const char header[] =
	"started,target,disk,engine,stage,segment,kind,from_s,seconds,direction,rw,bs_bytes,iodepth,numjobs,"
	"rwmixread,ios,bytes,iops,bw_bytes,lat_min_ns,lat_mean_ns,lat_stddev_ns,p50_ns,p90_ns,p95_ns,"
	"p99_ns,p99.9_ns,p99.99_ns,lat_max_ns,short_ios,errors,disk_util,intended_mean_ns,intended_p50_ns,"
	"intended_p99_ns,intended_p99.9_ns,intended_max_ns\n";

/* Quoted if it must be (RFC 4180). */
static void put_text(FILE *f, const char *text)
{
	const char *p = text;

	while (*p && *p != ',' && *p != '"' && *p != '\n')
		p++;
	if (!*p) {
		fprintf(f, "%s,", text);
		return;
	}
	fputc('"', f);
	for (p = text; *p; p++) {
		if (*p == '"')
			fputc('"', f);
		fputc(*p, f);
	}
	fputs("\",", f);
}

/* What the rows of one stretch have in common. */
struct stretch {
	const char *segment; /* "total" or its number */
	const char *kind;
	const struct iob_segment_figures *figures;
	const struct iob_job *job; /* with the live values of the stretch */
};

static void put_param(FILE *f, const struct iob_job *job, const char *name)
{
	char value[64];

	put_text(f, iob_param_get(job, iob_param_find(name), value, sizeof(value)));
}

static void put_figures(FILE *f, const struct iob_figures *v)
{
	static const int shown[] = {IOB_P50, IOB_P90, IOB_P95, IOB_P99, IOB_P999, IOB_P9999};

	fprintf(f, "%" PRIu64 ",%" PRIu64 ",%.3f,%.0f,%" PRIu64 ",%.0f,%.0f,", v->ios, v->bytes,
		v->iops, v->bw, v->lat.min_ns, v->lat.mean_ns, v->lat.stddev_ns);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		fprintf(f, "%" PRIu64 ",", v->lat.percentile_ns[shown[i]]);
	fprintf(f, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", v->lat.max_ns, v->shorts,
		v->errors + v->zeros);
}

/* From the intended times of a rate; empty fields without one. */
static void put_intended(FILE *f, const struct iob_latency *lat)
{
	static const int shown[] = {IOB_P50, IOB_P99, IOB_P999};

	if (!lat->n) {
		fputs(",,,,,", f);
		return;
	}
	fprintf(f, ",%.0f", lat->mean_ns);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		fprintf(f, ",%" PRIu64, lat->percentile_ns[shown[i]]);
	fprintf(f, ",%" PRIu64, lat->max_ns);
}

static void put_row(const struct iob_result *r, const struct stretch *s, enum iob_dir d, FILE *f)
{
	time_t started = (time_t)r->started_s;
	char when[32] = "";
	struct tm tm;

	if (gmtime_r(&started, &tm))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	put_text(f, when);
	put_text(f, r->target.path);
	put_text(f, r->target.disk);
	put_text(f, r->engine);
	fprintf(f, "%u,%s,%s,%.3f,%.3f,%s,", s->figures->stage, s->segment, s->kind,
		(double)s->figures->from_ms / 1000, s->figures->seconds, iob_dir_name(d));
	put_param(f, s->job, "rw");
	fprintf(f, "%" PRIu64 ",", s->job->bs[d].max);
	put_param(f, s->job, "iodepth");
	put_param(f, s->job, "numjobs");
	put_param(f, s->job, "rwmixread");
	put_figures(f, &s->figures->dir[d]);
	if (s->figures->has_disk)
		fprintf(f, "%.2f", s->figures->disk.util);
	put_intended(f, &s->figures->dir[d].intended);
	fputc('\n', f);
}

/* Directions in which nothing happened have no row. */
static void put_stretch(const struct iob_result *r, const struct stretch *s, FILE *f)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_figures *v = &s->figures->dir[d];

		if (v->ios || v->errors || v->zeros)
			put_row(r, s, (enum iob_dir)d, f);
	}
}

int iob_report_csv(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	static const char *const kinds[] = {"load", "ramp", "paused"};

	fputs(header, f);
	for (unsigned i = 0; i < r->nstages; i++) {
		struct stretch s = {"total", "load", &r->stage[i].figures, &r->plan->stage[i]};

		put_stretch(r, &s, f);
	}
	for (size_t i = 0; i < r->nsegments; i++) {
		const struct iob_result_segment *segment = &r->segment[i];
		char number[16];

		if (segment->figures.stage >= r->nstages)
			continue;
		struct iob_job job = r->plan->stage[segment->figures.stage];
		iob_live_to_job(&segment->params.live, &job);
		snprintf(number, sizeof(number), "%u", segment->figures.id);
		struct stretch s = {number, kinds[segment->figures.kind], &segment->figures, &job};
		put_stretch(r, &s, f);
	}
	if (ferror(f))
		return iob_fail(err, errno ? -errno : -EIO, "write the report: %m");
	return 0;
}
