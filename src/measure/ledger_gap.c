/* SPDX-License-Identifier: MIT */
/* Gaps belong to no load.  The grid proves them: in intervals that lie in one with all of their
 * time nothing may have come back. */
#include "measure/ledger.h"

#define SECTOR 512.0

void iob_ledger_gap(struct iob_ledger *l, const struct iob_gap *gap, uint64_t now_ns)
{
	struct iob_gap g = *gap;

	if (g.to_ns > now_ns)
		g.to_ns = now_ns;
	if (l->t0_ns == 0 || l->ngaps >= IOB_MAX_GAPS || g.from_ns < l->t0_ns ||
		g.from_ns > g.to_ns)
		return;
	l->gap[l->ngaps++] = g;
	size_t first = iob_ledger_interval_of(l, g.from_ns);
	for (size_t k = first; iob_ledger_start_of(l, k) < g.to_ns; k++) {
		struct iob_interval *e = iob_ledger_entry(l, k);

		if (e)
			e->flags |= IOB_INTERVAL_GAP;
	}
	iob_ledger_scan_again(l, first);
}

/* Intervals that lie in from_ns..to_ns whole and are empty; *all: they all are. */
static uint64_t empty_in(const struct iob_ledger *l, uint64_t from_ns, uint64_t to_ns, bool *all)
{
	size_t end = iob_ledger_interval_of(l, to_ns);
	uint64_t n = 0;

	*all = true;
	for (size_t k = iob_ledger_after(l, from_ns); k < end && k < l->timeline.count; k++) {
		bool is = iob_interval_is_gap(&l->timeline.entry[k]);

		n += is;
		*all &= is;
	}
	return n;
}

static uint64_t overlap(
	const struct iob_ledger *l, const struct iob_gap *g, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t a = g->from_ns > from_ns ? g->from_ns : from_ns;
	uint64_t b = g->to_ns < to_ns ? g->to_ns : to_ns;
	bool holds;

	if (b <= a)
		return 0;
	empty_in(l, g->from_ns, g->to_ns, &holds);
	return holds ? b - a : empty_in(l, a, b, &holds) * IOB_INTERVAL_NS;
}

/* What happened in some intervals. */
struct pool {
	struct iob_diskstat disk;
	uint64_t beside[2], own_bytes;
	bool late; /* a reading of the disk was divided over them */
};

static void pour(struct pool *p, const struct iob_interval *e)
{
	iob_diskstat_add(&p->disk, &e->disk);
	p->late |= e->flags & IOB_INTERVAL_DISK_LATE;
	for (int d = 0; d < IOB_NDIR; d++)
		p->own_bytes += e->dir[d].bytes;
	for (int d = 0; d < 2; d++)
		p->beside[d] += e->beside[d];
}

static void take_beside(struct iob_segment *s, const struct pool *p)
{
	for (int d = 0; d < 2; d++)
		s->beside[d] -= p->beside[d] < s->beside[d] ? p->beside[d] : s->beside[d];
}

/* Where we did not run all the time: what the disk moved beyond what came back to us. */
static void take_excess(struct iob_segment *s, const struct pool *p)
{
	double moved = SECTOR * (double)(p->disk.read_sectors + p->disk.write_sectors +
					 p->disk.discard_sectors);
	struct iob_diskstat excess, rest;

	if (moved <= (double)p->own_bytes)
		return;
	iob_diskstat_split(&excess, &rest, &p->disk, 1 - (double)p->own_bytes / moved);
	iob_diskstat_take(&s->disk, &excess);
}

/* a_ns..b_ns is in the gap.  If the front stood still, too, what the disk did just before and after
 * it is spread over all of it. */
static void take_disk(
	const struct iob_ledger *l, struct iob_segment *s, uint64_t a_ns, uint64_t b_ns, bool holds)
{
	size_t from = iob_ledger_after(l, a_ns), to = iob_ledger_interval_of(l, b_ns);
	struct pool whole = {.late = false}, edges = {.late = false};

	for (size_t k = iob_ledger_interval_of(l, a_ns);
		k < l->timeline.count && iob_ledger_start_of(l, k) < b_ns; k++) {
		const struct iob_interval *e = &l->timeline.entry[k];

		if (k >= from && k < to && iob_interval_is_gap(e))
			pour(&whole, e);
		else if (holds)
			pour(&edges, e);
	}
	take_beside(s, &whole);
	take_beside(s, &edges);
	if (whole.late) {
		iob_diskstat_add(&edges.disk, &whole.disk);
		edges.own_bytes += whole.own_bytes;
	} else {
		iob_diskstat_take(&s->disk, &whole.disk);
	}
	take_excess(s, &edges);
}

void iob_ledger_leave_out_gaps(
	const struct iob_ledger *l, struct iob_segment *s, uint64_t from_ns, uint64_t to_ns)
{
	for (size_t i = 0; i < l->ngaps; i++) {
		const struct iob_gap *g = &l->gap[i];
		uint64_t a = g->from_ns > from_ns ? g->from_ns : from_ns;
		uint64_t b = g->to_ns < to_ns ? g->to_ns : to_ns;
		bool holds;

		if (b <= a)
			continue;
		s->gap_ns += overlap(l, g, from_ns, to_ns);
		empty_in(l, g->from_ns, g->to_ns, &holds);
		take_disk(l, s, a, b, holds);
	}
}

void iob_ledger_view_gaps(const struct iob_ledger *l, uint64_t now_ns, struct iob_gap_view *v)
{
	*v = (struct iob_gap_view){0};
	for (size_t i = 0; i < l->ngaps; i++) {
		const struct iob_gap *g = &l->gap[i];
		uint64_t ns = 0;

		for (size_t k = 0; k < l->announced; k++) {
			const struct iob_segment *s = &l->segment[k];

			if (s->kind == IOB_SEGMENT_LOAD)
				ns += overlap(l, g, s->from_ns, s->to_ns ? s->to_ns : now_ns);
		}
		v->count += ns > 0 || g->asleep_ns > 0;
		v->ns += ns;
		v->asleep_ns += g->asleep_ns;
	}
}
