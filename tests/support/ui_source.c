/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui_source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define STALL_FROM 190 /* intervals */
#define STALL_TO   200

double iob_fake_iops(const struct iob_segment_params *p)
{
	double depth = 100e3 * pow(1.2, log2((double)p->live.iodepth / 32));

	if (p->kind == IOB_SEGMENT_PAUSED)
		return 0;
	return depth * 4096 / (double)p->live.bs[IOB_READ].min;
}

static struct iob_job mixed_job(void)
{
	struct iob_job job;

	iob_job_defaults(&job);
	job.rw = IOB_RW_RANDRW;
	job.rwmixread = 70;
	job.iodepth = 32;
	job.numjobs = 4;
	for (int d = 0; d < IOB_NDIR; d++)
		job.bs[d] = (struct iob_range){4096, 4096};
	job.runtime_ns = 300 * IOB_NS_PER_S;
	snprintf(job.filename, sizeof(job.filename), "/dev/nvme1n1");
	snprintf(job.ioengine, sizeof(job.ioengine), "io_uring");
	return job;
}

void iob_fake_adopt(struct iob_fake *f, const struct iob_live *live)
{
	struct iob_fake_segment *s = &f->segment[f->nsegments];

	f->live = *live;
	if (f->nsegments == IOB_FAKE_SEGMENTS)
		return;
	s->from_ms = f->now_ms;
	s->params = (struct iob_segment_params){
		0, live->paused ? IOB_SEGMENT_PAUSED : IOB_SEGMENT_LOAD, *live};
	f->nsegments++;
	f->phase = live->paused ? IOB_PHASE_PAUSED : IOB_PHASE_RUNNING;
}

void iob_fake_open(struct iob_fake *f)
{
	struct iob_live live;

	memset(f, 0, sizeof(*f));
	f->plan = calloc(1, sizeof(*f->plan));
	if (!f->plan)
		abort();
	f->plan->nstages = 1;
	f->plan->stage[0] = mixed_job();
	snprintf(f->plan->profile, sizeof(f->plan->profile), "mixed");
	f->capacity = 256;
	iob_live_from_job(&live, &f->plan->stage[0]);
	iob_fake_adopt(f, &live);
}

void iob_fake_close(struct iob_fake *f)
{
	free(f->plan);
	f->plan = NULL;
}

static uint64_t segment_end(const struct iob_fake *f, uint32_t id)
{
	return id + 1 < f->nsegments ? f->segment[id + 1].from_ms : f->now_ms;
}

static void fill_latency(struct iob_latency *lat, uint64_t n, double us)
{
	memset(lat, 0, sizeof(*lat));
	lat->n = n;
	lat->min_ns = (uint64_t)(us * 500);
	lat->mean_ns = us * 1000;
	for (int i = 0; i < IOB_NPERCENTILES; i++)
		lat->percentile_ns[i] = (uint64_t)(us * 1000 * (1 + i * i / 20.0));
	lat->max_ns = (uint64_t)(us * 20000);
}

static void fill(
	struct iob_segment_figures *out, const struct iob_fake *f, uint32_t id, double seconds)
{
	const struct iob_segment_params *p = &f->segment[id].params;
	double iops = iob_fake_iops(p), bs = (double)p->live.bs[IOB_READ].min;
	double share[IOB_NDIR] = {(double)p->live.rwmixread / 100, 0, 0};

	share[IOB_WRITE] = 1 - share[IOB_READ];
	memset(out, 0, sizeof(*out));
	out->id = id;
	out->kind = p->kind;
	out->open = id + 1 == f->nsegments;
	out->from_ms = f->segment[id].from_ms;
	out->to_ms = segment_end(f, id);
	out->seconds = seconds;
	out->depth = (double)p->live.iodepth * 4;
	for (int d = 0; d <= IOB_NDIR; d++) {
		struct iob_figures *g = d < IOB_NDIR ? &out->dir[d] : &out->all;
		double part = d < IOB_NDIR ? share[d] : 1;

		g->iops = iops * part;
		g->bw = g->iops * bs;
		g->ios = (uint64_t)(g->iops * seconds);
		g->bytes = (uint64_t)(g->bw * seconds);
		if (g->ios)
			fill_latency(&g->lat, g->ios, (double)p->live.iodepth * (d == 1 ? 1 : 3));
	}
	out->has_disk = true;
	out->disk = (struct iob_iostat){.r_s = iops * share[0] * 1.004,
		.w_s = iops * share[1] * 1.004,
		.r_bytes_s = iops * share[0] * bs,
		.w_bytes_s = iops * share[1] * bs,
		.r_await_ms = 0.29,
		.w_await_ms = 0.09,
		.aqu_sz = 61.9,
		.util = 98};
}

static bool segment(void *self, uint32_t id, struct iob_segment_figures *figures,
	struct iob_segment_params *params)
{
	const struct iob_fake *f = self;

	if (id >= f->nsegments)
		return false;
	fill(figures, f, id, (double)(segment_end(f, id) - f->segment[id].from_ms) / 1e3);
	*params = f->segment[id].params;
	return true;
}

static void fill_target(struct iob_target_info *t)
{
	t->kind = IOB_TARGET_BLOCKDEV;
	snprintf(t->path, sizeof(t->path), "/dev/nvme1n1");
	snprintf(t->model, sizeof(t->model), "KIOXIA CM7-R");
	snprintf(t->disk, sizeof(t->disk), "nvme1n1");
	t->size = UINT64_C(3840755982336);
	t->direct = true;
}

static void snapshot(void *self, struct iob_snapshot *s)
{
	const struct iob_fake *f = self;
	uint32_t last = f->nsegments - 1;
	struct iob_segment_params params;

	memset(s, 0, sizeof(*s));
	s->phase = f->phase;
	s->outcome = f->outcome;
	s->nstages = 1;
	s->elapsed_ns = f->now_ms * IOB_NS_PER_MS;
	s->duration_ns = 300 * IOB_NS_PER_S;
	s->layout_done = f->layout_done;
	s->layout_total = f->layout_total;
	s->responding = true;
	s->stop_requested = f->stops > 0;
	s->tune_pending = f->hold && f->tunes > 0;
	if (f->late_error && !s->tune_pending)
		iob_fail(&s->tune_error, -ENOMEM, "%s", f->late_error);
	s->in_flight = f->live.iodepth * 4;
	s->capacity = f->capacity;
	s->workers = f->workers;
	s->live = f->live;
	if (f->phase >= IOB_PHASE_LAYOUT)
		fill_target(&s->target);
	snprintf(s->engine, sizeof(s->engine), "io_uring");
	if (f->phase < IOB_PHASE_RAMP)
		return;
	s->view.t0_ns = 1;
	s->view.now_ns = 1 + f->now_ms * IOB_NS_PER_MS;
	s->view.intervals = f->now_ms / 100;
	s->view.nsegments = f->nsegments;
	segment(self, last, &s->view.segment, &params);
	fill(&s->view.now, f, last, 1);
	fill(&s->view.total, f, last, (double)f->now_ms / 1e3);
	s->view.disk = s->view.now.disk;
	s->view.has_disk = true;
	s->view.disk_in_flight = 61;
}

static const struct iob_fake_segment *at(const struct iob_fake *f, uint64_t ms, uint32_t *id)
{
	*id = 0;
	while (*id + 1 < f->nsegments && f->segment[*id + 1].from_ms <= ms)
		(*id)++;
	return &f->segment[*id];
}

static size_t timeline(void *self, size_t from, struct iob_interval *out, size_t n)
{
	struct iob_fake *f = self;
	size_t count = f->now_ms / 100, i = 0;

	f->timeline_calls++;
	for (; i < n && from + i < count; i++) {
		struct iob_interval *v = &out[i];
		const struct iob_fake_segment *s = at(f, (from + i) * 100, &v->segment);
		double iops = iob_fake_iops(&s->params);
		uint32_t id = v->segment;

		memset(v, 0, sizeof(*v));
		v->segment = id;
		v->flags = IOB_INTERVAL_DISK;
		if (s->params.kind == IOB_SEGMENT_PAUSED) {
			v->flags = IOB_INTERVAL_IDLE;
			continue;
		}
		if (from + i >= STALL_FROM && from + i < STALL_TO)
			continue;
		for (int d = 0; d < 2; d++) {
			double share = (double)s->params.live.rwmixread / 100;
			struct iob_interval_dir *dir = &v->dir[d];

			dir->ios = (uint64_t)llround(iops * (d ? 1 - share : share) / 10);
			dir->bytes = dir->ios * s->params.live.bs[d].min;
			dir->sum_ns = dir->ios * 120000;
			dir->p50_ns = 100000;
			dir->p999_ns = 500000;
			dir->p99_ns = 300000;
			dir->max_ns = 900000;
		}
		v->disk.io_ms = 98;
	}
	return i;
}

static void recent(void *self, struct iob_segment_figures *out)
{
	const struct iob_fake *f = self;

	fill(out, f, f->nsegments - 1, 10);
}

/* Most of them at 100 us, one in a hundred at 1 ms. */
static size_t heat(void *self, size_t from, struct iob_heat *out, size_t n)
{
	const struct iob_fake *f = self;
	size_t count = f->now_ms / 100, i = 0;

	for (; i < n && from + i < count; i++) {
		memset(&out[i], 0, sizeof(out[i]));
		out[i].count[iob_heat_level(100000)] = 9900;
		out[i].count[iob_heat_level(1000000)] = 100;
	}
	return i;
}

static unsigned workers(void *self, struct iob_run_worker *out, unsigned n)
{
	const struct iob_fake *f = self;

	for (unsigned i = 0; i < n && i < 4; i++)
		out[i] = (struct iob_run_worker){{25e3 + i, 0.12, 310000}, f->live.iodepth};
	return 4;
}

static int tune(void *self, const struct iob_live *live, struct iob_error *err)
{
	struct iob_fake *f = self;

	if (f->tune_code)
		return f->tune_refused ? iob_fail_refused(err, "writes")
				       : iob_fail(err, f->tune_code, "%s",
						 f->tune_text ? f->tune_text : "busy");
	f->tunes++;
	if (!f->hold)
		iob_fake_adopt(f, live);
	return 0;
}

static int follow(void *self, const struct iob_snapshot *snap, struct iob_error *err)
{
	struct iob_fake *f = self;

	(void)snap;
	f->follows++;
	return f->follow_text ? iob_fail_usage(err, "%s", f->follow_text) : 0;
}

static void note_marks(void *self, const struct iob_marks *marks)
{
	struct iob_fake *f = self;

	f->marks = *marks;
}

static void note_sweep(void *self, const struct iob_sweep *sweep)
{
	((struct iob_fake *)self)->sweep = *sweep;
}

static void stop(void *self)
{
	((struct iob_fake *)self)->stops++;
}

static int save(void *self, const char *path, bool fresh, struct iob_error *err)
{
	struct iob_fake *f = self;

	(void)err;
	(void)fresh;
	f->saves++;
	snprintf(f->saved, sizeof(f->saved), "%s", path);
	return 0;
}

struct iob_source iob_fake_source(struct iob_fake *f)
{
	return (struct iob_source){f, snapshot, timeline, segment, recent, heat, workers, tune,
		follow, note_sweep, note_marks, stop, save};
}
