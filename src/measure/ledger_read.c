/* SPDX-License-Identifier: MIT */
#include "measure/ledger.h"

#include <string.h>

#include "base/clock.h"

#define NOW_INTERVALS 10

/* Nothing came back in it although a load was in force. */
static bool is_stalled(const struct iob_ledger *l, const struct iob_interval *e)
{
	uint64_t any = e->errors | e->syncs;

	if (e->flags & IOB_INTERVAL_IDLE || e->segment >= l->announced ||
		l->segment[e->segment].kind != IOB_SEGMENT_LOAD)
		return false;
	for (int d = 0; d < IOB_NDIR; d++)
		any |= e->dir[d].ios;
	return any == 0;
}

static void scan(const struct iob_ledger *l, struct iob_stall_scan *s, size_t end)
{
	for (; s->next < end; s->next++) {
		const struct iob_interval *e = &l->timeline.entry[s->next];

		/* A gap says nothing of the device: a stall around it goes on behind it. */
		if (iob_interval_is_gap(e))
			continue;
		s->run = is_stalled(l, e) ? s->run + 1 : 0;
		if (s->run > s->longest)
			s->longest = s->run;
	}
}

uint64_t iob_ledger_longest_stall_ns(struct iob_ledger *l)
{
	/* What may still change is scanned again each time, on a copy. */
	if (l->closed > IOB_WINDOW_INTERVALS)
		scan(l, &l->stall, l->closed - IOB_WINDOW_INTERVALS);
	struct iob_stall_scan copy = l->stall;
	scan(l, &copy, l->closed);
	return copy.longest * IOB_INTERVAL_NS;
}

void iob_ledger_recent(const struct iob_ledger *l, size_t n, struct iob_segment_figures *out)
{
	struct iob_hist hist[IOB_NDIR] = {0}, intended[IOB_NDIR] = {0};
	struct iob_segment s = {.id = l->announced ? (uint32_t)(l->announced - 1) : 0};

	n = n < iob_window_width(&l->window) ? n : iob_window_width(&l->window);
	n = n < l->closed ? n : l->closed;

	if (l->announced) {
		s.stage = l->segment[s.id].stage;
		s.kind = l->segment[s.id].kind;
	}
	for (int d = 0; d < IOB_NDIR; d++) {
		s.hist[d] = &hist[d];
		s.intended[d] = &intended[d];
	}
	for (size_t k = l->closed - n; k < l->closed; k++) {
		const struct iob_window_slot *slot = iob_window_find(&l->window, k);

		s.syncs += l->timeline.entry[k].syncs;
		for (int d = 0; slot && d < IOB_NDIR; d++) {
			iob_tally_add(&s.dir[d], &slot->dir[d]);
			if (slot->dir[d].ios && slot->hist[d])
				iob_hist_add(&hist[d], slot->hist[d]);
			if (slot->intended[d])
				iob_hist_add(&intended[d], slot->intended[d]);
		}
	}
	s.from_ns = l->t0_ns + (l->closed - n) * IOB_INTERVAL_NS;
	s.to_ns = l->t0_ns + l->closed * IOB_INTERVAL_NS;
	iob_segment_figures(out, &s, l->t0_ns, s.to_ns);
}

/* Figures of segments taken together, whose gap_ns is the sum: rates are over the time that they
 * lasted, not over the time between them. */
static void figures_together(struct iob_segment_figures *out, const struct iob_segment *sum,
	uint64_t lasted_ns, uint64_t t0_ns)
{
	struct iob_segment s = *sum;

	/* A length must not be taken for "open". */
	s.to_ns = s.from_ns + lasted_ns;
	iob_segment_figures(out, &s, t0_ns, s.to_ns);
	out->to_ms = sum->to_ns > t0_ns ? (sum->to_ns - t0_ns) / IOB_NS_PER_MS : 0;
	out->open = false;
}

static uint64_t lasted(const struct iob_segment *s, uint64_t now_ns)
{
	uint64_t to_ns = s->to_ns ? s->to_ns : now_ns;

	return to_ns > s->from_ns ? to_ns - s->from_ns : 0;
}

/* sum: of this segment, perhaps among others. */
static void leave_out_gaps(const struct iob_ledger *l, struct iob_segment *sum,
	const struct iob_segment *s, uint64_t now_ns)
{
	iob_ledger_leave_out_gaps(l, sum, s->from_ns, s->to_ns ? s->to_ns : now_ns);
}

/* *sum: what is left of the books of all when the gaps are out of them; its histograms stay the
 * books'. */
static void figures_total(const struct iob_ledger *l, uint64_t now_ns, struct iob_segment *sum,
	struct iob_segment_figures *out)
{
	uint64_t ns = 0;

	*sum = l->total;
	for (size_t i = 0; i < l->announced; i++)
		if (l->segment[i].kind == IOB_SEGMENT_LOAD) {
			ns += lasted(&l->segment[i], now_ns);
			leave_out_gaps(l, sum, &l->segment[i], now_ns);
		}
	if (iob_ledger_is_open(l) && l->segment[l->announced - 1].kind == IOB_SEGMENT_LOAD)
		sum->to_ns = now_ns;
	figures_together(out, sum, ns, l->t0_ns);
}

void iob_ledger_segment_figures(
	const struct iob_ledger *l, size_t id, uint64_t now_ns, struct iob_segment_figures *out)
{
	struct iob_segment s = l->segment[id];

	leave_out_gaps(l, &s, &l->segment[id], now_ns);
	iob_segment_figures(out, &s, l->t0_ns, now_ns);
}

static void cpu_of_workers(const struct iob_ledger *l, double seconds, struct iob_recorder_view *v)
{
	uint64_t most = 0, sum = 0;

	for (unsigned i = 0; i < l->nworkers; i++) {
		sum += l->worker[i].cpu_ns;
		if (l->worker[i].cpu_ns > most)
			most = l->worker[i].cpu_ns;
	}
	v->worker_cpu_max = seconds > 0 ? (double)most / 1e9 / seconds : 0;
	v->worker_cpu_sum = seconds > 0 ? (double)sum / 1e9 / seconds : 0;
}

void iob_ledger_view(struct iob_ledger *l, uint64_t now_ns, struct iob_recorder_view *v)
{
	struct iob_segment sum;

	v->t0_ns = l->t0_ns;
	v->now_ns = now_ns;
	v->intervals = l->closed;
	v->nsegments = (unsigned)l->announced;
	if (l->announced)
		iob_ledger_segment_figures(l, l->announced - 1, now_ns, &v->segment);
	iob_ledger_recent(l, NOW_INTERVALS, &v->now);
	figures_total(l, now_ns, &sum, &v->total);
	memcpy(v->beside, sum.beside, sizeof(v->beside));
	cpu_of_workers(l, v->total.seconds, v);
	v->longest_stall_ns = iob_ledger_longest_stall_ns(l);
	iob_ledger_view_gaps(l, now_ns, &v->gap);
	v->late = l->late;
	for (unsigned i = 0; i < l->nworkers; i++)
		v->workers_ended += l->worker[i].ended;
}

/* Kept all the time, so that a screen can ask often. */
static void totals_of_all(const struct iob_ledger *l, uint64_t now_ns,
	struct iob_segment_figures *out, struct iob_hist *hist, struct iob_diskstat *disk)
{
	struct iob_segment sum;

	figures_total(l, now_ns, &sum, out);
	for (int d = 0; hist && d < IOB_NDIR; d++) {
		memset(&hist[d], 0, sizeof(hist[d]));
		if (l->total.hist[d])
			hist[d] = *l->total.hist[d];
	}
	if (disk)
		*disk = sum.disk;
}

void iob_ledger_totals(struct iob_ledger *l, int stage, uint64_t now_ns,
	struct iob_segment_figures *out, struct iob_hist *hist, struct iob_diskstat *disk)
{
	struct iob_hist own[IOB_NDIR], intended[IOB_NDIR] = {0};
	struct iob_segment sum = {0};
	uint64_t ns = 0;

	if (stage < 0) {
		totals_of_all(l, now_ns, out, hist, disk);
		return;
	}
	if (hist)
		memset(hist, 0, IOB_NDIR * sizeof(*hist));
	else
		memset(own, 0, sizeof(own));
	for (int d = 0; d < IOB_NDIR; d++) {
		sum.hist[d] = hist ? &hist[d] : &own[d];
		sum.intended[d] = &intended[d];
	}
	for (size_t i = 0; i < l->announced; i++) {
		const struct iob_segment *s = &l->segment[i];

		if (s->kind != IOB_SEGMENT_LOAD || s->stage != (uint32_t)stage)
			continue;
		if (sum.from_ns == 0) {
			sum.from_ns = s->from_ns;
			sum.stage = s->stage;
			sum.id = s->id;
		}
		sum.to_ns = s->to_ns ? s->to_ns : now_ns;
		ns += lasted(s, now_ns);
		iob_ledger_merge(&sum, s);
		leave_out_gaps(l, &sum, s, now_ns);
	}
	figures_together(out, &sum, ns, l->t0_ns);
	if (disk)
		*disk = sum.disk;
}

size_t iob_ledger_heat(const struct iob_ledger *l, size_t from, struct iob_heat *out, size_t n)
{
	size_t have = l->closed > from && l->heat.entry ? l->closed - from : 0;

	if (n > have)
		n = have;
	for (size_t i = 0; i < n; i++) {
		bool kept = from + i + IOB_HEAT_INTERVALS >= l->closed;

		out[i] = kept ? l->heat.entry[(from + i) % IOB_HEAT_INTERVALS]
			      : (struct iob_heat){.count = {0}};
	}
	return n;
}

void iob_ledger_workers(const struct iob_ledger *l, struct iob_worker_view *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (i < l->nworkers)
			iob_worker_seconds_view(&l->worker[i].seconds, l->closed, &out[i]);
		else
			out[i] = (struct iob_worker_view){.iops = 0};
	}
}
