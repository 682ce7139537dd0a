/* SPDX-License-Identifier: MIT */
/* Follows the timeline, so that a verdict on the course of a run costs the same after a day. */
#include <config.h>

#include "run/private.h"

/* The newest may still grow, when a worker was blocked; a second is more than enough. */
#define LAG   10
#define BATCH 32

static uint64_t length(const struct iob_steady *s)
{
	return (uint64_t)s->span * s->count;
}

static void add(struct iob_steady *s, const struct iob_interval *e)
{
	double ios = 0, bytes = 0;

	for (int d = 0; d < IOB_NDIR; d++) {
		ios += (double)e->dir[d].ios;
		bytes += (double)e->dir[d].bytes;
	}
	iob_steady_add(s, ios, bytes);
}

/* Intervals that lie in [from, to) with all of their time. */
static void feed(struct iob_course *c, struct iob_run *run, size_t from, size_t to)
{
	struct iob_interval batch[BATCH];

	if (c->next < from)
		c->next = from;
	while (c->next < to) {
		size_t want = to - c->next < BATCH ? to - c->next : BATCH;
		size_t n = iob_run_timeline(run, c->next, batch, want);

		if (n == 0)
			return;
		for (size_t i = 0; i < n; i++)
			if (!(batch[i].flags & IOB_INTERVAL_GAP))
				add(&c->now, &batch[i]);
		c->next += n;
	}
}

void iob_course_follow(struct iob_course *c, struct iob_run *run, const struct iob_snapshot *snap)
{
	struct iob_segment_figures s;
	struct iob_segment_params p;
	uint64_t have = snap->view.intervals, t0 = snap->view.t0_ns;
	/* What lies behind the last sign of life may turn out to be a gap. */
	uint64_t beat = atomic_load(&run->shared->heartbeat_ns);
	uint64_t heard = beat > t0 ? (beat - t0) / IOB_INTERVAL_NS : 0;

	for (; c->segment < snap->view.nsegments; c->segment++) {
		if (!iob_run_segment(run, c->segment, &s, &p))
			return;
		size_t from = (s.from_ms + IOB_INTERVAL_MS - 1) / IOB_INTERVAL_MS;
		size_t to = s.open ? (have > LAG ? have - LAG : 0) : s.to_ms / IOB_INTERVAL_MS;

		if (s.open && to > heard)
			to = (size_t)heard;
		/* Work that is not evenly divided ends so: that is no course of the device. */
		if (s.thin_ms && to > s.thin_ms / IOB_INTERVAL_MS)
			to = s.thin_ms / IOB_INTERVAL_MS;
		if (p.kind == IOB_SEGMENT_LOAD)
			feed(c, run, from, to);
		if (s.open)
			return;
		if (length(&c->now) > length(&c->longest))
			c->longest = c->now;
		c->now = (struct iob_steady){0};
	}
}

const struct iob_steady *iob_course_longest(const struct iob_course *c)
{
	return length(&c->now) > length(&c->longest) ? &c->now : &c->longest;
}
