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

bool iob_ledger_loads_at(const struct iob_ledger *l, uint64_t ns)
{
	size_t i = l->announced;

	while (i > 0 && l->segment[i - 1].from_ns > ns)
		i--;
	if (i == 0 || l->segment[i - 1].kind != IOB_SEGMENT_LOAD)
		return false;
	return l->segment[i - 1].to_ns == 0 || ns < l->segment[i - 1].to_ns;
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
	if (s->kind == IOB_SEGMENT_LOAD)
		l->total.to_ns = s->to_ns;
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

static void disk_to_entry(
	struct iob_ledger *l, size_t k, const struct iob_diskstat *delta, bool complete)
{
	struct iob_interval *e = iob_ledger_entry(l, k);

	if (!e)
		return;
	iob_diskstat_add(&e->disk, delta);
	if (complete)
		e->flags |= IOB_INTERVAL_DISK;
}

/* A reading that came late covers several intervals: each gets its share of the time. */
static void disk_to_timeline(struct iob_ledger *l, const struct iob_ledger_disk *r)
{
	struct iob_diskstat rest = r->delta;
	uint64_t from_ns = r->from_ns;

	for (size_t k = iob_ledger_interval_of(l, from_ns); k < r->k; k++) {
		uint64_t end_ns = iob_ledger_start_of(l, k + 1);
		struct iob_diskstat whole = rest, part;

		iob_diskstat_split(&part, &rest, &whole,
			(double)(end_ns - from_ns) / (double)(r->to_ns - from_ns));
		disk_to_entry(l, k, &part, true);
		from_ns = end_ns;
	}
	disk_to_entry(l, r->k, &rest, r->complete);
}

void iob_ledger_disk(struct iob_ledger *l, const struct iob_ledger_disk *r)
{
	disk_to_timeline(l, r);
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
