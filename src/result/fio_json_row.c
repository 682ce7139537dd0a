/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "result/fio_json.h"
#include "result/fio_priority.h"
#include "result/json_schema.h"

void iob_fio_json_shares(struct iob_json parent, const char *key, const char *const *names,
	const double *share, unsigned n)
{
	struct iob_json out = iob_json_object(parent, key);

	for (unsigned i = 0; i < n; i++)
		iob_json_real(out, names[i], share[i]);
}

void iob_fio_json_bins(struct iob_json parent, const struct iob_hist *hist)
{
	struct iob_json out = iob_json_object(parent, "bins");

	for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i++) {
		char name[24];

		if (hist->count[i] == 0)
			continue;
		snprintf(name, sizeof(name), "%" PRIu64, iob_hist_mid(i));
		iob_json_u64(out, name, hist->count[i]);
	}
}

static void put_percentiles(
	struct iob_json parent, const struct iob_fio_entry *e, const struct iob_span *s)
{
	struct iob_json out = iob_json_object(parent, "percentile");
	uint64_t value[IOB_FIO_MAX_PERCENTILES];

	iob_fio_percentiles(e, s, value);
	for (unsigned i = 0; i < e->npercentiles; i++) {
		char name[32];

		iob_json_percentile_key(name, sizeof(name), e->percentile[i]);
		iob_json_u64(out, name, value[i]);
	}
}

/* What is shown of a span besides its moments. */
struct extent {
	bool percentiles, bins;
};

static void put_span(struct iob_json parent, const char *key, const struct iob_fio_entry *e,
	const struct iob_span *s, struct extent extent)
{
	struct iob_json out = iob_json_object(parent, key);

	iob_json_u64(out, "min", iob_fio_min(s));
	iob_json_u64(out, "max", iob_fio_max(s));
	iob_json_real(out, "mean", iob_moments_mean(&s->moments));
	iob_json_real(out, "stddev", iob_moments_stddev(&s->moments));
	iob_json_u64(out, "N", s->moments.n);
	if (!extent.percentiles || s->hist.total == 0)
		return;
	put_percentiles(out, e, s);
	if (extent.bins)
		iob_fio_json_bins(out, &s->hist);
}

static void put_priorities(struct iob_json parent, const struct iob_fio_entry *e,
	const struct iob_fio_row *row, struct extent extent)
{
	struct iob_fio_priority p[IOB_DETAIL_PRIORITIES];
	unsigned n = iob_fio_priorities(e, row->dir, p);

	if (n == 0)
		return;
	struct iob_json list = iob_json_array(parent, "prios");
	for (unsigned i = 0; i < n; i++) {
		struct iob_json out = iob_json_object(list, NULL);

		iob_json_u64(out, "prioclass", p[i].prioclass);
		iob_json_u64(out, "prio", p[i].level);
		put_span(out, e->lat_percentiles ? "lat_ns" : "clat_ns", e, p[i].span, extent);
	}
}

static void put_samples(struct iob_json out, const struct iob_fio_row *row)
{
	const struct iob_fio_samples *bw = &row->dir->bw, *iops = &row->dir->iops;

	iob_json_u64(out, "bw_min", iob_json_whole(bw->min));
	iob_json_u64(out, "bw_max", iob_json_whole(bw->max));
	iob_json_real(out, "bw_agg",
		iob_fio_share_of_group(
			bw, floor(bw->mean), row->group ? row->group->agg_bw / 1024 : 0));
	iob_json_real(out, "bw_mean", bw->mean);
	iob_json_real(out, "bw_dev", bw->dev);
	iob_json_u64(out, "bw_samples", bw->n);
	iob_json_u64(out, "iops_min", iob_json_whole(iops->min));
	iob_json_u64(out, "iops_max", iob_json_whole(iops->max));
	iob_json_real(out, "iops_mean", iops->mean);
	iob_json_real(out, "iops_stddev", iops->dev);
	iob_json_u64(out, "iops_samples", iops->n);
}

void iob_fio_json_row(struct iob_json parent, const struct iob_fio_entry *e,
	const struct iob_fio_row *row, bool plus)
{
	struct iob_json out = iob_json_object(parent, row->name);
	const struct iob_fio_dir_report *r = row->dir;
	const struct iob_detail_dir *d = r->d;
	struct iob_fio_spans s = iob_fio_spans(e, d);

	iob_json_u64(out, "io_bytes", d->bytes);
	iob_json_u64(out, "io_kbytes", d->bytes / 1024);
	iob_json_u64(out, "bw_bytes", iob_fio_bw(r));
	iob_json_u64(out, "bw", iob_fio_bw(r) / 1024);
	iob_json_real(out, "iops", iob_fio_iops(r));
	iob_json_u64(out, "runtime", r->runtime_ms);
	iob_json_u64(out, "total_ios", d->issued);
	iob_json_u64(out, "short_ios", d->shorts);
	iob_json_u64(out, "drop_ios", 0);
	put_span(out, "slat_ns", e, s.slat, (struct extent){e->slat_percentiles, plus});
	put_span(out, "clat_ns", e, s.clat, (struct extent){e->clat_percentiles, plus});
	put_span(out, "lat_ns", e, s.lat, (struct extent){e->lat_percentiles, plus});
	put_priorities(
		out, e, row, (struct extent){e->clat_percentiles || e->lat_percentiles, plus});
	put_samples(out, row);
}

void iob_fio_json_sync(struct iob_json parent, const struct iob_fio_entry *e, bool plus)
{
	struct iob_json out = iob_json_object(parent, "sync");

	iob_json_u64(out, "total_ios", e->detail->syncs_issued);
	put_span(out, "lat_ns", e, &e->detail->sync, (struct extent){true, plus});
}
