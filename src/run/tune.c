/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>

#include "base/units.h"
#include "job/param.h"
#include "load/engine.h"
#include "run/private.h"

static int check_row(const struct iob_live *live, const struct iob_job *base, struct iob_error *err)
{
	struct iob_job job = *base;

	iob_live_to_job(live, &job);
	return iob_job_check(&job, err);
}

static int check_depth(const struct iob_run *run, const struct iob_live *live,
	const struct iob_live *old, struct iob_error *err)
{
	uint64_t most = atomic_load(&run->shared->capacity);

	/* A synchronous engine was given more from the start: that is no change. */
	if (live->iodepth == old->iodepth)
		return 0;
	if (live->iodepth < 1)
		return iob_fail_usage(err, "iodepth=0: at least 1");
	if (live->iodepth <= most)
		return 0;
	if (most == 1)
		return iob_fail_usage(err,
			"iodepth=%llu: the engine %s does one I/O at a time; use io_uring or libaio, or "
			"more jobs",
			(unsigned long long)live->iodepth, run->shared->engine);
	return iob_fail_usage(err, "iodepth=%llu: this run has room for at most %llu",
		(unsigned long long)live->iodepth, (unsigned long long)most);
}

static int check_block(const struct iob_target_info *t, unsigned workers,
	const struct iob_range *bs, struct iob_error *err)
{
	char size[32], limit[32];
	uint64_t part = t->region_size / (t->files ? t->files : 1) / (workers ? workers : 1);

	if (t->direct && t->logical_block_size &&
		(bs->min % t->logical_block_size || bs->max % t->logical_block_size))
		return iob_fail_usage(err,
			"bs=%s: not a multiple of the %u-byte logical blocks of the target",
			iob_format_size_exact(size, sizeof(size), bs->min), t->logical_block_size);
	if (bs->max > part)
		return iob_fail_usage(err, "bs=%s: larger than the part of a worker (%s)",
			iob_format_size_exact(size, sizeof(size), bs->max),
			iob_format_bytes(limit, sizeof(limit), part));
	return 0;
}

/* What each worker does in all was divided among as many as there were. */
static int check_jobs(const struct iob_run *run, const struct iob_live *live,
	const struct iob_live *old, const struct iob_job *job, struct iob_error *err)
{
	unsigned most = run->shared->nslots;

	if (live->numjobs == old->numjobs)
		return 0;
	if (live->numjobs < 1)
		return iob_fail_usage(err, "numjobs=0: at least 1");
	if (live->numjobs > most)
		return iob_fail_usage(err, "numjobs=%llu: this run has room for at most %u",
			(unsigned long long)live->numjobs, most);
	if (!job->time_based || job->number_ios)
		return iob_fail_usage(err,
			"numjobs: this run ends when each worker has done its share (time_based=0 or "
			"number_ios); a run by time can have more or fewer workers");
	return 0;
}

/* Was its target opened for writing, with all that is asked before? */
static bool may_write(const struct iob_run *run)
{
	const struct iob_target_info *t = &run->shared->target;

	return t->kind == IOB_TARGET_NULL || t->writable;
}

static int check_trim(
	const struct iob_run *run, const struct iob_job *job, const char *rw, struct iob_error *err)
{
	const struct iob_engine *engine = iob_engine_find(job->ioengine);
	enum iob_target_kind kind = run->shared->target.kind;

	if (!engine || !(iob_engine_caps(engine, job) & IOB_ENGINE_TRIM))
		return iob_fail_usage(
			err, "rw=%s: the engine %s cannot trim", rw, run->shared->engine);
	if (kind != IOB_TARGET_BLOCKDEV && kind != IOB_TARGET_NULL && !iob_job_does(job, IOB_TRIM))
		return iob_fail_usage(
			err, "rw=%s: only a run on a block device can be turned to trims", rw);
	return 0;
}

/* What reads only has its target open for reading, and nobody agreed to anything else. */
static int check_rw(const struct iob_run *run, const struct iob_live *live,
	const struct iob_live *old, const struct iob_job *job, struct iob_error *err)
{
	struct iob_job turned = {.rw = live->rw};
	char rw[32];

	if (live->rw == old->rw)
		return 0;
	if (live->rw > IOB_RW_RANDTRIMWRITE)
		return iob_fail_usage(err, "rw: there is no kind %u", live->rw);
	iob_param_get(&turned, IOB_PARAM_OF(rw), rw, sizeof(rw));
	if (iob_job_modifies(&turned) && !may_write(run))
		return iob_fail_refused(err,
			"rw=%s: this run reads only and has its target open for reading; start one "
			"that writes (rw=randrw), with consent, to turn it",
			rw);
	return iob_job_does(&turned, IOB_TRIM) ? check_trim(run, job, rw, err) : 0;
}

/* The mix of a job that only reads cannot be turned: its target is open for reading only. */
static int check_mix(const struct iob_live *live, const struct iob_live *old,
	const struct iob_job *job, struct iob_error *err)
{
	if (live->rwmixread == old->rwmixread)
		return 0;
	if (live->rwmixread > 100)
		return iob_fail_usage(
			err, "rwmixread=%llu: 0 to 100", (unsigned long long)live->rwmixread);
	if (live->rw == IOB_RW_RW || live->rw == IOB_RW_RANDRW)
		return 0;
	if (!iob_job_modifies(job))
		return iob_fail_refused(err,
			"this run reads only and has its target open for reading; "
			"start a mixed run (rw=randrw) to turn the read share");
	return iob_fail_usage(
		err, "the read share has a meaning in mixed runs only (rw=rw, rw=randrw)");
}

static int check_rates(const struct iob_live *live, struct iob_error *err)
{
	const struct iob_param *p = IOB_PARAM_OF(rate_iops);

	for (int d = 0; d < IOB_NDIR; d++)
		if (live->rate_iops[d] > p->max)
			return iob_fail_usage(err, "rate_iops=%llu: at most %llu",
				(unsigned long long)live->rate_iops[d], (unsigned long long)p->max);
	return 0;
}

int iob_run_tune(struct iob_run *run, const struct iob_live *live, struct iob_error *err)
{
	struct iob_shared *sh = run->shared;
	struct iob_live old = {0};

	pthread_mutex_lock(&run->lock);
	bool busy = atomic_load(&sh->request_number) != atomic_load(&sh->request_done);
	bool idle = run->over || run->stop_requested || !run->stage_open || !run->nsegments;
	if (run->nsegments)
		old = run->params[run->nsegments - 1].live;
	pthread_mutex_unlock(&run->lock);
	if (idle)
		return iob_fail(err, -ENODEV, "nothing is running that could be changed");
	if (busy)
		return iob_fail(err, -EBUSY, "the change before this one is still on its way");
	const struct iob_job *job = &sh->plan.stage[iob_run_stage(run)];
	int rc = check_rw(run, live, &old, job, err);
	if (rc == 0)
		rc = check_mix(live, &old, job, err);
	if (rc == 0)
		rc = check_depth(run, live, &old, err);
	if (rc == 0)
		rc = check_jobs(run, live, &old, job, err);
	for (int d = 0; rc == 0 && d < IOB_NDIR; d++)
		if (iob_live_uses_bs(live, (enum iob_dir)d))
			rc = check_block(&sh->target, (unsigned)live->numjobs, &live->bs[d], err);
	if (rc == 0)
		rc = check_rates(live, err);
	if (rc == 0)
		rc = check_row(live, job, err);
	if (rc < 0)
		return rc;
	sh->request = *live;
	/* The controller reads the request after it has seen the number. */
	atomic_store_explicit(
		&sh->request_number, atomic_load(&sh->request_done) + 1, memory_order_release);
	return 0;
}
