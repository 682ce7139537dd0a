/* SPDX-License-Identifier: MIT */
#include "measure/timeline.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 640 /* a minute and a bit */

static bool make_room(struct iob_timeline *t, size_t want)
{
	size_t room = t->room ? t->room : FIRST_ROOM;

	while (room < want) {
		if (room > SIZE_MAX / sizeof(*t->entry) / 2)
			return false;
		room += room / 2;
	}
	if (room == t->room)
		return true;
	struct iob_interval *entry = realloc(t->entry, room * sizeof(*entry));
	if (!entry)
		return false;
	t->entry = entry;
	t->room = room;
	return true;
}

struct iob_interval *iob_timeline_at(struct iob_timeline *t, size_t k)
{
	if (k >= t->count) {
		if (k == SIZE_MAX || !make_room(t, k + 1))
			return NULL;
		memset(t->entry + t->count, 0, (k + 1 - t->count) * sizeof(*t->entry));
		t->count = k + 1;
	}
	return &t->entry[k];
}

void iob_timeline_free(struct iob_timeline *t)
{
	free(t->entry);
	*t = (struct iob_timeline){0};
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void fold_dir(struct iob_interval_dir *to, const struct iob_interval_dir *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->sum_ns += from->sum_ns;
	to->p50_ns = larger(to->p50_ns, from->p50_ns);
	to->p99_ns = larger(to->p99_ns, from->p99_ns);
	to->p999_ns = larger(to->p999_ns, from->p999_ns);
	to->max_ns = larger(to->max_ns, from->max_ns);
}

void iob_timeline_fold(struct iob_interval *out, const struct iob_interval *entry, size_t n)
{
	const uint32_t whole = IOB_INTERVAL_IDLE | IOB_INTERVAL_GAP;
	uint32_t all = n ? whole : 0;

	*out = (struct iob_interval){0};
	for (size_t i = 0; i < n; i++) {
		const struct iob_interval *e = &entry[i];

		if (e->segment > out->segment)
			out->segment = e->segment;
		/* A stretch is idle, or a gap, only if all of it was; the rest holds if any of it
		 * has it. */
		out->flags |= e->flags & ~whole;
		all &= e->flags;
		out->errors += e->errors;
		out->syncs += e->syncs;
		for (int d = 0; d < IOB_NDIR; d++)
			fold_dir(&out->dir[d], &e->dir[d]);
		iob_diskstat_add(&out->disk, &e->disk);
	}
	out->flags |= all;
}
