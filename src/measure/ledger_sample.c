/* SPDX-License-Identifier: MIT */
/* Entering samples: each count goes to one segment and, by time, to one or more intervals. */
#include "measure/ledger.h"

/* Samples can run ahead of the announcement of their segment by one or two changes. */
#define AHEAD 64

static struct iob_tally tally_of(const struct iob_sample *h, int d)
{
	const struct iob_dir_counts *c = &h->dir[d];

	return (struct iob_tally){
		.ios = c->ios,
		.bytes = c->bytes,
		.issued = c->issued,
		.shorts = c->shorts,
		.zeros = c->zeros,
		.errors = c->errors,
		.lat = {c->ios, c->sum_ns, c->sum_squares, c->min_ns, c->max_ns},
		.intended = h->intended[d],
	};
}

static uint64_t part_of(uint64_t v, uint32_t part, uint32_t parts)
{
	uint64_t each = v / parts;

	return part == parts - 1 ? v - each * (parts - 1) : each;
}

static void share_intended(struct iob_moments *m, uint32_t part, uint32_t parts)
{
	uint64_t all = m->n;

	m->n = part_of(all, part, parts);
	m->sum_ns = part_of(m->sum_ns, part, parts);
	m->sum_squares = all ? m->sum_squares * ((double)m->n / (double)all) : 0;
}

static struct iob_tally share_of(const struct iob_tally *t, uint32_t part, uint32_t parts)
{
	struct iob_tally s = *t;

	if (parts == 1)
		return s;
	s.ios = part_of(t->ios, part, parts);
	s.bytes = part_of(t->bytes, part, parts);
	s.issued = part_of(t->issued, part, parts);
	s.shorts = part_of(t->shorts, part, parts);
	s.zeros = part_of(t->zeros, part, parts);
	s.errors = part_of(t->errors, part, parts);
	s.lat.n = s.ios;
	s.lat.sum_ns = part_of(t->lat.sum_ns, part, parts);
	s.lat.sum_squares = t->ios ? t->lat.sum_squares * ((double)s.ios / (double)t->ios) : 0;
	share_intended(&s.intended, part, parts);
	return s;
}

static void enter_segment(struct iob_segment *s, const struct iob_popped *p)
{
	const struct iob_sample_entry *entry = p->entry;

	for (int d = 0; d < IOB_NDIR; d++) {
		struct iob_tally t = tally_of(&p->head, d);

		iob_tally_add(&s->dir[d], &t);
		iob_hist_add_entries(&s->hist[d], entry, p->head.n_entries[d]);
		entry += p->head.n_entries[d];
	}
	for (int d = 0; d < IOB_NDIR; d++) {
		iob_hist_add_entries(&s->intended[d], entry, p->head.n_entries[IOB_NDIR + d]);
		entry += p->head.n_entries[IOB_NDIR + d];
	}
	struct iob_behind behind = {p->head.interval, p->head.behind_ns};
	iob_behind_note(&s->behind, &behind);
	s->syncs += p->head.syncs;
	s->sync_sum_ns += p->head.sync_sum_ns;
	if (p->head.sync_max_ns > s->sync_max_ns)
		s->sync_max_ns = p->head.sync_max_ns;
	s->cpu_ns += p->head.cpu_ns;
	if (p->head.flags & IOB_SAMPLE_LAST)
		iob_thin_note(&s->thin_from, p->head.interval);
}

static void enter_direction(struct iob_interval *e, struct iob_window_slot *slot, enum iob_dir d,
	const struct iob_tally *all, const struct iob_deal *deal)
{
	struct iob_tally t = share_of(all, deal->part, deal->parts);
	struct iob_interval_dir *to = &e->dir[d];

	to->ios += t.ios;
	to->bytes += t.bytes;
	to->sum_ns += t.lat.sum_ns;
	if (t.ios && t.lat.max_ns > to->max_ns)
		to->max_ns = t.lat.max_ns;
	e->errors += (uint32_t)t.errors;
	if (slot)
		iob_window_add(slot, d, deal, &t);
}

/* entry: behind those of the latencies. */
static void enter_intended(struct iob_window_slot *slot, const struct iob_popped *p,
	const struct iob_sample_entry *entry, uint32_t part, uint32_t parts)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		uint32_t n = p->head.n_entries[IOB_NDIR + d];
		struct iob_deal deal = {entry, n, p->head.intended[d].n, part, parts};

		iob_window_add_intended(slot, (enum iob_dir)d, &deal);
		entry += n;
	}
}

/* One interval's part of a sample. */
static void enter_interval(struct iob_ledger *l, const struct iob_popped *p, uint32_t segment,
	size_t k, uint32_t part, uint32_t parts)
{
	const struct iob_sample_entry *entry = p->entry;
	struct iob_interval *e = iob_ledger_entry(l, k);

	if (!e)
		return;
	while (k >= iob_window_width(&l->window) && l->closed <= k - iob_window_width(&l->window) &&
		l->closed < l->timeline.count)
		iob_ledger_close_next(l);
	struct iob_window_slot *slot = iob_window_at(&l->window, k);
	if (e->segment < segment)
		e->segment = segment;
	if (parts > 1)
		e->flags |= IOB_INTERVAL_SPREAD;
	e->syncs += (uint32_t)part_of(p->head.syncs, part, parts);
	for (int d = 0; d < IOB_NDIR; d++) {
		struct iob_tally all = tally_of(&p->head, d);
		struct iob_deal deal = {entry, p->head.n_entries[d], all.ios, part, parts};

		enter_direction(e, slot, (enum iob_dir)d, &all, &deal);
		entry += p->head.n_entries[d];
	}
	if (slot)
		enter_intended(slot, p, entry, part, parts);
	if (k >= l->closed)
		return;
	e->flags |= IOB_INTERVAL_LATE;
	if (slot) {
		iob_window_close(slot, e);
		iob_ledger_heat_up(l, slot, k);
	}
	iob_ledger_scan_again(l, k);
}

static uint32_t segment_for(struct iob_ledger *l, uint32_t id)
{
	uint32_t newest = l->announced ? (uint32_t)(l->announced - 1) : 0;

	return id <= newest + AHEAD && iob_ledger_make_room(l, id) ? id : newest;
}

static void note_worker(struct iob_ledger *l, unsigned worker, const struct iob_sample *h, size_t k,
	uint64_t now_ns)
{
	struct iob_ledger_worker *w = &l->worker[worker];
	/* A sample before the interval's end (the segment changed) is not the last one for it. */
	size_t complete = now_ns >= iob_ledger_start_of(l, k + 1) ? k + 1 : k;

	if (complete > w->complete)
		w->complete = complete;
	w->silent = false;
	w->ended = h->flags & IOB_SAMPLE_LAST;
}

static bool is_empty(const struct iob_sample *h)
{
	uint64_t any = h->syncs;

	for (int d = 0; d < IOB_NDIR; d++)
		any |= h->dir[d].ios | h->dir[d].issued | h->dir[d].zeros | h->dir[d].errors;
	return any == 0;
}

void iob_ledger_sample(
	struct iob_ledger *l, unsigned worker, const struct iob_popped *p, uint64_t now_ns)
{
	size_t newest = iob_ledger_interval_of(l, now_ns) + 1;
	size_t k = p->head.interval < newest ? p->head.interval : newest;
	uint32_t id = segment_for(l, p->head.segment);
	struct iob_segment *s = &l->segment[id];
	bool load = id < l->announced && s->kind == IOB_SEGMENT_LOAD;

	enter_segment(s, p);
	if (load)
		enter_segment(&l->total, p);
	if (load && worker < l->nworkers)
		l->worker[worker].cpu_ns += p->head.cpu_ns;
	if (worker < l->nworkers) {
		note_worker(l, worker, &p->head, k, now_ns);
		iob_worker_seconds_add(&l->worker[worker].seconds, p, k);
	}
	/* Only "I am here": the timeline grows by the clock, and an empty sample is late for no
	 * figure. */
	if (is_empty(&p->head))
		return;
	uint32_t parts = p->head.intervals ? p->head.intervals : 1;
	if (parts > k + 1)
		parts = (uint32_t)k + 1;
	if (k + 1 - parts < l->closed)
		l->late++;
	for (uint32_t i = 0; i < parts; i++)
		enter_interval(l, p, id, k + 1 - parts + i, i, parts);
}
