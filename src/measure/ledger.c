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
	l->nworkers = l->expected = nworkers;
	return 0;
}

static void free_hists(struct iob_segment *s)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		free(s->hist[d]);
		free(s->intended[d]);
	}
}

void iob_ledger_free(struct iob_ledger *l)
{
	for (size_t i = 0; l->segment && i < l->room; i++)
		free_hists(&l->segment[i]);
	free_hists(&l->total);
	free(l->segment);
	free(l->worker);
	iob_window_free(&l->window);
	iob_heat_free(&l->heat);
	iob_timeline_free(&l->timeline);
	memset(l, 0, sizeof(*l));
}

void iob_ledger_scan_again(struct iob_ledger *l, size_t k)
{
	if (k < l->stall.next)
		l->stall = (struct iob_stall_scan){0};
}

/* The newest segment and whether a stage runs, for entries from k on. */
static void label(struct iob_ledger *l, size_t k)
{
	uint32_t newest = l->announced ? (uint32_t)(l->announced - 1) : 0;

	iob_ledger_scan_again(l, k);
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

struct iob_interval *iob_ledger_entry(struct iob_ledger *l, size_t k)
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

bool iob_ledger_make_room(struct iob_ledger *l, size_t id)
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

static void merge_hist(struct iob_hist **to, const struct iob_hist *from)
{
	if (!from)
		return;
	if (!*to)
		*to = calloc(1, sizeof(**to));
	if (*to)
		iob_hist_add(*to, from);
}

void iob_ledger_merge(struct iob_segment *to, const struct iob_segment *from)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		iob_tally_add(&to->dir[d], &from->dir[d]);
		merge_hist(&to->hist[d], from->hist[d]);
		merge_hist(&to->intended[d], from->intended[d]);
	}
	iob_behind_note(&to->behind, &from->behind);
	to->syncs += from->syncs;
	to->sync_sum_ns += from->sync_sum_ns;
	if (from->sync_max_ns > to->sync_max_ns)
		to->sync_max_ns = from->sync_max_ns;
	iob_diskstat_add(&to->disk, &from->disk);
	for (int d = 0; d < 2; d++)
		to->beside[d] += from->beside[d];
	to->disk_ns += from->disk_ns;
	to->cpu_ns += from->cpu_ns;
	iob_thin_note(&to->thin_from, from->thin_from);
}

static void add_to_segment(struct iob_segment *s, const struct iob_ledger_disk *r, uint64_t ns)
{
	iob_diskstat_add(&s->disk, &r->delta);
	s->beside[IOB_READ] += r->beside.read_sectors;
	s->beside[IOB_WRITE] += r->beside.write_sectors;
	s->disk_ns += ns;
}

static void close_newest(struct iob_ledger *l, uint64_t to_ns)
{
	if (!iob_ledger_is_open(l))
		return;
	struct iob_segment *s = &l->segment[l->announced - 1];
	s->to_ns = to_ns > s->from_ns ? to_ns : s->from_ns;
	if (s->to_ns == 0)
		s->to_ns = 1; /* 0 says open */
	/* The disk was read after the end, before that was known. */
	uint64_t length = s->to_ns - s->from_ns,
		 past = s->disk_ns > length ? s->disk_ns - length : 0;
	s->disk_ns -= past;
	if (s->kind == IOB_SEGMENT_LOAD) {
		l->total.to_ns = s->to_ns;
		l->total.disk_ns -= past;
	}
}

/* The disk was read after the segment had begun, before that was known.  The counters move when the
 * load does: of the reading in which it began all belongs to it. */
static void take_loose(struct iob_ledger *l, struct iob_segment *s)
{
	size_t oldest = l->nloose > IOB_LEDGER_LOOSE ? l->nloose - IOB_LEDGER_LOOSE : 0;

	for (size_t i = oldest; i < l->nloose; i++) {
		struct iob_ledger_disk *r = &l->loose[i % IOB_LEDGER_LOOSE];

		if (r->to_ns <= s->from_ns)
			continue;
		if (r->from_ns < s->from_ns)
			r->from_ns = s->from_ns;
		add_to_segment(s, r, r->to_ns - r->from_ns);
	}
	l->nloose = 0;
}

int iob_ledger_segment(struct iob_ledger *l, uint32_t id, uint32_t stage,
	enum iob_segment_kind kind, uint64_t from_ns)
{
	if (id != l->announced)
		return -EINVAL;
	if (!iob_ledger_make_room(l, id))
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
	take_loose(l, s);
	l->idle_from = kind == IOB_SEGMENT_PAUSED ? iob_ledger_after(l, from_ns) : SIZE_MAX;
	label(l, iob_ledger_interval_of(l, from_ns));
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
	size_t idle = iob_ledger_after(l, to_ns);
	if (idle < l->idle_from)
		l->idle_from = idle;
	label(l, l->idle_from);
}

void iob_ledger_heat_up(struct iob_ledger *l, const struct iob_window_slot *slot, size_t k)
{
	struct iob_heat *heat = iob_heat_renew(&l->heat, k);

	for (int d = 0; heat && slot && d < IOB_NDIR; d++)
		if (slot->dir[d].ios && slot->hist[d])
			iob_heat_add(heat, slot->hist[d]);
}

void iob_ledger_close_next(struct iob_ledger *l)
{
	const struct iob_window_slot *slot = iob_window_find(&l->window, l->closed);

	if (slot)
		iob_window_close(slot, &l->timeline.entry[l->closed]);
	iob_ledger_heat_up(l, slot, l->closed);
	l->closed++;
}

/* The first part of a reading, up to a time in it; *rest is what is left of it. */
static void split(struct iob_ledger_disk *first, struct iob_ledger_disk *rest, uint64_t at_ns)
{
	struct iob_ledger_disk whole = *rest;
	double share = (double)(at_ns - whole.from_ns) / (double)(whole.to_ns - whole.from_ns);

	*first = whole;
	iob_diskstat_split(&first->delta, &rest->delta, &whole.delta, share);
	iob_diskstat_split(&first->beside, &rest->beside, &whole.beside, share);
	first->to_ns = rest->from_ns = at_ns;
}

static void disk_to_segment(
	struct iob_ledger *l, struct iob_segment *s, const struct iob_ledger_disk *r, uint64_t ns)
{
	add_to_segment(s, r, ns);
	if (s->kind == IOB_SEGMENT_LOAD)
		add_to_segment(&l->total, r, ns);
}

static void disk_to_entry(
	struct iob_ledger *l, size_t k, const struct iob_ledger_disk *r, uint32_t flags)
{
	struct iob_interval *e = iob_ledger_entry(l, k);

	if (!e)
		return;
	iob_diskstat_add(&e->disk, &r->delta);
	e->beside[IOB_READ] += (uint32_t)r->beside.read_sectors;
	e->beside[IOB_WRITE] += (uint32_t)r->beside.write_sectors;
	e->flags |= flags;
}

/* A reading that came late covers several intervals: each gets its share of the time. */
static void disk_to_timeline(struct iob_ledger *l, const struct iob_ledger_disk *r)
{
	struct iob_ledger_disk rest = *r, part;
	uint32_t late = 0;

	for (size_t k = iob_ledger_interval_of(l, r->from_ns); k < r->k; k++) {
		split(&part, &rest, iob_ledger_start_of(l, k + 1));
		late = IOB_INTERVAL_DISK_LATE;
		disk_to_entry(l, k, &part, late | IOB_INTERVAL_DISK);
	}
	disk_to_entry(l, r->k, &rest, late | (r->complete ? IOB_INTERVAL_DISK : 0));
}

void iob_ledger_disk(struct iob_ledger *l, const struct iob_ledger_disk *r)
{
	if (l->t0_ns && r->to_ns >= l->t0_ns)
		disk_to_timeline(l, r);
	struct iob_segment *s = l->announced ? &l->segment[l->announced - 1] : NULL;
	if (!s || (s->to_ns && s->to_ns <= r->from_ns)) {
		l->loose[l->nloose++ % IOB_LEDGER_LOOSE] = *r;
		return;
	}
	struct iob_ledger_disk rest = *r;
	if (s->from_ns > r->from_ns && s->from_ns <= r->to_ns) {
		struct iob_segment *before = s->id ? s - 1 : NULL;

		/* After a gap in which no segment was in force all of it is the new one's: the
		 * counters move when the load does. */
		if (before && before->to_ns == s->from_ns) {
			struct iob_ledger_disk first;

			split(&first, &rest, s->from_ns);
			disk_to_segment(l, before, &first, first.to_ns - first.from_ns);
		}
		rest.from_ns = s->from_ns;
	}
	uint64_t to_ns = s->to_ns && s->to_ns < r->to_ns ? s->to_ns : r->to_ns;
	disk_to_segment(l, s, &rest, to_ns > rest.from_ns ? to_ns - rest.from_ns : 0);
}

/* May the next interval be closed?  At once when everybody has reported it; after another interval
 * when some worker is not expected to (ended, silent: one that starts up again is not to be late);
 * after a second in any case. */
static bool is_due(struct iob_ledger *l, uint64_t now_ns)
{
	uint64_t end = iob_ledger_start_of(l, l->closed + 1);
	bool all = true;

	if (now_ns < end)
		return false;
	bool overdue = now_ns - end >= IOB_NS_PER_S;
	for (unsigned i = 0; i < l->nworkers && i < l->expected; i++) {
		struct iob_ledger_worker *w = &l->worker[i];

		if (w->complete > l->closed)
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
	size_t current = iob_ledger_interval_of(l, now_ns);

	if (l->t0_ns == 0)
		return;
	if (current > l->timeline.count)
		iob_ledger_entry(l, current - 1);
	while (l->closed < l->timeline.count && is_due(l, now_ns))
		iob_ledger_close_next(l);
}

void iob_ledger_finish(struct iob_ledger *l, uint64_t now_ns)
{
	iob_ledger_advance(l, now_ns);
	while (l->closed < l->timeline.count)
		iob_ledger_close_next(l);
}
