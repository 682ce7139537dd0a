/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/fio_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "job/fio_jobs.h"
#include "job/param.h"
#include "result/json_schema.h"

#define NS_PER_US 1000

/* No figure of a run is larger, and all that is computed from such numbers stays in range. */
#define MOST 9e15

/* A number that a version may not have, or have with a fraction. */
static double number(const struct iob_json_in *in, const char *key)
{
	double v = iob_in_has(in, key) ? iob_in_real(in, key) : 0;

	if (v > MOST) {
		iob_in_fail(in, key, "is too large to be a figure of a run");
		return 0;
	}
	return v;
}

static uint64_t whole(const struct iob_json_in *in, const char *key)
{
	return (uint64_t)number(in, key);
}

static void read_percentiles(
	const struct iob_json_in *span, unsigned scale, struct iob_latency *lat)
{
	if (!iob_in_has(span, "percentile"))
		return;
	struct iob_json_in list = iob_in_object(span, "percentile");
	for (int i = 0; i < IOB_NPERCENTILES; i++) {
		char name[32];

		iob_json_percentile_key(name, sizeof(name), iob_percentiles[i]);
		if (!iob_in_has(&list, name)) /* version 2 */
			snprintf(name, sizeof(name), "%.2f", iob_percentiles[i]);
		lat->percentile_ns[i] = scale * whole(&list, name);
		if (iob_hist_percentile_is_thin(lat->n, iob_percentiles[i]))
			lat->thin |= 1u << i;
	}
}

/* A span: "lat_ns" of version 3, or "lat" in microseconds.  False if the job has none. */
static bool read_span(
	const struct iob_json_in *dir, const char *name, uint64_t ios, struct iob_latency *lat)
{
	char key[16];
	unsigned scale = 1;

	snprintf(key, sizeof(key), "%s_ns", name);
	if (!iob_in_has(dir, key)) {
		snprintf(key, sizeof(key), "%s", name);
		scale = NS_PER_US;
	}
	if (!iob_in_has(dir, key))
		return false;
	struct iob_json_in in = iob_in_object(dir, key);
	if (number(&in, "max") <= 0)
		return false;
	lat->n = iob_in_has(&in, "N") ? whole(&in, "N") : ios;
	lat->min_ns = scale * whole(&in, "min");
	lat->max_ns = scale * whole(&in, "max");
	lat->mean_ns = scale * number(&in, "mean");
	lat->stddev_ns = scale * number(&in, "stddev");
	read_percentiles(&in, scale, lat);
	return true;
}

/* fio gives percentiles of clat unless told otherwise: they stand in for those of lat. */
static void read_latency(const struct iob_json_in *dir, struct iob_figures *f, bool *of_clat)
{
	struct iob_latency clat = {0};
	bool has_clat = read_span(dir, "clat", f->ios, &clat);

	if (!read_span(dir, "lat", f->ios, &f->lat)) {
		if (has_clat)
			f->lat = clat;
		return;
	}
	if (f->lat.percentile_ns[IOB_P50] == 0 && clat.percentile_ns[IOB_P50] != 0) {
		memcpy(f->lat.percentile_ns, clat.percentile_ns, sizeof(clat.percentile_ns));
		f->lat.thin = clat.thin;
		*of_clat = true;
	}
}

/* Runtime in ms.  *of_clat: set if the percentiles are not those of lat. */
static double read_direction(
	const struct iob_json_in *job, const char *name, struct iob_figures *f, bool *of_clat)
{
	if (!iob_in_has(job, name))
		return 0;
	struct iob_json_in in = iob_in_object(job, name);
	double ms = number(&in, "runtime");

	/* Version 2 counts in KiB, and has not always counted requests. */
	f->bytes = whole(&in, "io_bytes") * (iob_in_has(&in, "io_kbytes") ? 1 : 1024);
	f->iops = number(&in, "iops");
	f->ios = iob_in_has(&in, "total_ios") ? whole(&in, "total_ios")
					      : (uint64_t)fmin(MOST, round(f->iops * ms / 1000));
	f->issued = f->ios;
	f->shorts = whole(&in, "short_ios");
	f->bw = iob_in_has(&in, "bw_bytes") ? number(&in, "bw_bytes") : 1024 * number(&in, "bw");
	read_latency(&in, f, of_clat);
	return ms;
}

static void add_to_all(struct iob_figures *all, const struct iob_figures *f)
{
	all->ios += f->ios;
	all->bytes += f->bytes;
	all->issued += f->issued;
	all->shorts += f->shorts;
	all->iops += f->iops;
	all->bw += f->bw;
	if (f->lat.n > all->lat.n)
		all->lat = f->lat;
}

static void read_sync(const struct iob_json_in *job, struct iob_segment_figures *s)
{
	if (!iob_in_has(job, "sync"))
		return;
	struct iob_json_in in = iob_in_object(job, "sync");
	struct iob_latency lat = {0};

	s->syncs = whole(&in, "total_ios");
	read_span(&in, "lat", s->syncs, &lat);
	s->sync_mean_ns = lat.mean_ns;
	s->sync_max_ns = lat.max_ns;
}

/* What this program knows of them; the rest changes no figure. */
static void read_options(const struct iob_json_in *parent, const char *key, struct iob_job *job)
{
	const char *name;
	const json_t *value;
	void *it;

	if (!iob_in_has(parent, key))
		return;
	struct iob_json_in in = iob_in_object(parent, key);
	json_t *options = in.node ? json_object_get(parent->node, key) : NULL;
	for (it = json_object_iter(options); it; it = json_object_iter_next(options, it)) {
		struct iob_error ignored = {0};

		name = json_object_iter_key(it);
		value = json_object_iter_value(it);
		if (json_string_length(value) > 0)
			iob_param_set_named(job, name, json_string_value(value), &ignored);
	}
}

static void say_clat(struct iob_result *r)
{
	for (unsigned i = 0; i < r->warnings.count; i++)
		if (strcmp(r->warnings.item[i].code, "CLAT") == 0)
			return;
	iob_warning_add(&r->warnings, "CLAT",
		"Percentiles are those of clat, as fio keeps them: without the time of submission "
		"that min, mean and max have; --lat_percentiles=1 keeps those of lat.");
}

static void read_stage(const struct iob_json_in *root, const struct iob_json_in *in, unsigned index,
	struct iob_result *r)
{
	struct iob_job *job = &r->plan->stage[index];
	struct iob_segment_figures *s = &r->stage[index].figures;
	bool of_clat = false;
	double ms = 0;

	iob_fio_defaults(job);
	read_options(root, "global options", job);
	read_options(in, "job options", job);
	iob_in_text(in, "jobname", job->name, sizeof(job->name));
	s->stage = s->id = index;
	for (int d = 0; d < IOB_NDIR; d++) {
		ms = fmax(ms,
			read_direction(in, iob_dir_name((enum iob_dir)d), &s->dir[d], &of_clat));
		add_to_all(&s->all, &s->dir[d]);
		s->depth += s->dir[d].iops * s->dir[d].lat.mean_ns / 1e9;
	}
	if (iob_in_has(in, "mixed") && s->all.ios == 0) {
		ms = read_direction(in, "mixed", &s->dir[IOB_READ], &of_clat);
		add_to_all(&s->all, &s->dir[IOB_READ]);
	}
	if (of_clat)
		say_clat(r);
	s->to_ms = (uint64_t)ms;
	s->seconds = ms / 1000;
	if (ms > 0) /* for a group both are sums over its members, or means */
		s->cpu = (number(in, "usr_cpu") + number(in, "sys_cpu")) / 100 *
			 fmax(1, number(in, "job_runtime") / ms);
	read_sync(in, s);
	if (whole(in, "error") && !r->error.code) {
		r->exit_status = 1;
		iob_fail(&r->error, -(int)fmin(number(in, "error"), 4095), "%.80s: %m", job->name);
	}
}

static void read_disk(const struct iob_json_in *root, struct iob_result *r)
{
	struct iob_diskstat *d = &r->stage[0].disk;
	size_t n = 0;

	if (!iob_in_has(root, "disk_util"))
		return;
	struct iob_json_in list = iob_in_array(root, "disk_util", &n);
	if (n == 0)
		return;
	struct iob_json_in in = iob_in_item(&list, 0);
	iob_in_text(&in, "name", r->target.disk, sizeof(r->target.disk));
	d->reads = whole(&in, "read_ios");
	d->writes = whole(&in, "write_ios");
	d->read_merges = whole(&in, "read_merges");
	d->write_merges = whole(&in, "write_merges");
	d->read_ms = whole(&in, "read_ticks");
	d->write_ms = whole(&in, "write_ticks");
	d->weighted_ms = whole(&in, "in_queue");
	d->io_ms = (uint64_t)(fmin(100, number(&in, "util")) * 10 * r->stage[0].figures.seconds);
}

/* One load segment for each stage: what compares runs looks there. */
static void make_segments(struct iob_result *r)
{
	r->segment = calloc(r->nstages + 1u, sizeof(*r->segment));
	if (!r->segment)
		return;
	r->nsegments = r->nstages;
	for (unsigned i = 0; i < r->nstages; i++) {
		struct iob_result_segment *s = &r->segment[i];

		s->figures = r->stage[i].figures;
		iob_live_from_job(&s->params.live, &r->plan->stage[i]);
		s->params.stage = i;
		s->params.kind = IOB_SEGMENT_LOAD;
	}
}

static void set_head(const struct iob_json_in *root, struct iob_result *r)
{
	const struct iob_job *job = &r->plan->stage[0];
	uint64_t elapsed = 0;

	for (unsigned i = 0; i < r->nstages; i++)
		elapsed = r->stage[i].figures.to_ms > elapsed ? r->stage[i].figures.to_ms : elapsed;
	iob_in_text(root, "fio version", r->version, sizeof(r->version));
	r->elapsed_ms = elapsed;
	r->started_s = whole(root, "timestamp");
	r->started_s -= r->started_s > elapsed / 1000 ? elapsed / 1000 : 0;
	r->outcome = IOB_OUTCOME_COMPLETE;
	r->total = iob_result_headline(r) ? iob_result_headline(r)->figures : r->total;
	iob_text_clean(r->target.path, sizeof(r->target.path), job->filename);
	r->target.kind = IOB_TARGET_FILE;
	r->target.direct = job->direct;
	r->target.writable = iob_job_does(job, IOB_WRITE) || iob_job_does(job, IOB_TRIM);
	snprintf(r->engine, sizeof(r->engine), "%s", job->ioengine);
}

/* fio has an entry without a name for a job with stats=0, of a group -1. */
static bool is_placeholder(const struct iob_json_in *job)
{
	return !iob_in_has(job, "jobname") && iob_in_has(job, "groupid") &&
	       number(job, "groupid") == UINT32_MAX;
}

bool iob_result_is_foreign(const struct iob_result *r)
{
	return strncmp(r->version, "fio-", 4) == 0;
}

void iob_fio_read(const struct iob_json_in *root, struct iob_result *r)
{
	const char *key = iob_in_has(root, "client_stats") ? "client_stats" : "jobs";
	size_t n = 0;
	struct iob_json_in list = iob_in_array(root, key, &n);

	if (root->source->failed)
		return;
	if (n == 0) {
		iob_in_fail(root, key, "must hold at least one job");
		return;
	}
	if (n > IOB_MAX_STAGES) {
		iob_warning_add(&r->warnings, "JOBS", "Only the first %d of the %zu jobs are read.",
			IOB_MAX_STAGES, n);
		n = IOB_MAX_STAGES;
	}
	r->stage = calloc(n, sizeof(*r->stage));
	if (!r->stage) {
		iob_in_fail(root, key, "does not fit into memory");
		return;
	}
	r->nstages = r->plan->nstages = (unsigned)n;
	unsigned kept = 0;
	for (unsigned i = 0; i < n && !root->source->failed; i++) {
		struct iob_json_in in = iob_in_item(&list, i);

		if (!is_placeholder(&in))
			read_stage(root, &in, kept++, r);
	}
	if (kept == 0)
		iob_in_fail(root, key, "must hold at least one job with figures");
	if (root->source->failed)
		return;
	r->nstages = r->plan->nstages = kept;
	read_disk(root, r);
	make_segments(r);
	set_head(root, r);
}
