/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/stage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "run/scheduler.h"
#include "run/snapshot.h"
#include "target/guard.h"
#include "target/ioscheduler.h"

void iob_stage_set_phase(struct iob_shared *sh, uint32_t phase)
{
	/* Stage, workers and capacity were stored before. */
	atomic_store_explicit(&sh->phase, phase, memory_order_release);
}

static void tell_target(struct iob_stage *st)
{
	struct iob_shared *sh = st->shared;

	sh->target = st->targets.info;
	sh->ncreated = iob_guard_created(sh->created, IOB_MAX_CREATED);
	sh->nfound = iob_guard_found();
	snprintf(sh->engine, sizeof(sh->engine), "%s", st->engine->name);
	atomic_store_explicit(&sh->target_known, st->number + 1, memory_order_release);
}

/* Never fewer than was asked for, but for engines that do one at a time: these say so. */
static int check_depth(const struct iob_stage *st, struct iob_error *err)
{
	unsigned most = iob_engine_max_capacity(st->engine, st->job);

	if (most == 1 || st->job->iodepth <= most)
		return 0;
	return iob_fail_usage(err,
		"iodepth=%llu: the engine %s takes at most %u; lower it, or use more jobs",
		(unsigned long long)st->job->iodepth, st->engine->name, most);
}

/* A stage like the one before has the answer to the question whether its engine runs here: each try
 * makes an instance of it. */
static int find_engine(struct iob_stage *st, const struct iob_job *before, struct iob_error *err)
{
	int rc = 0;

	if (before && strcmp(before->ioengine, st->job->ioengine) == 0 &&
		strcmp(before->fault_engine, st->job->fault_engine) == 0)
		st->engine = iob_engine_find(st->job->ioengine);
	else
		rc = iob_engine_get_for(&st->engine, st->job, err);
	if (rc == 0)
		rc = iob_engine_check_params(st->engine, st->job, err);
	if (rc == 0)
		rc = check_depth(st, err);
	if (rc < 0)
		return rc;
	if (iob_job_does(st->job, IOB_TRIM) &&
		!(iob_engine_caps(st->engine, st->job) & IOB_ENGINE_TRIM))
		return iob_fail_usage(err, "rw: the engine %s cannot trim", st->engine->name);
	return 0;
}

int iob_stages_check(const struct iob_plan *plan, struct iob_error *err)
{
	for (unsigned i = 0; i < plan->nstages; i++) {
		struct iob_stage st = {.job = &plan->stage[i]};
		int rc = find_engine(&st, i ? st.job - 1 : NULL, err);

		if (rc < 0 && plan->nstages > 1) {
			struct iob_error plain = *err;

			snprintf(err->text, sizeof(err->text), "stage %s: %.*s", st.job->name,
				(int)(sizeof(err->text) - IOB_NAME_MAX - 16), plain.text);
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int prepare(struct iob_stage *st, struct iob_error *err)
{
	struct iob_shared *sh = st->shared;

	st->engine = iob_engine_find(st->job->ioengine);
	if (!st->engine) /* iob_stages_check has seen it */
		return iob_fail_usage(err, "ioengine=%s: no such engine", st->job->ioengine);
	unsigned caps = iob_engine_caps(st->engine, st->job);
	int rc = iob_targets_prepare(&st->targets, &sh->plan, st->job,
		!(caps & IOB_ENGINE_NO_TARGET), &sh->layout, &sh->stop, err);
	/* The counters of the disk do not know of commands. */
	if (caps & IOB_ENGINE_COMMANDS)
		st->targets.info.has_disk = false;
	return rc;
}

/* Buffered writes show their losses only at the end; direct ones are flushed when asked. */
static int flush(struct iob_stage *st, struct iob_error *err)
{
	const struct iob_target_info *info = &st->targets.info;

	if (!iob_job_modifies(st->job) || info->kind == IOB_TARGET_NULL)
		return 0;
	if (info->direct && !st->job->end_fsync && !st->job->fsync_on_close)
		return 0;
	iob_stage_set_phase(st->shared, IOB_PHASE_FLUSH);
	uint64_t start = iob_now_ns();
	int rc = iob_targets_sync(&st->targets, err);
	atomic_fetch_add(&st->shared->end_sync_ns, iob_now_ns() - start);
	return rc;
}

/* Once the load is over: a sick disk may be slow to answer the question. */
static void note_temperature(const struct iob_stage *st)
{
	const struct iob_target_info *info = &st->targets.info;
	int32_t now =
		info->facts.temp_mc ? iob_diskfacts_temperature("", info->major, info->minor) : 0;

	if (now > atomic_load(&st->shared->temp_mc))
		atomic_store(&st->shared->temp_mc, now);
}

static int measure(struct iob_stage *st, struct iob_error *err)
{
	if (st->job->files.create_only)
		return 0;
	iob_stage_set_phase(st->shared, IOB_PHASE_READY);
	int rc = iob_crew_start(st, err);

	if (rc < 0)
		return rc;
	iob_controller_run(st);
	rc = iob_crew_error(st, err);
	note_temperature(st);
	struct iob_error later;
	int sync_rc = flush(st, &later);
	if (rc == 0 && sync_rc < 0) {
		*err = later;
		rc = sync_rc;
	}
	return rc;
}

static int set_scheduler(struct iob_stage *st, struct iob_scheduler *sched, struct iob_error *err)
{
	struct iob_target_info *info = &st->targets.info;
	struct iob_ioscheduler now;

	/* Where no disk is behind the target the verdict says that it had no effect. */
	if (!st->job->ioscheduler[0] || !info->has_disk)
		return 0;
	int rc = iob_scheduler_set(sched, "", info->disk, st->job->ioscheduler, err);
	/* The reports name the one under which it was measured. */
	if (rc == 0 && iob_ioscheduler_find(&now, "", info->disk, st->job->ioscheduler, NULL) == 0)
		snprintf(info->scheduler, sizeof(info->scheduler), "%.31s", now.active);
	return rc;
}

int iob_stage_run(struct iob_shared *sh, unsigned number, struct iob_error *err)
{
	struct iob_stage st = {.shared = sh, .number = number, .job = &sh->plan.stage[number]};
	struct iob_scheduler sched = {0};

	atomic_store(&sh->stage, number);
	atomic_store(&sh->workers, 0);
	iob_stage_set_phase(sh, IOB_PHASE_STARTING);
	int rc = prepare(&st, err);
	if (rc == 0)
		rc = set_scheduler(&st, &sched, err);
	if (rc == 0) {
		tell_target(&st);
		sh->kin = iob_kin_own;
		iob_gate_note(sh, IOB_GATE_PREPARED);
		rc = measure(&st, err);
	}
	/* A crew that never passed the barrier cannot be joined: the process ends with it. */
	if (st.released)
		iob_crew_free(&st);
	struct iob_error later;
	int close_rc = iob_targets_close(&st.targets, &later);
	iob_scheduler_restore(&sched);
	if (rc == 0 && close_rc < 0) {
		*err = later;
		rc = close_rc;
	}
	return rc;
}
