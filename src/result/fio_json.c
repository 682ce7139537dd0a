/* SPDX-License-Identifier: MIT */
/* fio's JSON document: its keys, in its order, with its types; and one key of ours. */
#include <config.h>

#include "result/fio_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <time.h>

#include "result/json_document.h"

/* fio's word for "not known", in seconds. */
#define ETA_UNKNOWN 2147483647

/* Values as typed, under the option's own name where another word for it was.  A bare key has no
 * value to show: fio leaves it out, too. */
static void put_options(struct iob_json out, const struct iob_option *option, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (option[i].value)
			iob_json_text(out, option[i].key, option[i].value);
}

/* A job of the command line begins with its name; in a job file that is the section's.  Where
 * there are none fio has no such key. */
static void put_job_options(struct iob_json parent, const struct iob_fio_entry *e)
{
	if (e->noptions == 0 && e->typed_name[0] == '\0')
		return;
	struct iob_json out = iob_json_object(parent, "job options");

	if (e->typed_name[0] != '\0')
		iob_json_text(out, "name", e->typed_name);
	put_options(out, e->option, e->noptions);
}

static void put_levels(struct iob_json parent, const char *key, const char *const *names,
	const uint64_t count[IOB_DETAIL_LEVELS], uint64_t total)
{
	double share[IOB_FIO_LEVELS];

	iob_fio_levels(count, total, share);
	iob_fio_json_shares(parent, key, names, share, IOB_FIO_LEVELS);
}

static void put_distributions(struct iob_json out, const struct iob_fio_entry *e)
{
	const struct iob_detail *d = e->detail;
	struct iob_fio_latencies lat;

	put_levels(out, "iodepth_level", iob_fio_depth_names, d->depth, iob_fio_issued(e));
	put_levels(out, "iodepth_submit", iob_fio_batch_names, d->submit, iob_fio_calls(d->submit));
	put_levels(out, "iodepth_complete", iob_fio_batch_names, d->complete,
		iob_fio_calls(d->complete));
	iob_fio_entry_latencies(e, &lat);
	iob_fio_json_shares(out, "latency_ns", iob_fio_latency_names, lat.ns, IOB_FIO_LAT_NS);
	iob_fio_json_shares(out, "latency_us", iob_fio_latency_names, lat.us, IOB_FIO_LAT_US);
	iob_fio_json_shares(out, "latency_ms", iob_fio_latency_names, lat.ms, IOB_FIO_LAT_MS);
}

static void put_rest(struct iob_json out, const struct iob_fio_entry *e)
{
	const struct iob_detail *d = e->detail;

	iob_json_u64(out, "job_runtime", e->job_runtime_ms);
	iob_json_real(out, "usr_cpu", e->usr_cpu);
	iob_json_real(out, "sys_cpu", e->sys_cpu);
	iob_json_u64(out, "ctx", d->context_switches);
	iob_json_u64(out, "majf", d->major_faults);
	iob_json_u64(out, "minf", d->minor_faults);
	put_distributions(out, e);
	if (e->continue_on_error) {
		iob_json_u64(out, "total_err", d->total_errors);
		iob_json_u64(
			out, "first_error", (uint64_t)(d->first_error > 0 ? d->first_error : 0));
	}
	if (e->latency_depth) {
		iob_json_u64(out, "latency_depth", e->latency_depth);
		iob_json_u64(out, "latency_target", e->latency_target_ns);
		iob_json_real(out, "latency_percentile", e->latency_percentile);
		iob_json_u64(out, "latency_window", e->latency_window_us);
	}
	if (e->description[0])
		iob_json_text(out, "desc", e->description);
}

static void put_entry(struct iob_json jobs, const struct iob_fio_report *r,
	const struct iob_fio_entry *e, bool plus)
{
	struct iob_json out = iob_json_object(jobs, NULL);
	struct iob_fio_row rows[IOB_FIO_MAX_ROWS];
	unsigned n = iob_fio_rows(r, e, rows), i = 0;

	iob_json_text(out, "jobname", e->jobname);
	iob_json_u64(out, "groupid", e->groupid);
	iob_json_u64(out, "error", (uint64_t)(e->error > 0 ? e->error : 0));
	iob_json_u64(out, "eta", e->eta_s < ETA_UNKNOWN ? e->eta_s : ETA_UNKNOWN);
	iob_json_u64(out, "elapsed", e->elapsed_s);
	put_job_options(out, e);
	for (; i < n && rows[i].dir != &e->mixed; i++)
		iob_fio_json_row(out, e, &rows[i], plus);
	if (e->unified != 1)
		iob_fio_json_sync(out, e, plus);
	for (; i < n; i++)
		iob_fio_json_row(out, e, &rows[i], plus);
	put_rest(out, e);
}

static uint64_t counter(const struct iob_diskstat *s, size_t at)
{
	return *(const uint64_t *)((const char *)s + at);
}

/* Counters of a disk: its own, and the means over those that it lies on. */
static void put_disk(struct iob_json disks, const struct iob_fio_disk *d)
{
	static const struct {
		const char *key, *aggregated;
		size_t at; /* in struct iob_diskstat */
	} rows[] = {
		{"read_ios", "aggr_read_ios", offsetof(struct iob_diskstat, reads)},
		{"write_ios", "aggr_write_ios", offsetof(struct iob_diskstat, writes)},
		{"read_merges", "aggr_read_merges", offsetof(struct iob_diskstat, read_merges)},
		/* Without an s: readers know it by this name. */
		{"write_merges", "aggr_write_merge", offsetof(struct iob_diskstat, write_merges)},
		{"read_ticks", "aggr_read_ticks", offsetof(struct iob_diskstat, read_ms)},
		{"write_ticks", "aggr_write_ticks", offsetof(struct iob_diskstat, write_ms)},
		{"in_queue", "aggr_in_queue", offsetof(struct iob_diskstat, weighted_ms)},
	};
	const size_t n = sizeof(rows) / sizeof(rows[0]);
	struct iob_json out = iob_json_object(disks, NULL);

	iob_json_text(out, "name", d->name);
	for (size_t i = 0; i < n; i++)
		iob_json_u64(out, rows[i].key, counter(&d->delta, rows[i].at));
	iob_json_real(out, "util", d->util);
	if (!d->aggregated)
		return;
	for (size_t i = 0; i < n; i++)
		iob_json_u64(out, rows[i].aggregated, counter(&d->mean, rows[i].at));
	iob_json_real(out, "aggr_util", d->max_util);
}

static void put_idleness(struct iob_json root, const struct iob_idleness *idle, bool percpu)
{
	struct iob_json out = iob_json_object(root, "cpu_idleness");
	char name[24];

	iob_json_real(out, "system", idle->system);
	for (unsigned i = 0; percpu && i < idle->ncpus; i++) {
		snprintf(name, sizeof(name), "cpu-%u", idle->cpu[i].number);
		iob_json_real(out, name, idle->cpu[i].idle);
	}
	iob_json_real(out, "unit_mean", idle->unit_mean_us);
	iob_json_real(out, "unit_stddev", idle->unit_stddev_us);
}

/* A seed has 64 bits, more than a number in JSON can be trusted with: it is text. */
static void put_ours(struct iob_json root, const struct iob_fio_report *r)
{
	struct iob_json out = iob_json_object(root, IOB_JSON_KEY);
	char seed[24];

	iob_json_text(out, "version", PACKAGE_VERSION);
	snprintf(seed, sizeof(seed), "%" PRIu64, r->seed);
	iob_json_text(out, "seed", seed);
	struct iob_json list = iob_json_array(out, "warnings");
	for (size_t i = 0; i < r->nwarnings; i++)
		iob_json_text(list, NULL, r->warning[i]);
}

void iob_fio_json_head(struct iob_json root, uint64_t timestamp_ms)
{
	time_t when = (time_t)(timestamp_ms / 1000);
	char text[64] = "";
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
	iob_json_text(root, "fio version", IOB_FIO_VERSION);
	iob_json_u64(root, "timestamp", timestamp_ms / 1000);
	iob_json_u64(root, "timestamp_ms", timestamp_ms);
	iob_json_text(root, "time", text);
}

int iob_fio_report_json(const struct iob_fio_report *r, bool plus, FILE *f, struct iob_error *err)
{
	bool failed = false;
	struct iob_json root = {.node = json_object(), .failed = &failed};
	int rc;

	iob_fio_json_head(root, r->timestamp_ms);
	if (r->nglobals)
		put_options(iob_json_object(root, "global options"), r->global, r->nglobals);
	struct iob_json jobs = iob_json_array(root, "jobs");
	for (size_t i = 0; i < r->nentries; i++)
		put_entry(jobs, r, &r->entry[i], plus);
	if (r->ndisks) {
		struct iob_json disks = iob_json_array(root, "disk_util");
		for (size_t i = 0; i < r->ndisks; i++)
			put_disk(disks, &r->disk[i]);
	}
	if (r->idleness)
		put_idleness(root, r->idleness, r->percpu);
	put_ours(root, r);
	if (!root.node || failed)
		rc = iob_fail(err, -ENOMEM, "build the JSON report: %m");
	else
		rc = iob_json_print(root.node, NULL, f, err);
	json_decref(root.node);
	return rc;
}
