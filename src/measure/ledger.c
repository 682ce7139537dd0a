/* SPDX-License-Identifier: MIT */
#include "measure/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define FIRST_SEGMENTS 16
/* Samples can run ahead of the announcement of their segment by one or two changes. */
#define AHEAD          64

int iob_ledger_init(struct iob_ledger *l, unsigned nworkers)
{
	memset(l, 0, sizeof(*l));
	l->segment = calloc(FIRST_SEGMENTS, sizeof(*l->segment));
	l->worker = calloc(nworkers ? nworkers : 1, sizeof(*l->worker));
	if (!l->segment || !l->worker) {
		iob_ledger_free(l);
		return -ENOMEM;
	}
	l->room = FIRST_SEGMENTS;
	l->nworkers = nworkers;
	return 0;
}

void iob_ledger_free(struct iob_ledger *l)
{
	for (size_t i = 0; i < l->room; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			free(l->segment[i].hist[d]);
	for (int d = 0; d < IOB_NDIR; d++)
		free(l->total.hist[d]);
	free(l->segment);
	free(l->worker);
	iob_window_free(&l->window);
	iob_timeline_free(&l->timeline);
	memset(l, 0, sizeof(*l));
}

static size_t interval_of(const struct iob_ledger *l, uint64_t ns)
{
	return ns > l->t0_ns ? (size_t)((ns - l->t0_ns) / IOB_INTERVAL_NS) : 0;
}

static uint64_t start_of(const struct iob_ledger *l, size_t k)
{
	return l->t0_ns + k * IOB_INTERVAL_NS;
}

/* First interval that begins at or after the time. */
static size_t interval_after(const struct iob_ledger *l, uint64_t ns)
{
	size_t k = interval_of(l, ns);

	return start_of(l, k) < ns ? k + 1 : k;
}

static void label(struct iob_ledger *l, size_t k)
{
	uint32_t newest = l->announced ? (uint32_t)(l->announced - 1) : 0;

	for (; k < l->timeline.count; k++) {
		struct iob_interval *e = &l->timeline.entry[k];

		if (e->segment < newest)
			e->segment = newest;
		if (k >= l->idle_from)
			e->flags |= IOB_INTERVAL_IDLE;
		else
			e->flags &= ~(uint32_t)IOB_INTERVAL_IDLE;
	}
}

/* Without memory for another entry the newest one takes the counts, so that the sums stay exact. */
static struct iob_interval *entry_at(struct iob_ledger *l, size_t k)
{
	size_t before = l->timeline.count;
	struct iob_interval *e = iob_timeline_at(&l->timeline, k);

	if (l->timeline.count > before)
		label(l, before);
	if (!e && before)
		e = &l->timeline.entry[before - 1];
	return e;
}

void iob_ledger_begin(struct iob_ledger *l, uint64_t t0_ns)
{
	if (l->t0_ns == 0)
		l->t0_ns = t0_ns;
}

bool iob_ledger_is_open(const struct iob_ledger *l)
{
	return l->announced && l->segment[l->announced - 1].to_ns == 0;
}

static bool make_room(struct iob_ledger *l, size_t id)
{
	size_t room = l->room;

	if (id < room)
		return true;
	while (room <= id)
		room *= 2;
	struct iob_segment *s = realloc(l->segment, room * sizeof(*s));
	if (!s)
		return false;
	memset(s + l->room, 0, (room - l->room) * sizeof(*s));
	l->segment = s;
	l->room = room;
	return true;
}

void iob_ledger_merge(struct iob_segment *to, const struct iob_segment *from)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		iob_tally_add(&to->dir[d], &from->dir[d]);
		if (!from->hist[d])
			continue;
		if (!to->hist[d])
			to->hist[d] = calloc(1, sizeof(*to->hist[d]));
		if (to->hist[d])
			iob_hist_add(to->hist[d], from->hist[d]);
	}
	to->syncs += from->syncs;
	to->sync_sum_ns += from->sync_sum_ns;
	if (from->sync_max_ns > to->sync_max_ns)
		to->sync_max_ns = from->sync_max_ns;
	iob_diskstat_add(&to->disk, &from->disk);
	to->disk_ns += from->disk_ns;
	to->cpu_ns += from->cpu_ns;
}

static void close_newest(struct iob_ledger *l, uint64_t to_ns)
{
	if (!iob_ledger_is_open(l))
		return;
	struct iob_segment *s = &l->segment[l->announced - 1];
	s->to_ns = to_ns > s->from_ns ? to_ns : s->from_ns;
	if (s->to_ns == 0)
		s->to_ns = 1; /* 0 says open */
	if (s->kind == IOB_SEGMENT_LOAD) {
		l->load_ns += s->to_ns - s->from_ns;
		l->total.to_ns = s->to_ns;
	}
}

int iob_ledger_segment(struct iob_ledger *l, uint32_t id, uint32_t stage,
	enum iob_segment_kind kind, uint64_t from_ns)
{
	if (id != l->announced)
		return -EINVAL;
	if (!make_room(l, id))
		return -ENOMEM;
	close_newest(l, from_ns);
	struct iob_segment *s = &l->segment[id];
	if (id && from_ns < l->segment[id - 1].to_ns)
		from_ns = l->segment[id - 1].to_ns;
	s->id = id;
	s->stage = stage;
	s->kind = kind;
	s->from_ns = from_ns;
	l->announced++;
	l->idle_from = kind == IOB_SEGMENT_PAUSED ? interval_after(l, from_ns) : SIZE_MAX;
	label(l, interval_of(l, from_ns));
	if (kind == IOB_SEGMENT_LOAD) {
		if (l->total.from_ns == 0)
			l->total.from_ns = from_ns;
		iob_ledger_merge(&l->total, s); /* what came before it was announced */
	}
	return 0;
}

void iob_ledger_close_segment(struct iob_ledger *l, uint64_t to_ns)
{
	if (!iob_ledger_is_open(l))
		return;
	close_newest(l, to_ns);
	size_t idle = interval_after(l, to_ns);
	if (idle < l->idle_from)
		l->idle_from = idle;
	label(l, l->idle_from);
}

static struct iob_tally tally_of(const struct iob_dir_counts *c)
{
	return (struct iob_tally){
		.ios = c->ios,
		.bytes = c->bytes,
		.issued = c->issued,
		.shorts = c->shorts,
		.zeros = c->zeros,
		.errors = c->errors,
		.lat = {c->ios, c->sum_ns, c->sum_squares, c->min_ns, c->max_ns},
	};
}

static uint64_t part_of(uint64_t v, uint32_t part, uint32_t parts)
{
	uint64_t each = v / parts;

	return part == parts - 1 ? v - each * (parts - 1) : each;
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
	return s;
}

static void enter_segment(struct iob_segment *s, const struct iob_popped *p)
{
	const struct iob_sample_entry *entry = p->entry;

	for (int d = 0; d < IOB_NDIR; d++) {
		struct iob_tally t = tally_of(&p->head.dir[d]);

		iob_tally_add(&s->dir[d], &t);
		iob_hist_add_entries(&s->hist[d], entry, p->head.n_entries[d]);
		entry += p->head.n_entries[d];
	}
	s->syncs += p->head.syncs;
	s->sync_sum_ns += p->head.sync_sum_ns;
	if (p->head.sync_max_ns > s->sync_max_ns)
		s->sync_max_ns = p->head.sync_max_ns;
	s->cpu_ns += p->head.cpu_ns;
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

static void close_next(struct iob_ledger *l)
{
	const struct iob_window_slot *slot = iob_window_find(&l->window, l->closed);

	if (slot)
		iob_window_close(slot, &l->timeline.entry[l->closed]);
	l->closed++;
}

/* One interval's part of a sample. */
static void enter_interval(struct iob_ledger *l, const struct iob_popped *p, uint32_t segment,
	size_t k, uint32_t part, uint32_t parts)
{
	const struct iob_sample_entry *entry = p->entry;
	struct iob_interval *e = entry_at(l, k);

	if (!e)
		return;
	while (k >= IOB_WINDOW_INTERVALS && l->closed <= k - IOB_WINDOW_INTERVALS &&
		l->closed < l->timeline.count)
		close_next(l);
	struct iob_window_slot *slot = iob_window_at(&l->window, k);
	if (e->segment < segment)
		e->segment = segment;
	if (parts > 1)
		e->flags |= IOB_INTERVAL_SPREAD;
	e->syncs += (uint32_t)part_of(p->head.syncs, part, parts);
	for (int d = 0; d < IOB_NDIR; d++) {
		struct iob_tally all = tally_of(&p->head.dir[d]);
		struct iob_deal deal = {entry, p->head.n_entries[d], all.ios, part, parts};

		enter_direction(e, slot, (enum iob_dir)d, &all, &deal);
		entry += p->head.n_entries[d];
	}
	if (k >= l->closed)
		return;
	e->flags |= IOB_INTERVAL_LATE;
	if (slot)
		iob_window_close(slot, e);
	if (k < l->stall.next)
		l->stall = (struct iob_stall_scan){0};
}

static uint32_t segment_for(struct iob_ledger *l, uint32_t id)
{
	uint32_t newest = l->announced ? (uint32_t)(l->announced - 1) : 0;

	return id <= newest + AHEAD && make_room(l, id) ? id : newest;
}

static void note_worker(
	struct iob_ledger *l, unsigned worker, const struct iob_sample *h, size_t k, bool load)
{
	struct iob_ledger_worker *w = &l->worker[worker];

	w->reported = k;
	w->delivered = true;
	w->silent = false;
	w->ended = h->flags & IOB_SAMPLE_LAST;
	if (load)
		w->cpu_ns += h->cpu_ns;
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
	size_t newest = interval_of(l, now_ns) + 1;
	size_t k = p->head.interval < newest ? p->head.interval : newest;
	uint32_t id = segment_for(l, p->head.segment);
	struct iob_segment *s = &l->segment[id];
	bool load = id < l->announced && s->kind == IOB_SEGMENT_LOAD;

	enter_segment(s, p);
	if (load)
		enter_segment(&l->total, p);
	if (worker < l->nworkers)
		note_worker(l, worker, &p->head, k, load);
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

static void disk_to_segment(
	struct iob_ledger *l, struct iob_segment *s, const struct iob_diskstat *delta, uint64_t ns)
{
	iob_diskstat_add(&s->disk, delta);
	s->disk_ns += ns;
	if (s->kind == IOB_SEGMENT_LOAD) {
		iob_diskstat_add(&l->total.disk, delta);
		l->total.disk_ns += ns;
	}
}

void iob_ledger_disk(struct iob_ledger *l, const struct iob_ledger_disk *r)
{
	struct iob_interval *e = entry_at(l, r->k);

	if (e) {
		iob_diskstat_add(&e->disk, &r->delta);
		if (r->complete)
			e->flags |= IOB_INTERVAL_DISK;
	}
	if (l->announced == 0)
		return;
	struct iob_segment *s = &l->segment[l->announced - 1];
	if (s->to_ns && s->to_ns <= r->from_ns)
		return;
	struct iob_diskstat rest = r->delta;
	uint64_t from_ns = r->from_ns;
	if (s->from_ns > r->from_ns && s->from_ns <= r->to_ns) {
		struct iob_segment *before = s->id ? s - 1 : NULL;

		/* After a gap in which no segment was in force all of it is the new one's: the
		 * counters move when the load does. */
		if (before && before->to_ns == s->from_ns) {
			struct iob_diskstat first;
			uint64_t ns = s->from_ns - r->from_ns;

			iob_diskstat_split(&first, &rest, &r->delta,
				(double)ns / (double)(r->to_ns - r->from_ns));
			disk_to_segment(l, before, &first, ns);
		}
		from_ns = s->from_ns;
	}
	uint64_t to_ns = s->to_ns && s->to_ns < r->to_ns ? s->to_ns : r->to_ns;
	disk_to_segment(l, s, &rest, to_ns > from_ns ? to_ns - from_ns : 0);
}

/* May the next interval be closed?  At once when everybody has reported it; after another interval
 * when some worker is not expected to (ended, silent: one that starts up again is not to be late);
 * after a second in any case. */
static bool is_due(struct iob_ledger *l, uint64_t now_ns)
{
	uint64_t end = start_of(l, l->closed + 1);
	bool all = true;

	if (now_ns < end)
		return false;
	bool overdue = now_ns - end >= IOB_NS_PER_S;
	for (unsigned i = 0; i < l->nworkers; i++) {
		struct iob_ledger_worker *w = &l->worker[i];

		if (w->delivered && w->reported >= l->closed)
			continue;
		all = false;
		if (w->ended || w->silent)
			continue;
		if (!overdue)
			return false;
		w->silent = true;
	}
	return all || now_ns - end >= IOB_INTERVAL_NS;
}

void iob_ledger_advance(struct iob_ledger *l, uint64_t now_ns)
{
	size_t current = interval_of(l, now_ns);

	if (l->t0_ns == 0)
		return;
	if (current > l->timeline.count)
		entry_at(l, current - 1);
	while (l->closed < l->timeline.count && is_due(l, now_ns))
		close_next(l);
}

void iob_ledger_finish(struct iob_ledger *l, uint64_t now_ns)
{
	iob_ledger_advance(l, now_ns);
	while (l->closed < l->timeline.count)
		close_next(l);
}
