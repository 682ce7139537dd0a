/* SPDX-License-Identifier: MIT */
#include "measure/worker_view.h"

#include <string.h>

#define INTERVALS_PER_SECOND (1000000000 / IOB_INTERVAL_NS)
#define FOLD                 (64 / 16) /* buckets of the histogram in one of ours */

static unsigned fold(unsigned index)
{
	unsigned bucket = index / FOLD;

	return bucket < IOB_WORKER_BUCKETS ? bucket : IOB_WORKER_BUCKETS - 1;
}

void iob_worker_seconds_add(
	struct iob_worker_seconds *w, const struct iob_popped *p, size_t interval)
{
	uint64_t number = interval / INTERVALS_PER_SECOND + 1;
	struct iob_worker_second *s = &w->turn[number % 2];
	uint64_t entries = 0;

	if (s->second > number)
		return; /* far too late to be shown */
	if (s->second != number)
		memset(s, 0, sizeof(*s));
	s->second = number;
	s->cpu_ns += p->head.cpu_ns;
	for (int d = 0; d < IOB_NDIR; d++) {
		s->ios += p->head.dir[d].ios;
		if (p->head.dir[d].ios && p->head.dir[d].max_ns > s->max_ns)
			s->max_ns = p->head.dir[d].max_ns;
		entries += p->head.n_entries[d];
	}
	for (uint64_t i = 0; i < entries; i++)
		s->count[fold(p->entry[i].index)] += p->entry[i].count;
}

static uint64_t p99_of(const struct iob_worker_second *s)
{
	uint64_t total = 0, seen = 0;

	for (unsigned i = 0; i < IOB_WORKER_BUCKETS; i++)
		total += s->count[i];
	for (unsigned i = 0; i < IOB_WORKER_BUCKETS; i++) {
		seen += s->count[i];
		if (total && seen * 100 >= total * 99) {
			uint64_t mid = iob_hist_mid(i * FOLD + FOLD / 2);

			return mid < s->max_ns ? mid : s->max_ns;
		}
	}
	return 0;
}

void iob_worker_seconds_view(
	const struct iob_worker_seconds *w, size_t interval, struct iob_worker_view *out)
{
	uint64_t number = interval / INTERVALS_PER_SECOND; /* the one before, plus 1 */
	const struct iob_worker_second *s = &w->turn[number % 2];

	memset(out, 0, sizeof(*out));
	if (number == 0 || s->second != number)
		return;
	out->iops = (double)s->ios;
	out->cpu = (double)s->cpu_ns / 1e9;
	out->p99_ns = p99_of(s);
}
