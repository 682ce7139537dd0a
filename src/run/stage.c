/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/stage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/clock.h"
#include "run/scheduler.h"
#include "run/snapshot.h"
#include "run/thermometer.h"
#include "target/blockdev.h"
#include "target/guard.h"
#include "target/ioscheduler.h"

#define MOST_DISKS 32

void iob_stage_set_phase(struct iob_shared *sh, uint32_t phase)
{
	/* Stage, workers and capacity were stored before. */
	atomic_store_explicit(&sh->phase, phase, memory_order_release);
}

/* The front comes to know of it while the load is already on. */
static void read_disk(const struct iob_target_info *t, struct iob_diskwatch_point *out)
{
	struct iob_diskline line;
	struct iob_diskstat_reader reader;

	out->ns = 0;
	iob_shared_diskline(t, &line);
	if (!t->has_disk || iob_diskstat_open(&reader, "", line.major, line.minor, NULL) < 0)
		return;
	if (iob_diskstat_read(&reader, &out->stat) == 0)
		out->ns = iob_now_ns();
	iob_diskstat_close(&reader);
}

static void tell_target(struct iob_stage *st)
{
	struct iob_shared *sh = st->shared;

	sh->target = st->targets.info;
	sh->ncreated = iob_guard_created(sh->created, IOB_MAX_CREATED);
	sh->nfound = iob_guard_found();
	snprintf(sh->engine, sizeof(sh->engine), "%s", st->engine->name);
	read_disk(&sh->target, &sh->disk_before);
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

/* The disk is looked at before (with all that is known of it), after, and now and then where that
 * disturbs nothing: other disks than NVMe let all commands end before they tell their temperature.
 */
static void run_load(struct iob_stage *st)
{
	const struct iob_target_info *info = &st->targets.info;
	_Atomic int32_t *hottest = &st->shared->temp_mc;
	struct iob_thermometer *t = NULL;

	if (info->facts.temp_mc && strcmp(info->disk_kind, "nvme") == 0)
		t = iob_thermometer_start(
			"", info->major, info->minor, IOB_THERMOMETER_EVERY_NS, hottest);
	iob_controller_run(st);
	iob_thermometer_stop(t);
	/* Once the load is over: a sick disk may be slow to answer the question. */
	if (info->facts.temp_mc)
		iob_thermometer_look("", info->major, info->minor, hottest);
}

static int measure(struct iob_stage *st, struct iob_error *err)
{
	if (st->job->files.create_only)
		return 0;
	iob_stage_set_phase(st->shared, IOB_PHASE_READY);
	int rc = iob_crew_start(st, err);

	if (rc < 0)
		return rc;
	run_load(st);
	rc = iob_crew_error(st, err);
	struct iob_error later;
	int sync_rc = flush(st, &later);
	if (rc == 0 && sync_rc < 0) {
		*err = later;
		rc = sync_rc;
	}
	return rc;
}

/* What was changed, for each disk that the files lie on. */
struct schedulers {
	unsigned count;
	char disk[MOST_DISKS][64];
	struct iob_scheduler item[MOST_DISKS];
};

static int set_one(
	struct iob_stage *st, struct schedulers *s, const char *disk, struct iob_error *err)
{
	for (unsigned i = 0; i < s->count; i++)
		if (strcmp(s->disk[i], disk) == 0)
			return 0;
	if (s->count == MOST_DISKS)
		return iob_fail_usage(err, "ioscheduler=%s: the files lie on more than %d disks",
			st->job->ioscheduler, MOST_DISKS);
	int rc = iob_scheduler_set(&s->item[s->count], "", disk, st->job->ioscheduler, err);
	if (rc < 0)
		return rc;
	snprintf(s->disk[s->count++], sizeof(s->disk[0]), "%s", disk);
	return 0;
}

/* Where there is no scheduler it is left alone, and the verdict says that it had no effect. */
static int set_schedulers(struct iob_stage *st, struct schedulers *s, struct iob_error *err)
{
	struct iob_target_info *info = &st->targets.info;
	const char *name = st->job->ioscheduler;
	struct iob_ioscheduler now;

	for (unsigned i = 0; name[0] && i < st->targets.count; i++) {
		dev_t dev = st->targets.item[i].dev;
		struct iob_blockdev_id disk;
		int rc = -ENOENT;

		if (info->has_disk && iob_blockdev_whole("", major(dev), minor(dev), &disk, NULL))
			rc = set_one(st, s, disk.name, err);
		else if (info->has_disk && major(dev) == 0) /* btrfs has numbers of its own */
			rc = set_one(st, s, info->disk, err);
		if (rc < 0 && rc != -ENOENT)
			return rc;
		if (rc == -ENOENT) {
			*err = (struct iob_error){0};
			info->no_scheduler = true;
		}
	}
	/* The reports name the one under which it was measured. */
	if (s->count && iob_ioscheduler_find(&now, "", info->disk, name, NULL) == 0)
		snprintf(info->scheduler, sizeof(info->scheduler), "%.31s", now.active);
	return 0;
}

static void restore_schedulers(struct schedulers *s)
{
	while (s->count > 0)
		iob_scheduler_restore(&s->item[--s->count]);
}

int iob_stage_run(struct iob_shared *sh, unsigned number, struct iob_error *err)
{
	struct iob_stage st = {.shared = sh, .number = number, .job = &sh->plan.stage[number]};
	struct schedulers schedulers = {0};

	atomic_store(&sh->stage, number);
	atomic_store(&sh->workers, 0);
	iob_stage_set_phase(sh, IOB_PHASE_STARTING);
	int rc = prepare(&st, err);
	if (rc == 0)
		rc = set_schedulers(&st, &schedulers, err);
	if (rc == 0) {
		tell_target(&st);
		iob_kin_set(&sh->kin, &iob_kin_own);
		iob_gate_note(sh, IOB_GATE_PREPARED);
		rc = measure(&st, err);
	}
	/* A crew that never passed the barrier cannot be joined: the process ends with it. */
	if (st.released)
		iob_crew_free(&st);
	struct iob_error later;
	int close_rc = iob_targets_close(&st.targets, &later);
	iob_kin_set(&sh->kin_at_end, &iob_kin_own);
	restore_schedulers(&schedulers);
	if (rc == 0 && close_rc < 0) {
		*err = later;
		rc = close_rc;
	}
	return rc;
}
