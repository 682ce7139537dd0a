/* SPDX-License-Identifier: MIT */
/* Gaps belong to no load.  The grid proves them: in intervals that lie in one with all of their
 * time nothing may have come back. */
#include "measure/ledger.h"

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

uint64_t iob_ledger_gaps_in(const struct iob_ledger *l, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->ngaps; i++)
		sum += overlap(l, &l->gap[i], from_ns, to_ns);
	return sum;
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
