/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/fio_entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A share that is not 0 is never shown as 0. */
#define LEAST_LEVEL   0.1
#define LEAST_LATENCY 0.01

int iob_fio_entry_mix(struct iob_fio_entry *e, struct iob_error *err)
{
	if (!e->all)
		e->all = calloc(1, sizeof(*e->all));
	if (!e->all)
		return iob_fail(err, -ENOMEM, "report of %s: %m", e->jobname);
	memset(e->all, 0, sizeof(*e->all));
	e->mixed.d = e->all;
	e->mixed.runtime_ms = 0;
	e->mixed.zone_resets = 0;
	for (int i = 0; i < IOB_NDIR; i++) {
		iob_detail_dir_add(e->all, e->dir[i].d);
		e->mixed.zone_resets += e->dir[i].zone_resets;
		if (e->dir[i].runtime_ms > e->mixed.runtime_ms)
			e->mixed.runtime_ms = e->dir[i].runtime_ms;
	}
	return 0;
}

void iob_fio_report_free(struct iob_fio_report *r)
{
	for (size_t i = 0; i < r->nentries; i++) {
		free(r->entry[i].all);
		free(r->entry[i].detail);
		free(r->entry[i].priorities);
		free(r->entry[i].all_priorities);
	}
	free(r->entry);
	free(r->group);
	free(r->disk);
	memset(r, 0, sizeof(*r));
}

uint64_t iob_fio_bw(const struct iob_fio_dir_report *r)
{
	return r->runtime_ms ? (uint64_t)(1000.0 * (double)r->d->bytes / (double)r->runtime_ms) : 0;
}

double iob_fio_iops(const struct iob_fio_dir_report *r)
{
	return r->runtime_ms ? 1000.0 * (double)r->d->issued / (double)r->runtime_ms : 0;
}

struct iob_fio_spans iob_fio_spans(const struct iob_fio_entry *e, const struct iob_detail_dir *d)
{
	static const struct iob_span none;

	return (struct iob_fio_spans){
		.slat = e->disable_slat ? &none : &d->slat,
		.clat = e->disable_clat ? &none : &d->clat,
		.lat = e->disable_lat ? &none : &d->lat,
	};
}

uint64_t iob_fio_min(const struct iob_span *s)
{
	return s->moments.n ? s->moments.min_ns : 0;
}

uint64_t iob_fio_max(const struct iob_span *s)
{
	return s->moments.n ? s->moments.max_ns : 0;
}

void iob_fio_percentiles(const struct iob_fio_entry *e, const struct iob_span *s, uint64_t *out)
{
	for (unsigned i = 0; i < e->npercentiles; i++)
		out[i] = iob_hist_percentile(
			&s->hist, e->percentile[i], s->moments.min_ns, s->moments.max_ns);
}

double iob_fio_share_of_group(const struct iob_fio_samples *s, double mean, double aggregate)
{
	/* In KiB/s; of less than one fio says all, since the mean was cut to whole ones. */
	double share = aggregate > 1 ? 100 * mean / aggregate : 100;

	if (s->n == 0)
		return 0;
	return share < 100 ? share : 100;
}

static const struct iob_fio_group *find_group(const struct iob_fio_report *r, unsigned id)
{
	for (size_t i = 0; i < r->ngroups; i++)
		if (r->group[i].groupid == id)
			return &r->group[i];
	return NULL;
}

unsigned iob_fio_rows(const struct iob_fio_report *r, const struct iob_fio_entry *e,
	struct iob_fio_row rows[IOB_FIO_MAX_ROWS])
{
	const struct iob_fio_group *g = find_group(r, e->groupid);
	unsigned n = 0;

	for (int d = 0; d < IOB_NDIR && e->unified != 1; d++)
		rows[n++] = (struct iob_fio_row){.name = iob_dir_name((enum iob_dir)d),
			.dir = &e->dir[d],
			.group = g ? &g->dir[d] : NULL,
			.resets = d == IOB_WRITE};
	if (e->unified && e->mixed.d)
		rows[n++] = (struct iob_fio_row){
			.name = "mixed", .dir = &e->mixed, .group = g ? &g->mixed : NULL};
	return n;
}

uint64_t iob_fio_issued(const struct iob_fio_entry *e)
{
	uint64_t n = 0;

	for (int i = 0; i < IOB_NDIR; i++)
		n += e->dir[i].d->issued;
	return n;
}

void iob_fio_levels(
	const uint64_t count[IOB_DETAIL_LEVELS], uint64_t total, double share[IOB_FIO_LEVELS])
{
	for (int i = 0; i < IOB_FIO_LEVELS; i++) {
		share[i] = total ? 100 * (double)count[i] / (double)total : 0;
		if (count[i] && total && share[i] < LEAST_LEVEL)
			share[i] = LEAST_LEVEL;
	}
}

uint64_t iob_fio_calls(const uint64_t count[IOB_DETAIL_LEVELS])
{
	uint64_t n = 0;

	for (int i = 0; i < IOB_DETAIL_LEVELS; i++)
		n += count[i];
	return n;
}

static void raise_to_least(double *share, int n)
{
	for (int i = 0; i < n; i++)
		if (share[i] > 0 && share[i] < LEAST_LATENCY)
			share[i] = LEAST_LATENCY;
}

void iob_fio_entry_latencies(const struct iob_fio_entry *e, struct iob_fio_latencies *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 0; i < IOB_NDIR; i++)
		iob_fio_latencies_add(
			out, &iob_fio_spans(e, e->dir[i].d).clat->hist, iob_fio_issued(e));
	raise_to_least(out->ns, IOB_FIO_LAT_NS);
	raise_to_least(out->us, IOB_FIO_LAT_US);
	raise_to_least(out->ms, IOB_FIO_LAT_MS);
}
