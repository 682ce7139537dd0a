/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/snapshot.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "run/private.h"

const char *iob_phase_name(enum iob_phase phase)
{
	static const char *const names[] = {
		"START", "LAYOUT", "READY", "RAMP", "RUN", "PAUSED", "DRAIN", "FLUSH", "DONE"};

	return (size_t)phase < sizeof(names) / sizeof(names[0]) ? names[phase] : "?";
}

const char *iob_outcome_name(enum iob_outcome outcome)
{
	static const char *const names[] = {
		"running", "complete", "stopped", "failed", "lost", "abandoned"};

	return (size_t)outcome < sizeof(names) / sizeof(names[0]) ? names[outcome] : "?";
}

static uint64_t stage_duration(const struct iob_job *job)
{
	return job->runtime_ns;
}

/* Measuring time of the stage so far: from the end of the ramp, without pauses. */
static uint64_t elapsed(const struct iob_run *run, uint64_t now)
{
	uint64_t from = atomic_load(&run->shared->measure_from_ns);
	const struct iob_segment_params *p =
		run->nsegments ? &run->params[run->nsegments - 1] : NULL;

	if (!from || !p)
		return 0;
	if (!run->stage_open || p->kind == IOB_SEGMENT_PAUSED)
		now = run->last_event_ns;
	return now > from ? now - from : 0;
}

static uint64_t remaining(const struct iob_run *run, const struct iob_snapshot *snap)
{
	const struct iob_plan *plan = &run->shared->plan;
	uint64_t sum = 0;

	for (unsigned i = snap->stage; i < plan->nstages; i++) {
		uint64_t d = stage_duration(&plan->stage[i]);

		if (!d)
			return UINT64_MAX;
		sum += d + (i > snap->stage ? plan->stage[i].ramp_time_ns : 0);
	}
	return sum > snap->elapsed_ns ? sum - snap->elapsed_ns : 0;
}

/* By the newest segment of which news was taken, so that phase, time and figures belong together.
 */
static enum iob_phase segment_phase(const struct iob_run *run)
{
	if (!run->stage_open)
		return IOB_PHASE_READY;
	switch (run->params[run->nsegments - 1].kind) {
	case IOB_SEGMENT_RAMP:
		return IOB_PHASE_RAMP;
	case IOB_SEGMENT_PAUSED:
		return IOB_PHASE_PAUSED;
	case IOB_SEGMENT_LOAD:
		break;
	}
	return IOB_PHASE_RUNNING;
}

static void from_shared(struct iob_run *run, struct iob_snapshot *snap)
{
	struct iob_shared *sh = run->shared;

	snap->phase = atomic_load_explicit(&sh->phase, memory_order_acquire);
	if (snap->phase == IOB_PHASE_STARTING && atomic_load(&sh->layout.total) &&
		atomic_load(&sh->layout.done) < atomic_load(&sh->layout.total))
		snap->phase = IOB_PHASE_LAYOUT;
	if (snap->phase >= IOB_PHASE_RAMP && snap->phase <= IOB_PHASE_PAUSED)
		snap->phase = segment_phase(run);
	/* The load process's word is not the last one: the recorder is to be drained first. */
	if (snap->phase == IOB_PHASE_DONE && !run->done)
		snap->phase = IOB_PHASE_FLUSH;
	if (run->done)
		snap->phase = IOB_PHASE_DONE;
	snap->stage = iob_run_stage(run);
	snap->layout_done = atomic_load(&sh->layout.done);
	snap->layout_total = atomic_load(&sh->layout.total);
	snap->workers = atomic_load(&sh->workers);
	snap->capacity = atomic_load(&sh->capacity);
	snap->in_flight = iob_shared_in_flight(sh);
	uint32_t done = atomic_load_explicit(&sh->request_done, memory_order_acquire);
	bool answered = atomic_load(&sh->request_number) == done;
	/* Answered is not yet seen: the segment that it made is told by an event of its own. */
	snap->tune_pending = !answered || atomic_load(&sh->nevents) != run->events_seen;
	/* Before that the answer may be half written. */
	if (answered)
		snap->tune_error = sh->request_error;
	if (iob_run_knows_target(run)) {
		snap->target = sh->target;
		memcpy(snap->engine, sh->engine, sizeof(snap->engine));
	}
	if (snap->workers)
		memcpy(snap->engine_flags, sh->slot[0].engine_flags, sizeof(snap->engine_flags));
}

void iob_run_snapshot(struct iob_run *run, struct iob_snapshot *snap)
{
	memset(snap, 0, sizeof(*snap));
	iob_run_wait(run, 0);
	pthread_mutex_lock(&run->lock);
	uint64_t now = iob_now_ns();
	from_shared(run, snap);
	snap->nstages = run->shared->plan.nstages;
	snap->outcome = run->done ? run->outcome : IOB_OUTCOME_NONE;
	snap->error = run->error;
	snap->asked = run->asked;
	snap->stop_requested = run->stop_requested;
	snap->responding = run->over || now < run->life_ns + IOB_NS_PER_S;
	snap->duration_ns = stage_duration(&run->shared->plan.stage[snap->stage]);
	if (run->nsegments)
		snap->live = run->params[run->nsegments - 1].live;
	else
		iob_live_from_job(&snap->live, &run->shared->plan.stage[snap->stage]);
	/* Those beyond stand idle. */
	if (snap->workers > snap->live.numjobs && snap->live.numjobs)
		snap->workers = (unsigned)snap->live.numjobs;
	snap->elapsed_ns = elapsed(run, now);
	snap->remaining_ns = remaining(run, snap);
	pthread_mutex_unlock(&run->lock);
	iob_run_failures(run, &snap->failures);
	iob_recorder_view(run->recorder, &snap->view);
	iob_run_judge(run, snap);
}
