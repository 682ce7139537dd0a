/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/job.h"

#include <string.h>

#include "base/cpulist.h"
#include "base/units.h"
#include "job/byte_pattern.h"
#include "job/cmdprio.h"
#include "job/param.h"
#include "job/placement.h"
#include "job/tolerance.h"

#define ONE_MICRO INT64_C(1000000)

bool iob_rw_does(uint32_t rw, enum iob_dir dir)
{
	switch ((enum iob_rw)rw) {
	case IOB_RW_READ:
	case IOB_RW_RANDREAD:
		return dir == IOB_READ;
	case IOB_RW_WRITE:
	case IOB_RW_RANDWRITE:
		return dir == IOB_WRITE;
	case IOB_RW_TRIM:
	case IOB_RW_RANDTRIM:
		return dir == IOB_TRIM;
	case IOB_RW_TRIMWRITE:
	case IOB_RW_RANDTRIMWRITE:
		return dir == IOB_TRIM || dir == IOB_WRITE;
	case IOB_RW_RW:
	case IOB_RW_RANDRW:
		break;
	}
	return dir == IOB_READ || dir == IOB_WRITE;
}

bool iob_job_does(const struct iob_job *job, enum iob_dir dir)
{
	return iob_rw_does(job->rw, dir);
}

static bool uses_bs(uint32_t rw, bool seq_rand, enum iob_dir dir)
{
	if (seq_rand && dir != IOB_TRIM)
		return true;
	return iob_rw_is_trimwrite(rw) ? dir == IOB_TRIM : iob_rw_does(rw, dir);
}

bool iob_live_uses_bs(const struct iob_live *live, enum iob_dir dir)
{
	return uses_bs(live->rw, live->bs_is_seq_rand, dir);
}

bool iob_job_uses_bs(const struct iob_job *job, enum iob_dir dir)
{
	return uses_bs(job->rw, job->pattern.bs_is_seq_rand, dir);
}

bool iob_live_has_rate(const struct iob_live *live)
{
	for (int dir = 0; dir < IOB_NDIR; dir++)
		if (iob_rw_does(live->rw, (enum iob_dir)dir) &&
			(live->rate_iops[dir] || live->rate_bytes[dir]))
			return true;
	return false;
}

bool iob_job_modifies(const struct iob_job *job)
{
	return iob_job_does(job, IOB_WRITE) || iob_job_does(job, IOB_TRIM);
}

bool iob_job_needs_no_target(const struct iob_job *job)
{
	const char *engine = job->ioengine;

	if (strcmp(engine, "fault") == 0)
		engine = job->fault_engine;
	return strcmp(engine, "null") == 0;
}

void iob_job_defaults(struct iob_job *job)
{
	*job = (struct iob_job){0};
	for (size_t i = 0; i < iob_param_count(); i++)
		iob_param_reset(job, iob_param_at(i));
}

uint64_t iob_job_largest_block(const struct iob_job *job)
{
	uint64_t largest = 0;

	for (int dir = 0; dir < IOB_NDIR; dir++) {
		if (iob_job_uses_bs(job, (enum iob_dir)dir) && job->bs[dir].max > largest)
			largest = job->bs[dir].max;
	}
	return largest;
}

static int check_holds_block(const struct iob_job *job, const char *name,
	const struct iob_amount *amount, struct iob_error *err)
{
	uint64_t block = iob_job_largest_block(job);
	char have[40], need[40];

	if (amount->bytes == 0 || amount->bytes >= block)
		return 0;
	return iob_fail_usage(err,
		"%s=%s: less than one block of bs=%s; make %s larger or bs smaller", name,
		iob_format_size_exact(have, sizeof(have), amount->bytes),
		iob_format_size_exact(need, sizeof(need), block), name);
}

static int check_region(const struct iob_job *job, struct iob_error *err)
{
	const uint64_t whole = 100000000;

	int rc = check_holds_block(job, IOB_PARAM_NAME(size), &job->size, err);
	if (rc == 0)
		rc = check_holds_block(job, IOB_PARAM_NAME(io_size), &job->io_size, err);
	if (rc < 0)
		return rc;
	if (job->offset.percent_micro == whole)
		return iob_fail_usage(
			err, "offset=100%%: nothing of the target is left; at most 99%%");
	if (job->offset.percent_micro + job->size.percent_micro > whole)
		return iob_fail_usage(err, "offset and size together are more than 100%% of the "
					   "target; make one of them smaller");
	if (job->offset.bytes + job->size.bytes > (uint64_t)INT64_MAX)
		return iob_fail_usage(err, "offset and size together are more than any target "
					   "holds; make one of them smaller");
	return 0;
}

static int check_batch(
	const struct iob_job *job, const char *name, uint64_t value, struct iob_error *err)
{
	if (value <= job->iodepth)
		return 0;
	return iob_fail_usage(err, "%s=%llu: more than iodepth=%llu; at most the depth", name,
		(unsigned long long)value, (unsigned long long)job->iodepth);
}

static int check_cpus(const char *list, struct iob_error *err)
{
	const char *why;
	cpu_set_t set;

	if (list[0] == '\0' || iob_cpulist_parse(&set, list, &why) == 0)
		return 0;
	return iob_fail_usage(
		err, "cpus_allowed=%.100s: %s; write a list such as 0-3,8", list, why);
}

/* Zipf's theta = 1 has no finite sum in fio's formula: it refuses that, and so do we. */
static int check_distribution(const struct iob_job *job, struct iob_error *err)
{
	const struct iob_job_pattern *more = &job->pattern;
	char text[48];

	iob_param_get(job, IOB_PARAM_OF(pattern.random_distribution), text, sizeof(text));
	if (more->random_distribution == IOB_DIST_ZIPF && more->distribution_micro == ONE_MICRO)
		return iob_fail_usage(err,
			"random_distribution=%s: theta must not be 1; write zipf:0.99 or zipf:1.01",
			text);
	if (more->random_distribution == IOB_DIST_PARETO && more->distribution_micro >= ONE_MICRO)
		return iob_fail_usage(
			err, "random_distribution=%s: h must be below 1, such as 0.2", text);
	return 0;
}

static int check_priorities(const struct iob_job *job, struct iob_error *err)
{
	struct iob_cmdprio priorities;

	return iob_cmdprio_init(&priorities, job, err);
}

/* What has a syntax of its own. */
static int check_worker(const struct iob_job *job, struct iob_error *err)
{
	struct iob_placement placement;
	struct iob_tolerance tolerance;
	int rc = iob_tolerance_init(&tolerance, job, err);

	if (rc == 0 && job->buffer_pattern[0])
		rc = iob_byte_pattern_parse(
			NULL, IOB_PARAM_NAME(buffer_pattern), job->buffer_pattern, err);
	return rc < 0 ? rc : iob_placement_init(&placement, job, err);
}

int iob_job_check(const struct iob_job *job, struct iob_error *err)
{
	if (job->filename[0] != '\0' && job->directory[0] != '\0')
		return iob_fail_usage(err,
			"filename=%.100s and directory=%.100s: only one of them; leave one out",
			job->filename, job->directory);
	int rc = check_batch(job, IOB_PARAM_NAME(iodepth_batch), job->iodepth_batch, err);
	if (rc == 0)
		rc = check_batch(job, IOB_PARAM_NAME(iodepth_batch_complete),
			job->iodepth_batch_complete, err);
	if (rc == 0)
		rc = check_region(job, err);
	if (rc == 0)
		rc = check_cpus(job->cpus_allowed, err);
	if (rc == 0)
		rc = check_worker(job, err);
	if (rc == 0)
		rc = check_distribution(job, err);
	if (rc == 0)
		rc = check_priorities(job, err);
	if (rc < 0)
		return rc;
	if (job->sqthread_poll_cpu != IOB_NO_CPU && !job->sqthread_poll)
		return iob_fail_usage(err,
			"sqthread_poll_cpu=%llu: has no effect without sqthread_poll=1; add that or "
			"leave it out",
			(unsigned long long)job->sqthread_poll_cpu);
	bool limited = job->io_size.bytes != 0 || job->io_size.percent_micro != 0;
	if (limited && job->time_based)
		return iob_fail_usage(err,
			"io_size: has no effect while time_based=1; add time_based=0 or leave io_size out");
	return 0;
}

void iob_live_from_job(struct iob_live *live, const struct iob_job *job)
{
	*live = (struct iob_live){
		.rw = job->rw,
		.bs_is_seq_rand = job->pattern.bs_is_seq_rand,
		.iodepth = job->iodepth,
		.rwmixread = job->rwmixread,
		.numjobs = job->numjobs,
	};
	memcpy(live->bs, job->bs, sizeof(live->bs));
	memcpy(live->rate_iops, job->rate_iops, sizeof(live->rate_iops));
	memcpy(live->rate_bytes, job->ctl.rate, sizeof(live->rate_bytes));
}

void iob_live_to_job(const struct iob_live *live, struct iob_job *job)
{
	/* What stood behind the colon belonged to the other kind. */
	if (job->rw != live->rw)
		job->pattern.rw_suffix = 0;
	job->rw = live->rw;
	job->iodepth = live->iodepth;
	job->rwmixread = live->rwmixread;
	if (live->numjobs)
		job->numjobs = live->numjobs;
	memcpy(job->bs, live->bs, sizeof(job->bs));
	memcpy(job->rate_iops, live->rate_iops, sizeof(job->rate_iops));
	memcpy(job->ctl.rate, live->rate_bytes, sizeof(job->ctl.rate));
}
