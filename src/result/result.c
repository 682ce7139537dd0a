/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "load/engine.h"
#include "result/host.h"

static int copy_plan(struct iob_result *r, const struct iob_plan *plan)
{
	r->plan = malloc(sizeof(*r->plan));
	if (!r->plan)
		return -ENOMEM;
	*r->plan = *plan;
	return 0;
}

static int copy_segments(struct iob_result *r, struct iob_run *run, unsigned n)
{
	r->segment = calloc(n + 1u, sizeof(*r->segment));
	if (!r->segment)
		return -ENOMEM;
	for (uint32_t id = 0; id < n; id++) {
		struct iob_result_segment *s = &r->segment[r->nsegments];

		if (iob_run_segment(run, id, &s->figures, &s->params))
			r->nsegments++;
	}
	return 0;
}

static int copy_timeline(struct iob_result *r, struct iob_run *run, uint64_t expected)
{
	size_t room = (size_t)expected + 64;

	for (;;) {
		struct iob_interval *grown = realloc(r->interval, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		r->interval = grown;
		r->nintervals += iob_run_timeline(
			run, r->nintervals, r->interval + r->nintervals, room - r->nintervals);
		if (r->nintervals < room)
			return 0;
		room *= 2;
	}
}

/* Keeps the histograms of the directions in which something came. */
static int copy_stage(struct iob_result_stage *stage, struct iob_recorder *recorder, unsigned index)
{
	IOB_FREE struct iob_hist *hist = calloc(IOB_NDIR, sizeof(*hist));

	if (!hist)
		return -ENOMEM;
	iob_recorder_totals(recorder, (int)index, &stage->figures, hist, &stage->disk);
	stage->figures.stage = index;
	for (int d = 0; d < IOB_NDIR; d++) {
		if (hist[d].total == 0)
			continue;
		stage->hist[d] = malloc(sizeof(*stage->hist[d]));
		if (!stage->hist[d])
			return -ENOMEM;
		*stage->hist[d] = hist[d];
	}
	return 0;
}

static int copy_stages(struct iob_result *r, struct iob_run *run)
{
	struct iob_recorder *recorder = iob_run_recorder(run);
	int rc = 0;

	r->stage = calloc(r->plan->nstages + 1u, sizeof(*r->stage));
	if (!r->stage)
		return -ENOMEM;
	r->nstages = r->plan->nstages;
	for (unsigned i = 0; i < r->nstages && recorder && !rc; i++)
		rc = copy_stage(&r->stage[i], recorder, i);
	return rc;
}

/* When t0 was on the wall clock, and how long the run took from there. */
static void set_times(struct iob_result *r, const struct iob_snapshot *snap)
{
	uint64_t now = iob_now_ns();
	uint64_t since = snap->view.t0_ns && now > snap->view.t0_ns ? now - snap->view.t0_ns : 0;

	r->started_s = iob_wall_ms() / 1000 - since / IOB_NS_PER_S;
	if (snap->phase != IOB_PHASE_DONE) {
		r->elapsed_ms = since / IOB_NS_PER_MS;
		return;
	}
	for (size_t i = 0; i < r->nsegments; i++)
		if (r->segment[i].figures.to_ms > r->elapsed_ms)
			r->elapsed_ms = r->segment[i].figures.to_ms;
}

static int exit_status(const struct iob_result *r)
{
	switch (r->outcome) {
	case IOB_OUTCOME_NONE:
	case IOB_OUTCOME_COMPLETE:
	case IOB_OUTCOME_STOPPED:
		return r->error.code || r->failures.total > r->failures.ignored ? 1 : 0;
	case IOB_OUTCOME_FAILED:
	case IOB_OUTCOME_LOST:
	case IOB_OUTCOME_ABANDONED:
		break;
	}
	return 1;
}

static void copy_snapshot(
	struct iob_result *r, const struct iob_run *run, const struct iob_snapshot *snap)
{
	iob_text_clean(r->version, sizeof(r->version), PACKAGE_VERSION);
	iob_text_clean(r->engine, sizeof(r->engine), snap->engine);
	iob_text_clean(r->engine_flags, sizeof(r->engine_flags), snap->engine_flags);
	r->outcome = snap->outcome;
	r->error = snap->error;
	r->target = snap->target;
	r->total = snap->view.total;
	r->warnings = snap->warnings;
	r->marks = *iob_run_marks(run);
	r->limit = snap->limit;
	r->failures = snap->failures;
	for (uint32_t i = 0; i < r->failures.nfirst; i++) {
		uint64_t *at = &r->failures.first[i].at_ns;

		*at = *at > snap->view.t0_ns ? *at - snap->view.t0_ns : 0;
	}
	r->longest_stall_ns = snap->view.longest_stall_ns;
	r->has_disk = snap->view.has_disk;
	r->disk_paths = snap->view.disk_paths;
}

int iob_result_build(struct iob_result *r, struct iob_run *run, struct iob_error *err)
{
	IOB_FREE struct iob_snapshot *snap = malloc(sizeof(*snap));
	int rc = snap ? 0 : -ENOMEM;

	memset(r, 0, sizeof(*r));
	if (!rc) {
		iob_run_snapshot(run, snap);
		copy_snapshot(r, run, snap);
		rc = copy_plan(r, iob_run_plan(run));
		r->sweep = *iob_run_sweep(run);
	}
	if (!rc)
		rc = copy_segments(r, run, snap->view.nsegments);
	if (!rc)
		rc = copy_timeline(r, run, snap->view.intervals);
	if (!rc)
		rc = copy_stages(r, run);
	if (rc) {
		iob_result_free(r);
		return iob_fail(err, rc, "build the report: %m");
	}
	r->unfinished = iob_run_unfinished(run);
	iob_run_usage(run, &r->usage);
	iob_host_read(&r->host, "");
	set_times(r, snap);
	r->exit_status = exit_status(r);
	return 0;
}

void iob_result_free(struct iob_result *r)
{
	for (unsigned i = 0; i < r->nstages && r->stage; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			free(r->stage[i].hist[d]);
	free(r->stage);
	free(r->segment);
	free(r->interval);
	free(r->plan);
	memset(r, 0, sizeof(*r));
}

bool iob_result_is_synchronous(const struct iob_result *r, unsigned stage)
{
	const struct iob_job *job = &r->plan->stage[stage];
	const struct iob_engine *engine = iob_engine_find(job->ioengine);

	if (job->iodepth <= 1 || (engine && iob_engine_max_capacity(engine, job) > 1))
		return false;
	for (unsigned i = 0; i < r->warnings.count; i++)
		if (strcmp(r->warnings.item[i].code, "SYNCDEPTH") == 0)
			return true;
	return false;
}

const struct iob_result_segment *iob_result_headline(const struct iob_result *r)
{
	const struct iob_result_segment *best = NULL;

	for (size_t i = 0; i < r->nsegments; i++) {
		const struct iob_result_segment *s = &r->segment[i];

		if (s->figures.kind == IOB_SEGMENT_LOAD &&
			(!best || s->figures.seconds > best->figures.seconds))
			best = s;
	}
	return best;
}
