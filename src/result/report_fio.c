/* SPDX-License-Identifier: MIT */
/*
 * A run of ours as fio would print it: a group for each stage with one block for all its workers.
 * Submission is no call of its own here, so there is no slat, and clat is lat (doc/measuring.md);
 * how many requests a call took is not counted.
 */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/fio_report.h"
#include "result/fio_stats.h"
#include "result/json_out.h"
#include "result/result.h"

static void set_span(struct iob_span *s, const struct iob_latency *lat, const struct iob_hist *hist)
{
	double n = (double)lat->n;

	s->moments = (struct iob_moments){.n = lat->n,
		.sum_ns = (uint64_t)llround(lat->mean_ns * n),
		.sum_squares = n * lat->mean_ns * lat->mean_ns +
			       (n > 1 ? (n - 1) * lat->stddev_ns * lat->stddev_ns : 0),
		.min_ns = lat->min_ns,
		.max_ns = lat->max_ns};
	if (hist)
		s->hist = *hist;
}

static struct iob_fio_samples samples_of(const struct iob_fio_series *s)
{
	return (struct iob_fio_samples){
		.n = s->samples, .min = s->min, .max = s->max, .mean = s->mean, .dev = s->dev};
}

static void set_dir(
	struct iob_fio_entry *e, const struct iob_result *r, unsigned stage, enum iob_dir dir)
{
	const struct iob_segment_figures *s = &r->stage[stage].figures;
	const struct iob_figures *f = &s->dir[dir];
	struct iob_detail_dir *d = &e->detail->dir[dir];
	struct iob_fio_series bw = {0}, iops = {0};

	e->dir[dir].d = d;
	d->issued = d->ios = f->ios;
	d->bytes = f->bytes;
	d->shorts = f->shorts;
	d->errors = f->errors;
	if (f->ios == 0)
		return;
	set_span(&d->clat, &f->lat, r->stage[stage].hist[dir]);
	set_span(&d->lat, &f->lat, NULL);
	e->dir[dir].runtime_ms = iob_json_whole(s->seconds * 1000);
	iob_fio_series(r, stage, dir, &bw, &iops);
	e->dir[dir].bw = samples_of(&bw);
	e->dir[dir].iops = samples_of(&iops);
}

static void set_usage(struct iob_fio_entry *e, const struct iob_result *r, unsigned stage)
{
	const struct iob_run_usage *u = &r->usage;
	double seconds = (double)r->elapsed_ms / 1000, share[IOB_FIO_LEVELS];
	struct iob_detail *d = e->detail;

	e->usr_cpu = seconds > 0 ? 100 * u->user_s / seconds : 0;
	e->sys_cpu = seconds > 0 ? 100 * u->system_s / seconds : 0;
	d->context_switches = u->voluntary + u->involuntary;
	d->major_faults = u->major_faults;
	d->minor_faults = u->minor_faults;
	iob_fio_depths(r, stage, share);
	for (int i = 0; i < IOB_FIO_LEVELS; i++)
		d->depth[i] =
			(uint64_t)llround(share[i] / 100 * (double)r->stage[stage].figures.all.ios);
}

static void set_sync(struct iob_fio_entry *e, const struct iob_segment_figures *s)
{
	struct iob_latency lat = {
		.n = s->syncs, .mean_ns = s->sync_mean_ns, .max_ns = s->sync_max_ns};

	e->detail->syncs_issued = s->syncs;
	set_span(&e->detail->sync, &lat, NULL);
}

static void set_shown(struct iob_fio_entry *e, const struct iob_job *job)
{
	e->clat_percentiles = true;
	e->npercentiles = IOB_NPERCENTILES;
	memcpy(e->percentile, iob_percentiles, sizeof(iob_percentiles));
	e->percentile_precision = 2;
	e->kb_base = 1024;
	e->iodepth = e->latency_depth = (uint32_t)job->iodepth;
	e->latency_percentile = 100;
}

static int set_entry(struct iob_fio_report *out, const struct iob_result *r, unsigned stage,
	struct iob_error *err)
{
	const struct iob_job *job = &r->plan->stage[stage];
	const struct iob_segment_figures *s = &r->stage[stage].figures;
	struct iob_fio_entry *e = &out->entry[stage];

	e->detail = calloc(1, sizeof(*e->detail));
	if (!e->detail)
		return iob_fail(err, -ENOMEM, "report in fio's form: %m");
	snprintf(e->jobname, sizeof(e->jobname), "%s", job->name[0] ? job->name : "run");
	e->groupid = stage;
	e->members = (unsigned)job->numjobs;
	e->finished_s = r->started_s + s->to_ms / 1000;
	e->elapsed_s = (r->elapsed_ms + 999) / 1000;
	if (r->error.code && stage + 1 == r->nstages) {
		e->error = -r->error.code;
		snprintf(e->error_where, sizeof(e->error_where), "%.150s", r->error.text);
	}
	for (int d = 0; d < IOB_NDIR; d++)
		set_dir(e, r, stage, (enum iob_dir)d);
	set_usage(e, r, stage);
	set_sync(e, s);
	set_shown(e, job);
	return 0;
}

static void set_group(struct iob_fio_group *g, const struct iob_fio_entry *e)
{
	g->groupid = e->groupid;
	g->kb_base = e->kb_base;
	for (int i = 0; i < IOB_NDIR; i++) {
		const struct iob_detail_dir *from = e->dir[i].d;
		struct iob_fio_group_dir *d = &g->dir[i];

		if (!from)
			continue;
		d->bytes = from->bytes;
		d->min_ms = d->max_ms = e->dir[i].runtime_ms;
		if (d->max_ms)
			d->agg_bw = d->min_bw = d->max_bw =
				1000 * (double)d->bytes / (double)d->max_ms;
	}
}

static void set_disk(struct iob_fio_report *out, const struct iob_result *r)
{
	struct iob_fio_disk *disk = &out->disk[0];
	double seconds = 0;

	if (!r->has_disk)
		return;
	out->ndisks = 1;
	snprintf(disk->name, sizeof(disk->name), "%s", iob_target_counted(&r->target));
	for (unsigned i = 0; i < r->nstages; i++) {
		iob_diskstat_add(&disk->delta, &r->stage[i].disk);
		seconds += r->stage[i].figures.seconds;
	}
	disk->util = seconds > 0 ? fmin(100, (double)disk->delta.io_ms / (10 * seconds)) : 0;
}

static int build(struct iob_fio_report *out, const struct iob_result *r, struct iob_error *err)
{
	memset(out, 0, sizeof(*out));
	out->timestamp_ms = r->started_s * 1000 + r->elapsed_ms;
	out->entry = calloc(r->nstages + 1, sizeof(*out->entry));
	out->group = calloc(r->nstages + 1, sizeof(*out->group));
	out->disk = calloc(1, sizeof(*out->disk));
	if (!out->entry || !out->group || !out->disk)
		return iob_fail(err, -ENOMEM, "report in fio's form: %m");
	out->nentries = out->ngroups = r->nstages;
	for (unsigned i = 0; i < r->nstages; i++) {
		int rc = set_entry(out, r, i, err);

		if (rc)
			return rc;
		set_group(&out->group[i], &out->entry[i]);
	}
	set_disk(out, r);
	return 0;
}

int iob_report_fio(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	struct iob_fio_report report;
	int rc = build(&report, r, err);

	if (!rc)
		rc = iob_fio_report_text(&report, f, err);
	iob_fio_report_free(&report);
	return rc;
}

int iob_report_terse(const struct iob_result *r, FILE *f, struct iob_error *err)
{
	struct iob_fio_report report;
	int rc = build(&report, r, err);

	if (!rc)
		rc = iob_fio_report_terse(&report, 3, f, err);
	iob_fio_report_free(&report);
	return rc;
}
