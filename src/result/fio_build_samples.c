/* SPDX-License-Identifier: MIT */
/*
 * Samples of bandwidth and IOPS from the timelines of the clones.  Each timeline has its own grid;
 * they are laid over each other to the nearest interval, so that what an entry did together in a
 * window is known.  A window in which nothing came back is a sample of zero.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "measure/running.h"
#include "result/fio_build.h"

#define CHUNK 256

/* One interval of measuring. */
struct slot {
	bool measured;
	uint64_t ios[IOB_NDIR + 1], bytes[IOB_NDIR + 1]; /* the last: all together */
};

struct line {
	struct slot *slot; /* owned */
	size_t count, room;
};

static struct slot *slot_at(struct line *l, size_t k)
{
	if (k >= l->room) {
		size_t room = (k + 1) * 2;
		struct slot *grown = realloc(l->slot, room * sizeof(*grown));

		if (!grown)
			return NULL;
		memset(grown + l->room, 0, (room - l->room) * sizeof(*grown));
		l->slot = grown;
		l->room = room;
	}
	if (k >= l->count)
		l->count = k + 1;
	return &l->slot[k];
}

/* What of the timeline is whole intervals of the load segment. */
static bool load_span(struct iob_run *run, size_t *from, size_t *to)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;
	bool found = false;

	for (uint32_t id = 0; iob_run_segment(run, id, &f, &p); id++) {
		if (f.kind != IOB_SEGMENT_LOAD)
			continue;
		if (!found)
			*from = (f.from_ms + IOB_INTERVAL_MS - 1) / IOB_INTERVAL_MS;
		*to = f.to_ms / IOB_INTERVAL_MS;
		found = true;
	}
	return found;
}

static void add_interval(struct slot *s, const struct iob_interval *in)
{
	s->measured = true;
	for (int d = 0; d < IOB_NDIR; d++) {
		s->ios[d] += in->dir[d].ios;
		s->bytes[d] += in->dir[d].bytes;
		s->ios[IOB_NDIR] += in->dir[d].ios;
		s->bytes[IOB_NDIR] += in->dir[d].bytes;
	}
}

/* Add a clone's intervals, `shift` intervals later; the line begins at `first`. */
static int add_timeline(struct line *l, struct iob_run *run, size_t shift, size_t first)
{
	size_t skip = first > shift ? first - shift : 0;
	IOB_FREE struct iob_interval *chunk = malloc(CHUNK * sizeof(*chunk));
	size_t from = 0, to = 0, n;

	if (!chunk)
		return -ENOMEM;
	if (!load_span(run, &from, &to))
		return 0;
	from = from > skip ? from : skip;
	for (size_t at = from; at < to; at += n) {
		size_t want = to - at < CHUNK ? to - at : CHUNK;

		n = iob_run_timeline(run, at, chunk, want);
		for (size_t i = 0; i < n; i++) {
			struct slot *s = slot_at(l, at + i + shift - first);

			if (!s)
				return -ENOMEM;
			add_interval(s, &chunk[i]);
		}
		if (n == 0)
			break;
	}
	return 0;
}

enum figure { BANDWIDTH, IOPS };

static double rate_of(enum figure figure, uint64_t ios, uint64_t bytes, size_t intervals)
{
	double seconds = (double)intervals * (double)IOB_INTERVAL_NS / 1e9;

	return figure == IOPS ? (double)ios / seconds : (double)bytes / 1024 / seconds;
}

/* Windows of `width` intervals of measuring; a line that is shorter is one window. */
static void sample(
	const struct line *l, enum figure figure, int dir, size_t width, struct iob_running *out)
{
	uint64_t ios = 0, bytes = 0;
	size_t n = 0;

	for (size_t k = 0; k < l->count; k++) {
		if (!l->slot[k].measured)
			continue;
		ios += l->slot[k].ios[dir];
		bytes += l->slot[k].bytes[dir];
		if (++n < width)
			continue;
		iob_running_add(out, rate_of(figure, ios, bytes, n));
		ios = bytes = n = 0;
	}
	if (out->n == 0 && n > 0)
		iob_running_add(out, rate_of(figure, ios, bytes, n));
}

/* What fio adds up over the members. */
struct sums {
	uint64_t n;
	double mean, m2;
};

struct work {
	struct line all, one;
	uint64_t t0_ns; /* of the earliest member */
	struct sums sums[2][IOB_NDIR + 1];
	size_t width[2]; /* intervals of a window */
};

static uint64_t origin(struct iob_run *run)
{
	struct iob_recorder_view view;

	iob_recorder_view(iob_run_recorder(run), &view);
	return view.t0_ns;
}

static void find_origin(struct work *w, const struct iob_fio_members *m)
{
	for (unsigned i = 0; i < m->count; i++) {
		struct iob_run *run = m->fleet->clone[m->first + i].run;
		uint64_t t0 = run ? origin(run) : 0;

		if (t0 && (w->t0_ns == 0 || t0 < w->t0_ns))
			w->t0_ns = t0;
	}
}

static void add_sums(struct work *w)
{
	for (int figure = 0; figure < 2; figure++)
		for (int d = 0; d <= IOB_NDIR; d++) {
			struct iob_running r = {0};

			sample(&w->one, (enum figure)figure, d, w->width[figure], &r);
			w->sums[figure][d].n += r.n;
			w->sums[figure][d].mean += r.mean;
			w->sums[figure][d].m2 += r.m2;
		}
}

/* How many intervals later than the earliest the run began. */
static size_t shift_of(const struct work *w, uint64_t t0)
{
	return (size_t)((t0 - w->t0_ns + IOB_INTERVAL_NS / 2) / IOB_INTERVAL_NS);
}

static int add_member(struct work *w, struct iob_run *run)
{
	uint64_t t0 = origin(run);

	if (!t0)
		return 0;
	memset(w->one.slot, 0, w->one.room * sizeof(*w->one.slot));
	w->one.count = 0;
	int rc = add_timeline(&w->one, run, 0, 0);
	if (rc == 0)
		rc = add_timeline(&w->all, run, shift_of(w, t0), 0);
	if (rc == 0)
		add_sums(w);
	return rc;
}

static void conclude(const struct work *w, enum figure figure, int d, struct iob_fio_samples *out)
{
	const struct sums *s = &w->sums[figure][d];
	struct iob_running together = {0};

	sample(&w->all, figure, d, w->width[figure], &together);
	out->n = s->n;
	out->min = together.min;
	out->max = together.max;
	out->mean = s->mean;
	out->dev = iob_running_dev(s->n, s->m2);
}

static size_t width_of(uint64_t ms)
{
	size_t n = (size_t)((ms + IOB_INTERVAL_MS / 2) / IOB_INTERVAL_MS);

	return n ? n : 1;
}

static int add_members(struct work *w, const struct iob_fio_members *m)
{
	int rc = slot_at(&w->one, 0) ? 0 : -ENOMEM;

	find_origin(w, m);
	for (unsigned i = 0; i < m->count && rc == 0 && w->t0_ns; i++) {
		struct iob_run *run = m->fleet->clone[m->first + i].run;

		if (run)
			rc = add_member(w, run);
	}
	return rc;
}

ssize_t iob_fio_build_bandwidth(const struct iob_fio_members *m, size_t from,
	struct iob_fio_bandwidth **out, struct iob_error *err)
{
	struct work w = {.t0_ns = 0};
	int rc = 0;

	find_origin(&w, m);
	for (unsigned i = 0; i < m->count && rc == 0; i++) {
		struct iob_run *run = m->fleet->clone[m->first + i].run;
		uint64_t t0 = run ? origin(run) : 0;

		if (t0)
			rc = add_timeline(&w.all, run, shift_of(&w, t0), from);
	}
	*out = rc == 0 ? calloc(w.all.count + 1, sizeof(**out)) : NULL;
	if (!*out)
		rc = -ENOMEM;
	for (size_t k = 0; rc == 0 && k < w.all.count; k++)
		memcpy((*out)[k].bytes, w.all.slot[k].bytes, sizeof((*out)[k].bytes));
	free(w.all.slot);
	return rc < 0 ? iob_fail(err, rc, "making the bandwidth log: %m") : (ssize_t)w.all.count;
}

int iob_fio_build_samples(
	struct iob_fio_entry *e, const struct iob_fio_members *m, struct iob_error *err)
{
	const struct iob_job_control *ctl = &m->fleet->clone[m->first].settings.ctl;
	struct work w = {.width = {width_of(ctl->bwavgtime_ms), width_of(ctl->iopsavgtime_ms)}};
	int rc = add_members(&w, m);

	for (int d = 0; d < IOB_NDIR && rc == 0; d++) {
		/* A direction that the jobs do not have is no row of zeros. */
		if (e->dir[d].d->issued == 0)
			continue;
		conclude(&w, BANDWIDTH, d, &e->dir[d].bw);
		conclude(&w, IOPS, d, &e->dir[d].iops);
	}
	if (rc == 0 && e->unified) {
		conclude(&w, BANDWIDTH, IOB_NDIR, &e->mixed.bw);
		conclude(&w, IOPS, IOB_NDIR, &e->mixed.iops);
	}
	free(w.one.slot);
	free(w.all.slot);
	return rc < 0 ? iob_fail(err, rc, "making the report: %m") : 0;
}
