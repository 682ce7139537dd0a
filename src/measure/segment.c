/* SPDX-License-Identifier: MIT */
#include "measure/segment.h"

#include "base/clock.h"
#include "measure/sample.h"

void iob_tally_add(struct iob_tally *to, const struct iob_tally *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->issued += from->issued;
	to->shorts += from->shorts;
	to->zeros += from->zeros;
	to->errors += from->errors;
	iob_moments_add(&to->lat, &from->lat);
	iob_moments_add(&to->intended, &from->intended);
}

void iob_behind_note(struct iob_behind *to, const struct iob_behind *from)
{
	if (from->interval > to->interval)
		*to = *from;
	else if (from->interval == to->interval && from->ns > to->ns)
		to->ns = from->ns;
}

void iob_thin_note(uint32_t *thin_from, uint32_t interval)
{
	if (interval && (*thin_from == 0 || interval < *thin_from))
		*thin_from = interval;
}

static const struct iob_hist empty;

static void figures_of(struct iob_figures *out, const struct iob_tally *t,
	const struct iob_hist *hist, double seconds)
{
	*out = (struct iob_figures){
		.ios = t->ios,
		.bytes = t->bytes,
		.issued = t->issued,
		.shorts = t->shorts,
		.zeros = t->zeros,
		.errors = t->errors,
		.iops = seconds > 0 ? (double)t->ios / seconds : 0,
		.bw = seconds > 0 ? (double)t->bytes / seconds : 0,
	};
	iob_latency_summarise(&out->lat, &t->lat, hist ? hist : &empty);
}

static void figures_intended(
	struct iob_figures *out, const struct iob_tally *t, const struct iob_hist *hist)
{
	if (t->intended.n)
		iob_latency_summarise(&out->intended, &t->intended, hist ? hist : &empty);
}

/* The histograms of all directions together. */
static void sum_up(struct iob_hist *sum, struct iob_hist *const hist[IOB_NDIR])
{
	for (int d = 0; d < IOB_NDIR; d++)
		if (hist[d])
			iob_hist_add(sum, hist[d]);
}

static void figures_of_all(struct iob_figures *out, const struct iob_segment *s, double seconds)
{
	struct iob_tally tally = {0};
	struct iob_hist hist = {0};

	for (int d = 0; d < IOB_NDIR; d++)
		iob_tally_add(&tally, &s->dir[d]);
	sum_up(&hist, s->hist);
	figures_of(out, &tally, &hist, seconds);
	if (tally.intended.n == 0)
		return;
	hist = empty;
	sum_up(&hist, s->intended);
	figures_intended(out, &tally, &hist);
}

static uint64_t ms_since(uint64_t ns, uint64_t t0_ns)
{
	return ns > t0_ns ? (ns - t0_ns) / IOB_NS_PER_MS : 0;
}

void iob_segment_figures(struct iob_segment_figures *out, const struct iob_segment *s,
	uint64_t t0_ns, uint64_t now_ns)
{
	uint64_t to_ns = s->to_ns ? s->to_ns : now_ns;
	uint64_t span_ns = to_ns > s->from_ns ? to_ns - s->from_ns : 0;
	double seconds = span_ns > s->gap_ns ? (double)(span_ns - s->gap_ns) / 1e9 : 0;

	*out = (struct iob_segment_figures){
		.id = s->id,
		.stage = s->stage,
		.kind = s->kind,
		.open = s->to_ns == 0,
		.from_ms = ms_since(s->from_ns, t0_ns),
		.to_ms = ms_since(to_ns, t0_ns),
		.seconds = seconds,
		.behind_ns = s->behind.ns,
		.syncs = s->syncs,
		.sync_mean_ns = s->syncs ? (double)s->sync_sum_ns / (double)s->syncs : 0,
		.sync_max_ns = s->sync_max_ns,
		.has_disk = s->disk_ns > 0,
		.cpu = seconds > 0 ? (double)s->cpu_ns / 1e9 / seconds : 0,
		.thin_ms = (uint64_t)s->thin_from * IOB_INTERVAL_MS,
	};
	for (int d = 0; d < IOB_NDIR; d++) {
		figures_of(&out->dir[d], &s->dir[d], s->hist[d], seconds);
		figures_intended(&out->dir[d], &s->dir[d], s->intended[d]);
		out->depth += seconds > 0 ? (double)s->dir[d].lat.sum_ns / 1e9 / seconds : 0;
	}
	figures_of_all(&out->all, s, seconds);
	iob_iostat_compute(
		&out->disk, &s->disk, s->disk_ns > s->gap_ns ? s->disk_ns - s->gap_ns : 0);
}
