/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/param.h"
#include "result/fio_json.h"
#include "result/fio_stats.h"
#include "result/json_document.h"
#include "result/json_schema.h"

/* Never part of the percentiles: fio's word for "no limit on this". */
#define FIO_NO_LATENCY_TARGET 100.0

/* hist: for its bins; NULL = none of them. */
static void put_moments(struct iob_json parent, const char *key, const struct iob_latency *lat,
	bool percentiles, const struct iob_hist *hist)
{
	struct iob_json out = iob_json_object(parent, key);

	iob_json_u64(out, "min", lat->n ? lat->min_ns : 0);
	iob_json_u64(out, "max", lat->max_ns);
	iob_json_real(out, "mean", lat->mean_ns);
	iob_json_real(out, "stddev", lat->stddev_ns);
	iob_json_u64(out, "N", lat->n);
	if (!percentiles || lat->n == 0)
		return;
	struct iob_json list = iob_json_object(out, "percentile");
	for (int i = 0; i < IOB_NPERCENTILES; i++) {
		char name[32];

		iob_json_percentile_key(name, sizeof(name), iob_percentiles[i]);
		iob_json_u64(list, name, lat->percentile_ns[i]);
	}
	if (hist)
		iob_fio_json_bins(out, hist);
}

/* Submission and completion of an engine may be one system call: then there is no slat, and clat is
 * lat (doc/measuring.md). */
static void put_latencies(
	struct iob_json out, const struct iob_latency *lat, const struct iob_hist *hist)
{
	static const struct iob_latency none;

	put_moments(out, "slat_ns", &none, false, NULL);
	put_moments(out, "clat_ns", lat, true, hist);
	put_moments(out, "lat_ns", lat, true, NULL);
}

static void put_direction(struct iob_json parent, const struct iob_result *r, unsigned stage,
	enum iob_dir dir, bool plus)
{
	struct iob_json out = iob_json_object(parent, iob_dir_name(dir));
	const struct iob_segment_figures *s = &r->stage[stage].figures;
	const struct iob_figures *f = &s->dir[dir];
	struct iob_fio_series bw = {0}, iops = {0};
	double kib_s = iob_json_rounded(f->bw) / 1024;

	if (f->ios || f->issued)
		iob_fio_series(r, stage, dir, &bw, &iops);
	iob_json_u64(out, "io_bytes", f->bytes);
	iob_json_u64(out, "io_kbytes", f->bytes / 1024);
	iob_json_u64(out, "bw_bytes", iob_json_whole(f->bw));
	iob_json_u64(out, "bw", iob_json_whole(kib_s));
	iob_json_real(out, "iops", f->iops);
	iob_json_u64(out, "runtime",
		f->ios || f->issued ? iob_json_whole(iob_json_rounded(s->seconds) * 1000) : 0);
	/* fio counts what was issued; here it is what moved data, so that it fits the other
	 * figures. */
	iob_json_u64(out, "total_ios", f->ios);
	iob_json_u64(out, "short_ios", f->shorts);
	iob_json_u64(out, "drop_ios", f->zeros);
	put_latencies(out, &f->lat, plus ? r->stage[stage].hist[dir] : NULL);
	iob_json_u64(out, "bw_min", iob_json_whole(bw.min));
	iob_json_u64(out, "bw_max", iob_json_whole(bw.max));
	iob_json_real(out, "bw_agg",
		bw.mean > kib_s || kib_s <= 0 ? (bw.samples ? 100.0 : 0.0) : 100 * bw.mean / kib_s);
	iob_json_real(out, "bw_mean", bw.mean);
	iob_json_real(out, "bw_dev", bw.dev);
	iob_json_u64(out, "bw_samples", bw.samples);
	iob_json_u64(out, "iops_min", iob_json_whole(iops.min));
	iob_json_u64(out, "iops_max", iob_json_whole(iops.max));
	iob_json_real(out, "iops_mean", iops.mean);
	iob_json_real(out, "iops_stddev", iops.dev);
	iob_json_u64(out, "iops_samples", iops.samples);
}

static void put_sync(struct iob_json parent, const struct iob_segment_figures *f)
{
	struct iob_json out = iob_json_object(parent, "sync");
	struct iob_latency lat = {
		.n = f->syncs, .max_ns = f->sync_max_ns, .mean_ns = f->sync_mean_ns};

	iob_json_u64(out, "total_ios", f->syncs);
	put_moments(out, "lat_ns", &lat, false, NULL);
}

static void put_distributions(struct iob_json out, const struct iob_result *r, unsigned stage)
{
	static const double uncounted[IOB_FIO_LEVELS];
	double depth[IOB_FIO_LEVELS];
	struct iob_fio_latencies lat;

	iob_fio_depths(r, stage, depth);
	iob_fio_latencies(&r->stage[stage], &lat);
	iob_fio_json_shares(out, "iodepth_level", iob_fio_depth_names, depth, IOB_FIO_LEVELS);
	/* How many went in one call is not counted: zeros, not guesses. */
	iob_fio_json_shares(out, "iodepth_submit", iob_fio_batch_names, uncounted, IOB_FIO_LEVELS);
	iob_fio_json_shares(
		out, "iodepth_complete", iob_fio_batch_names, uncounted, IOB_FIO_LEVELS);
	iob_fio_json_shares(out, "latency_ns", iob_fio_latency_names, lat.ns, IOB_FIO_LAT_NS);
	iob_fio_json_shares(out, "latency_us", iob_fio_latency_names, lat.us, IOB_FIO_LAT_US);
	iob_fio_json_shares(out, "latency_ms", iob_fio_latency_names, lat.ms, IOB_FIO_LAT_MS);
}

/* What was given, and what readers expect whether it was given or not. */
static void put_options(struct iob_json parent, const struct iob_job *job)
{
	static const char *const always[] = {
		"rw", "bs", "ioengine", "iodepth", "numjobs", "direct", "runtime"};
	struct iob_json out = iob_json_object(parent, "job options");
	IOB_FREE char *value = malloc(IOB_LIST_MAX);

	if (!value) {
		*out.failed = true;
		return;
	}
	iob_json_text(out, "name", job->name);
	for (size_t i = 0; i < iob_param_count(); i++) {
		const struct iob_param *p = iob_param_at(i);
		bool wanted = iob_param_is_given(job, p);

		for (size_t k = 0; k < sizeof(always) / sizeof(always[0]) && !wanted; k++)
			wanted = strcmp(p->name, always[k]) == 0;
		if (wanted && strcmp(p->name, "name") != 0)
			iob_json_text(out, p->name, iob_param_get(job, p, value, IOB_LIST_MAX));
	}
}

/* The load process is accounted as a whole, over the whole run. */
static void put_usage(struct iob_json out, const struct iob_result *r)
{
	double seconds = (double)r->elapsed_ms / 1000;
	const struct iob_run_usage *u = &r->usage;

	iob_json_real(
		out, "usr_cpu", seconds > 0 ? 100 * iob_json_rounded(u->user_s) / seconds : 0);
	iob_json_real(
		out, "sys_cpu", seconds > 0 ? 100 * iob_json_rounded(u->system_s) / seconds : 0);
	iob_json_u64(out, "ctx", u->voluntary + u->involuntary);
	iob_json_u64(out, "majf", u->major_faults);
	iob_json_u64(out, "minf", u->minor_faults);
}

/* The stage in which the run ended. */
static unsigned last_stage(const struct iob_result *r)
{
	uint32_t stage = r->nsegments ? r->segment[r->nsegments - 1].figures.stage : 0;

	return stage < r->nstages ? stage : 0;
}

/* fio wants a positive errno here; a reader of a file knows only that there was one. */
static uint64_t stage_error(const struct iob_result *r, unsigned stage)
{
	if (stage != last_stage(r))
		return 0;
	if (r->error.code < 0)
		return (uint64_t) - (int64_t)r->error.code;
	return r->exit_status ? 5 : 0; /* EIO */
}

static void put_job(struct iob_json jobs, const struct iob_result *r, unsigned stage, bool plus)
{
	struct iob_json out = iob_json_object(jobs, NULL);
	const struct iob_job *job = &r->plan->stage[stage];
	const struct iob_segment_figures *f = &r->stage[stage].figures;

	iob_json_text(out, "jobname", job->name);
	iob_json_u64(out, "groupid", stage);
	iob_json_u64(out, "job_start", r->started_s * 1000 + f->from_ms);
	iob_json_u64(out, "error", stage_error(r, stage));
	iob_json_u64(out, "eta", 0);
	iob_json_u64(out, "elapsed", (r->elapsed_ms + 999) / 1000);
	put_options(out, job);
	for (int d = 0; d < IOB_NDIR; d++)
		put_direction(out, r, stage, (enum iob_dir)d, plus);
	put_sync(out, f);
	iob_json_u64(out, "job_runtime",
		iob_json_whole(iob_json_rounded(f->seconds) * 1000) * job->numjobs);
	put_usage(out, r);
	put_distributions(out, r, stage);
	if (f->all.errors) {
		iob_json_u64(out, "total_err", f->all.errors);
		iob_json_u64(out, "first_error", stage_error(r, last_stage(r)));
	}
	iob_json_u64(out, "latency_depth", job->iodepth);
	iob_json_u64(out, "latency_target", 0);
	iob_json_real(out, "latency_percentile", FIO_NO_LATENCY_TARGET);
	iob_json_u64(out, "latency_window", 0);
}

/* Over all stages; the key is absent when no disk is known, as in fio. */
static void put_disk(struct iob_json root, const struct iob_result *r)
{
	struct iob_diskstat sum = {0};
	double seconds = 0;

	if (!r->has_disk)
		return;
	for (unsigned i = 0; i < r->nstages; i++) {
		iob_diskstat_add(&sum, &r->stage[i].disk);
		seconds += iob_json_rounded(r->stage[i].figures.seconds);
	}
	struct iob_json out = iob_json_object(iob_json_array(root, "disk_util"), NULL);
	iob_json_text(out, "name", iob_target_counted(&r->target));
	iob_json_u64(out, "read_ios", sum.reads);
	iob_json_u64(out, "write_ios", sum.writes);
	iob_json_u64(out, "read_sectors", sum.read_sectors);
	iob_json_u64(out, "write_sectors", sum.write_sectors);
	iob_json_u64(out, "read_merges", sum.read_merges);
	iob_json_u64(out, "write_merges", sum.write_merges);
	iob_json_u64(out, "read_ticks", sum.read_ms);
	iob_json_u64(out, "write_ticks", sum.write_ms);
	iob_json_u64(out, "in_queue", sum.weighted_ms);
	double util = seconds > 0 ? (double)sum.io_ms / (10 * seconds) : 0;
	iob_json_real(out, "util", util < 100 ? util : 100);
}

void iob_json_fio(struct iob_json root, const struct iob_result *r, bool plus)
{
	uint64_t end_ms = r->started_s * 1000 + r->elapsed_ms;

	iob_fio_json_head(root, end_ms);
	iob_json_object(root, "global options");
	struct iob_json jobs = iob_json_array(root, "jobs");
	for (unsigned i = 0; i < r->nstages; i++)
		put_job(jobs, r, i, plus);
	put_disk(root, r);
}
