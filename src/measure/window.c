/* SPDX-License-Identifier: MIT */
#include "measure/window.h"

#include <stdlib.h>
#include <string.h>

static void renew(struct iob_window_slot *s, size_t interval)
{
	memset(s->dir, 0, sizeof(s->dir));
	for (int d = 0; d < IOB_NDIR; d++) {
		if (s->hist[d] && s->hist[d]->total)
			memset(s->hist[d], 0, sizeof(*s->hist[d]));
		if (s->intended[d] && s->intended[d]->total)
			memset(s->intended[d], 0, sizeof(*s->intended[d]));
	}
	s->used = true;
	s->interval = interval;
}

struct iob_window_slot *iob_window_at(struct iob_window *w, size_t interval)
{
	struct iob_window_slot *s = &w->slot[interval % iob_window_width(w)];

	if (s->used && s->interval > interval)
		return NULL;
	if (!s->used || s->interval != interval)
		renew(s, interval);
	return s;
}

const struct iob_window_slot *iob_window_find(const struct iob_window *w, size_t interval)
{
	const struct iob_window_slot *s = &w->slot[interval % iob_window_width(w)];

	return s->used && s->interval == interval ? s : NULL;
}

void iob_window_free(struct iob_window *w)
{
	for (int i = 0; i < IOB_WINDOW_INTERVALS; i++)
		for (int d = 0; d < IOB_NDIR; d++) {
			free(w->slot[i].hist[d]);
			free(w->slot[i].intended[d]);
		}
	memset(w, 0, sizeof(*w));
}

static struct iob_hist *make(struct iob_hist **hist)
{
	if (!*hist)
		*hist = calloc(1, sizeof(**hist));
	return *hist;
}

void iob_hist_add_entries(
	struct iob_hist **hist, const struct iob_sample_entry *entry, uint32_t entries)
{
	if (entries == 0 || !make(hist))
		return;
	for (uint32_t i = 0; i < entries; i++) {
		(*hist)->count[entry[i].index] += entry[i].count;
		(*hist)->total += entry[i].count;
	}
}

/* How many of the items 0..end-1 are dealt to the part. */
static uint64_t dealt_before(const struct iob_deal *deal, uint64_t end)
{
	uint64_t rounds = deal->n / deal->parts * deal->parts;
	uint64_t rest = end > rounds ? end - rounds : 0;
	uint64_t upto = end - rest;
	uint64_t mine = upto / deal->parts + (upto % deal->parts > deal->part);

	return deal->part == deal->parts - 1 ? mine + rest : mine;
}

static void add_part(struct iob_hist **hist, const struct iob_deal *deal)
{
	uint64_t position = 0;

	if (deal->parts == 1) {
		iob_hist_add_entries(hist, deal->entry, deal->entries);
		return;
	}
	for (uint32_t i = 0; i < deal->entries; i++) {
		uint64_t end = position + deal->entry[i].count;
		uint64_t mine = dealt_before(deal, end) - dealt_before(deal, position);
		struct iob_sample_entry part = {deal->entry[i].index, (uint32_t)mine};

		if (mine)
			iob_hist_add_entries(hist, &part, 1);
		position = end;
	}
}

void iob_window_add(struct iob_window_slot *s, enum iob_dir dir, const struct iob_deal *deal,
	const struct iob_tally *share)
{
	iob_tally_add(&s->dir[dir], share);
	add_part(&s->hist[dir], deal);
}

void iob_window_add_intended(
	struct iob_window_slot *s, enum iob_dir dir, const struct iob_deal *deal)
{
	add_part(&s->intended[dir], deal);
}

void iob_window_close(const struct iob_window_slot *s, struct iob_interval *e)
{
	static const double percent[] = {50, 99, 99.9};

	for (int d = 0; d < IOB_NDIR; d++) {
		const struct iob_moments *m = &s->dir[d].lat;
		uint64_t value[3] = {0};

		if (m->n && s->hist[d])
			iob_hist_percentiles(s->hist[d], percent, 3, m->min_ns, m->max_ns, value);
		e->dir[d].p50_ns = value[0];
		e->dir[d].p99_ns = value[1];
		e->dir[d].p999_ns = value[2];
	}
}
