/* SPDX-License-Identifier: MIT */
/*
 * fio's terse output: a line of fields for each entry, separated by semicolons.  Versions: 2 (no
 * version of fio, no disks), 3 (no trims, disks), 4 (trims and disks), 5 (4 with counts of samples
 * and IOPS).
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>

#include "result/fio_entry.h"

#define NS_PER_US 1000

struct terse {
	const struct iob_fio_report *report;
	const struct iob_fio_entry *entry;
	unsigned version;
	FILE *f;
};

static void put_span(const struct terse *t, const struct iob_span *s)
{
	fprintf(t->f, ";%" PRIu64 ";%" PRIu64 ";%f;%f", iob_fio_min(s) / NS_PER_US,
		iob_fio_max(s) / NS_PER_US, iob_moments_mean(&s->moments) / NS_PER_US,
		iob_moments_stddev(&s->moments) / NS_PER_US);
}

/* Always twenty fields; of lat if asked for, else of clat. */
static void put_percentiles(const struct terse *t, const struct iob_fio_spans *s)
{
	const struct iob_fio_entry *e = t->entry;
	bool lat = e->lat_percentiles && !e->disable_lat;
	bool shown = lat || (e->clat_percentiles && !e->disable_clat);
	uint64_t value[IOB_FIO_MAX_PERCENTILES] = {0};

	if (shown)
		iob_fio_percentiles(e, lat ? s->lat : s->clat, value);
	for (unsigned i = 0; i < IOB_FIO_MAX_PERCENTILES; i++) {
		if (shown && i < e->npercentiles)
			fprintf(t->f, ";%f%%=%" PRIu64, e->percentile[i], value[i] / NS_PER_US);
		else
			fputs(";0%=0", t->f);
	}
}

static void put_row(const struct terse *t, const struct iob_fio_row *row)
{
	const struct iob_fio_dir_report *r = row->dir;
	const struct iob_fio_samples *bw = &r->bw, *iops = &r->iops;
	struct iob_fio_spans s = iob_fio_spans(t->entry, r->d);
	/* In whole KiB/s, unlike the other reports. */
	double aggregate = row->group ? (double)(uint64_t)(row->group->agg_bw / 1024) : 0;

	fprintf(t->f, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, r->d->bytes / 1024,
		iob_fio_bw(r) / 1024, (uint64_t)iob_fio_iops(r), r->runtime_ms);
	put_span(t, s.slat);
	put_span(t, s.clat);
	put_percentiles(t, &s);
	put_span(t, s.lat);
	fprintf(t->f, ";%" PRIu64 ";%" PRIu64 ";%f%%;%f;%f", (uint64_t)bw->min, (uint64_t)bw->max,
		iob_fio_share_of_group(bw, bw->mean, aggregate), bw->mean, bw->dev);
	if (t->version < 5)
		return;
	fprintf(t->f, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%f;%f;%" PRIu64, bw->n,
		(uint64_t)iops->min, (uint64_t)iops->max, iops->mean, iops->dev, iops->n);
}

static void put_rows(const struct terse *t)
{
	struct iob_fio_row rows[IOB_FIO_MAX_ROWS];
	unsigned n = iob_fio_rows(t->report, t->entry, rows);

	for (unsigned i = 0; i < n; i++)
		if (rows[i].dir != &t->entry->dir[IOB_TRIM] || t->version != 3)
			put_row(t, &rows[i]);
}

/* What is below a microsecond belongs to its first slot here. */
static void put_distributions(const struct terse *t)
{
	double depth[IOB_FIO_LEVELS];
	struct iob_fio_latencies lat;

	iob_fio_levels(t->entry->detail->depth, iob_fio_issued(t->entry), depth);
	for (int i = 0; i < IOB_FIO_LEVELS; i++)
		fprintf(t->f, ";%3.1f%%", depth[i]);
	iob_fio_entry_latencies(t->entry, &lat);
	for (int i = 0; i < IOB_FIO_LAT_NS; i++)
		lat.us[0] += lat.ns[i];
	for (int i = 0; i < IOB_FIO_LAT_US; i++)
		fprintf(t->f, ";%3.2f%%", lat.us[i]);
	for (int i = 0; i < IOB_FIO_LAT_MS; i++)
		fprintf(t->f, ";%3.2f%%", lat.ms[i]);
}

static void put_stat(const struct iob_diskstat *s, FILE *f)
{
	fprintf(f,
		";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64,
		s->reads, s->writes, s->read_merges, s->write_merges, s->read_ms, s->write_ms,
		s->weighted_ms);
}

static void put_disks(const struct terse *t)
{
	for (size_t i = 0; i < t->report->ndisks; i++) {
		const struct iob_fio_disk *d = &t->report->disk[i];

		fprintf(t->f, ";%s", d->name);
		put_stat(&d->delta, t->f);
		fprintf(t->f, ";%3.2f%%", d->util);
		if (!d->aggregated)
			continue;
		fputs(";slaves", t->f);
		put_stat(&d->mean, t->f);
		fprintf(t->f, ";%3.2f%%", d->max_util);
	}
}

static void put_entry(const struct terse *t)
{
	const struct iob_fio_entry *e = t->entry;
	const struct iob_detail *d = e->detail;

	fprintf(t->f, "%u;", t->version);
	if (t->version > 2)
		fputs(IOB_FIO_VERSION ";", t->f);
	fprintf(t->f, "%s;%u;%d", e->jobname, e->groupid, e->error);
	put_rows(t);
	fprintf(t->f, ";%f%%;%f%%;%" PRIu64 ";%" PRIu64 ";%" PRIu64, e->usr_cpu, e->sys_cpu,
		d->context_switches, d->major_faults, d->minor_faults);
	put_distributions(t);
	if (t->version > 2)
		put_disks(t);
	if (e->continue_on_error)
		fprintf(t->f, ";%" PRIu64 ";%d", d->total_errors, d->first_error);
	if (e->description[0])
		fprintf(t->f, ";%s", e->description);
	fputc('\n', t->f);
}

int iob_fio_report_terse(
	const struct iob_fio_report *r, unsigned version, FILE *f, struct iob_error *err)
{
	struct terse t = {.report = r, .version = version, .f = f};

	if (version < 2 || version > 5)
		return iob_fail_usage(
			err, "terse_version=%u: there are the versions 2, 3, 4 and 5", version);
	for (size_t i = 0; i < r->nentries; i++) {
		t.entry = &r->entry[i];
		put_entry(&t);
	}
	errno = 0;
	if (fflush(f) || ferror(f))
		return iob_fail(err, errno ? -errno : -EIO, "write the terse report: %m");
	return 0;
}
