/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>
#include <math.h>

#include "result/fio_number.h"
#include "result/fio_priority.h"
#include "result/fio_text.h"

#define MIB_IN_KIB 1024

struct iob_fio_pair iob_fio_pair_bytes(uint64_t bytes, int kb_base, unsigned digits)
{
	struct iob_fio_pair p = {0};
	bool binary = kb_base != 1000;

	iob_fio_number(p.first, sizeof(p.first), bytes, digits, binary, IOB_FIO_BYTES);
	iob_fio_number(p.second, sizeof(p.second), bytes, digits, !binary, IOB_FIO_BYTES);
	return p;
}

struct iob_fio_pair iob_fio_pair_rate(
	double bytes_per_s, int kb_base, int unit_base, unsigned digits)
{
	struct iob_fio_pair p = {0};
	bool binary = kb_base != 1000;
	enum iob_fio_unit unit = unit_base == 1 ? IOB_FIO_BIT_RATE : IOB_FIO_BYTE_RATE;
	uint64_t value = bytes_per_s > 0 ? (uint64_t)bytes_per_s : 0;

	iob_fio_number(p.first, sizeof(p.first), value, digits, binary, unit);
	iob_fio_number(p.second, sizeof(p.second), value, digits, !binary, unit);
	return p;
}

static void put_head(const struct iob_fio_entry *e, const struct iob_fio_row *row, FILE *f)
{
	const struct iob_fio_dir_report *r = row->dir;
	struct iob_fio_pair bw = iob_fio_pair_rate(
		(double)iob_fio_bw(r), e->kb_base, e->unit_base, e->significant_figures);
	struct iob_fio_pair io =
		iob_fio_pair_bytes(r->d->bytes, e->kb_base, e->significant_figures);
	char iops[IOB_FIO_NUMBER_MAX];

	iob_fio_number(iops, sizeof(iops), (uint64_t)iob_fio_iops(r), e->significant_figures, false,
		IOB_FIO_PLAIN);
	fprintf(f, "  %s: IOPS=%s, BW=%s (%s)(%s/%" PRIu64 "msec)", row->name, iops, bw.first,
		bw.second, io.first, r->runtime_ms);
	if (row->resets)
		fprintf(f, "; %" PRIu64 " zone resets", r->zone_resets);
	fputc('\n', f);
}

static void put_bw(const struct iob_fio_entry *e, const struct iob_fio_row *row, FILE *f)
{
	const struct iob_fio_samples *s = &row->dir->bw;
	const char *unit = e->kb_base == 1000 ? "kB" : "KiB";
	double scale = 1;

	if (s->n == 0)
		return;
	if (s->mean > MIB_IN_KIB * MIB_IN_KIB) {
		unit = e->kb_base == 1000 ? "MB" : "MiB";
		scale = MIB_IN_KIB;
	}
	fprintf(f, "   bw (%5s/s): min=%5" PRIu64 ", max=%5" PRIu64 ", per=%3.2f%%, avg=%5.02f, ",
		unit, (uint64_t)(s->min / scale), (uint64_t)(s->max / scale),
		iob_fio_share_of_group(
			s, floor(s->mean), row->group ? row->group->agg_bw / 1024 : 0),
		s->mean / scale);
	fprintf(f, "stdev=%5.02f, samples=%" PRIu64 "\n", s->dev / scale, s->n);
}

static void put_iops(const struct iob_fio_row *row, FILE *f)
{
	const struct iob_fio_samples *s = &row->dir->iops;

	if (s->n == 0)
		return;
	fprintf(f,
		"   iops        : min=%5" PRIu64 ", max=%5" PRIu64
		", avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n",
		(uint64_t)s->min, (uint64_t)s->max, s->mean, s->dev, s->n);
}

/* fio names a span by what its percentiles are of. */
static const char *priority_span(const struct iob_fio_entry *e)
{
	return e->lat_percentiles ? "lat" : "clat";
}

static void put_priority_spans(
	const struct iob_fio_entry *e, const struct iob_fio_priority *p, unsigned n, FILE *f)
{
	char name[32];

	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s prio %u/%u", priority_span(e), p[i].prioclass,
			p[i].level);
		iob_fio_text_span(name, p[i].span, f);
	}
}

static void put_priority_percentiles(
	const struct iob_fio_entry *e, const struct iob_fio_priority *p, unsigned n, FILE *f)
{
	char name[64];

	for (unsigned i = 0; i < n && (e->clat_percentiles || e->lat_percentiles); i++) {
		snprintf(name, sizeof(name), "%s prio %u/%u (%.2f%% of IOs)", priority_span(e),
			p[i].prioclass, p[i].level, p[i].share);
		iob_fio_text_percentiles(e, name, p[i].span, f);
	}
}

void iob_fio_text_row(const struct iob_fio_entry *e, const struct iob_fio_row *row, FILE *f)
{
	struct iob_fio_spans s = iob_fio_spans(e, row->dir->d);
	struct iob_fio_priority priority[IOB_DETAIL_PRIORITIES];
	unsigned npriorities = iob_fio_priorities(e, row->dir, priority);

	if (row->dir->runtime_ms == 0)
		return;
	put_head(e, row, f);
	iob_fio_text_span("slat", s.slat, f);
	iob_fio_text_span("clat", s.clat, f);
	iob_fio_text_span("lat", s.lat, f);
	put_priority_spans(e, priority, npriorities, f);
	if (e->slat_percentiles)
		iob_fio_text_percentiles(e, "slat", s.slat, f);
	if (e->clat_percentiles)
		iob_fio_text_percentiles(e, "clat", s.clat, f);
	if (e->lat_percentiles)
		iob_fio_text_percentiles(e, "lat", s.lat, f);
	put_priority_percentiles(e, priority, npriorities, f);
	put_bw(e, row, f);
	put_iops(row, f);
}
