/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/sample_fio_report.h"

void iob_sample_span(struct iob_span *s, uint64_t value, uint64_t n)
{
	struct iob_moments m = {.n = n,
		.sum_ns = n * value,
		.sum_squares = (double)n * (double)value * (double)value,
		.min_ns = value,
		.max_ns = value};

	iob_moments_add(&s->moments, &m);
	s->hist.count[iob_hist_index(value)] += n;
	s->hist.total += n;
}

static void set_samples(struct iob_fio_dir_report *r, double bw, double iops)
{
	r->bw = (struct iob_fio_samples){
		.n = 2, .min = 0.9 * bw, .max = 1.1 * bw, .mean = bw, .dev = bw / 10};
	r->iops = (struct iob_fio_samples){
		.n = 2, .min = 0.9 * iops, .max = 1.1 * iops, .mean = iops, .dev = iops / 10};
}

static void set_dir(struct iob_fio_entry *e, enum iob_dir dir, uint64_t ios, uint64_t bs)
{
	struct iob_detail_dir *d = &e->detail->dir[dir];

	d->issued = d->ios = ios;
	d->bytes = d->issued_bytes = ios * bs;
	e->dir[dir].runtime_ms = 1000;
	set_samples(&e->dir[dir], (double)ios * (double)bs / 1024, (double)ios);
}

static void set_common(struct iob_fio_entry *e, const char *name)
{
	e->detail = calloc(1, sizeof(*e->detail));
	if (!e->detail)
		abort();
	snprintf(e->jobname, sizeof(e->jobname), "%s", name);
	e->members = 1;
	e->pid = 4711;
	e->finished_s = 1700000000;
	e->elapsed_s = 2;
	e->job_runtime_ms = 1000;
	e->clat_percentiles = true;
	e->npercentiles = 3;
	e->percentile[0] = 50;
	e->percentile[1] = 99;
	e->percentile[2] = 99.9;
	e->percentile_precision = 2;
	e->kb_base = 1024;
	e->latency_percentile = 100;
	e->usr_cpu = 1.25;
	e->sys_cpu = 10.5;
	e->detail->context_switches = 1234;
	e->detail->minor_faults = 7;
	for (int i = 0; i < IOB_NDIR; i++)
		e->dir[i].d = &e->detail->dir[i];
}

static void set_mix(struct iob_fio_entry *e)
{
	struct iob_detail *d;

	set_common(e, "mix");
	d = e->detail;
	e->members = 2;
	e->iodepth = e->latency_depth = 8;
	set_dir(e, IOB_READ, 1000, 4096);
	set_dir(e, IOB_WRITE, 500, 8192);
	iob_sample_span(&d->dir[IOB_READ].slat, 1500, 1000);
	iob_sample_span(&d->dir[IOB_READ].clat, 100000, 990);
	iob_sample_span(&d->dir[IOB_READ].clat, 30000000, 10);
	iob_sample_span(&d->dir[IOB_READ].lat, 101500, 990);
	iob_sample_span(&d->dir[IOB_READ].lat, 30001500, 10);
	iob_sample_span(&d->dir[IOB_WRITE].slat, 2000, 500);
	iob_sample_span(&d->dir[IOB_WRITE].clat, 700, 499);
	iob_sample_span(&d->dir[IOB_WRITE].clat, 1234567, 1);
	iob_sample_span(&d->dir[IOB_WRITE].lat, 2700, 499);
	iob_sample_span(&d->dir[IOB_WRITE].lat, 1236567, 1);
	d->dir[IOB_WRITE].shorts = 3;
	iob_sample_span(&d->sync, 5000000, 50);
	d->syncs_issued = 50;
	d->depth[0] = 1;
	d->depth[3] = 1499;
	d->submit[1] = 1500;
	d->complete[0] = 500;
	d->complete[1] = 1500;
}

static void set_lone(struct iob_fio_entry *e)
{
	set_common(e, "lone");
	snprintf(e->description, sizeof(e->description), "by itself");
	e->error = 5;
	snprintf(e->error_where, sizeof(e->error_where), "file:/dev/sdx, func=trim");
	e->continue_on_error = true;
	e->iodepth = e->latency_depth = 1;
	set_dir(e, IOB_TRIM, 2000, 65536);
	e->dir[IOB_TRIM].runtime_ms = 2000;
	iob_sample_span(&e->detail->dir[IOB_TRIM].clat, 999000, 2000);
	iob_sample_span(&e->detail->dir[IOB_TRIM].lat, 999000, 2000);
	e->detail->depth[0] = 2000;
	e->detail->submit[1] = e->detail->complete[1] = 2000;
	e->detail->total_errors = 2;
	e->detail->first_error = 5;
}

static void set_group(struct iob_fio_report *r)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_fio_dir_report *from = &r->entry[d == IOB_TRIM ? 1 : 0].dir[d];
		struct iob_fio_group_dir *to = &r->group[0].dir[d];

		to->bytes = from->d->bytes;
		to->min_ms = to->max_ms = from->runtime_ms;
		to->agg_bw = 1000 * (double)to->bytes / (double)to->max_ms;
		to->min_bw = to->max_bw = to->agg_bw;
	}
	r->group[0].kb_base = 1024;
}

void iob_sample_fio_report(struct iob_fio_report *r)
{
	memset(r, 0, sizeof(*r));
	r->timestamp_ms = 1700000000123;
	r->entry = calloc(2, sizeof(*r->entry));
	r->group = calloc(1, sizeof(*r->group));
	r->disk = calloc(2, sizeof(*r->disk));
	if (!r->entry || !r->group || !r->disk)
		abort();
	r->nentries = r->ndisks = 2;
	r->ngroups = 1;
	set_mix(&r->entry[0]);
	set_lone(&r->entry[1]);
	set_group(r);
	r->disk[0] = (struct iob_fio_disk){.name = "dm-0",
		.delta = {.reads = 1000,
			.writes = 500,
			.read_ms = 300,
			.write_ms = 20,
			.weighted_ms = 320},
		.util = 40.5,
		.aggregated = true,
		.members = 1,
		.mean = {.reads = 1001,
			.writes = 501,
			.read_merges = 2,
			.write_merges = 3,
			.read_ms = 301,
			.write_ms = 21,
			.weighted_ms = 322},
		.max_util = 41.25};
	r->disk[1] = (struct iob_fio_disk){
		.name = "vda", .delta = r->disk[0].mean, .util = 41.25, .below = true};
}

static const struct iob_idle_cpu idle_cpus[] = {{0, 97.5}, {2, 2.125}};
const struct iob_idleness iob_sample_idleness = {.system = 49.8125,
	.unit_mean_us = 1.8349,
	.unit_stddev_us = 0.25,
	.ncpus = 2,
	.cpu = idle_cpus};
