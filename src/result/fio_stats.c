/* SPDX-License-Identifier: MIT */
#include "result/fio_stats.h"

#include <string.h>

#include "measure/running.h"
#include "measure/sample.h"

#define PER_SAMPLE (IOB_FIO_SAMPLE_MS / IOB_INTERVAL_MS)

static void take_series(const struct iob_running *m, struct iob_fio_series *out)
{
	out->samples = m->n;
	out->min = m->min;
	out->max = m->max;
	out->mean = m->mean;
	out->dev = iob_running_dev(m->n, m->m2);
}

/* The sums that become one sample. */
struct window {
	uint64_t intervals, ios, bytes;
	struct iob_running bw, iops;
};

static void window_close(struct window *w)
{
	double seconds = (double)w->intervals * ((double)IOB_INTERVAL_NS / 1e9);

	iob_running_add(&w->bw, (double)w->bytes / 1024 / seconds);
	iob_running_add(&w->iops, (double)w->ios / seconds);
	w->intervals = w->ios = w->bytes = 0;
}

/* Does interval k lie in the load of the stage, whole? */
static bool is_load(const struct iob_result *r, unsigned stage, size_t k)
{
	uint32_t id = r->interval[k].segment;
	const struct iob_segment_figures *f;
	uint64_t from = k * IOB_INTERVAL_MS;

	if ((r->interval[k].flags & IOB_INTERVAL_IDLE) ||
		(r->interval[k].flags & IOB_INTERVAL_GAP) || id >= r->nsegments)
		return false;
	f = &r->segment[id].figures;
	if (f->kind != IOB_SEGMENT_LOAD || f->stage != stage || from + IOB_INTERVAL_MS > f->to_ms)
		return false;
	if (from >= f->from_ms || id == 0)
		return from >= f->from_ms;
	/* It began in the segment before, whose parameters differ, but which is load as well. */
	f = &r->segment[id - 1].figures;
	return f->kind == IOB_SEGMENT_LOAD && f->stage == stage;
}

void iob_fio_series(const struct iob_result *r, unsigned stage, enum iob_dir dir,
	struct iob_fio_series *bw, struct iob_fio_series *iops)
{
	struct window w = {0};

	for (size_t k = 0; k < r->nintervals; k++) {
		if (!is_load(r, stage, k))
			continue;
		w.intervals++;
		w.ios += r->interval[k].dir[dir].ios;
		w.bytes += r->interval[k].dir[dir].bytes;
		if (w.intervals == PER_SAMPLE)
			window_close(&w);
	}
	if (w.bw.n == 0 && w.intervals > 0)
		window_close(&w);
	take_series(&w.bw, bw);
	take_series(&w.iops, iops);
}

void iob_fio_latencies(const struct iob_result_stage *stage, struct iob_fio_latencies *out)
{
	uint64_t total = 0;

	memset(out, 0, sizeof(*out));
	for (int d = 0; d < IOB_NDIR; d++)
		total += stage->hist[d] ? stage->hist[d]->total : 0;
	for (int d = 0; d < IOB_NDIR; d++)
		iob_fio_latencies_add(out, stage->hist[d], total);
}

void iob_fio_depths(const struct iob_result *r, unsigned stage, double share[IOB_FIO_LEVELS])
{
	bool synchronous = iob_result_is_synchronous(r, stage);
	uint64_t total = 0;

	memset(share, 0, IOB_FIO_LEVELS * sizeof(share[0]));
	for (size_t i = 0; i < r->nsegments; i++) {
		const struct iob_segment_figures *f = &r->segment[i].figures;

		if (f->stage == stage && f->kind == IOB_SEGMENT_LOAD)
			total += f->all.ios;
	}
	for (size_t i = 0; i < r->nsegments && total > 0; i++) {
		const struct iob_segment_figures *f = &r->segment[i].figures;
		uint64_t depth = synchronous ? 1 : r->segment[i].params.live.iodepth;
		unsigned slot = 0;

		if (f->stage != stage || f->kind != IOB_SEGMENT_LOAD)
			continue;
		for (; depth > 1 && slot < IOB_FIO_LEVELS - 1; depth /= 2)
			slot++;
		share[slot] += 100 * (double)f->all.ios / (double)total;
	}
}
