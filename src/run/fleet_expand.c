/* SPDX-License-Identifier: MIT */
/* Jobs become clones: what differs between them is settled here. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "run/budget.h"
#include "run/fleet.h"

/* What randrepeat=1 stands for; any constant would do. */
#define REPEATED_SEED UINT64_C(0x10b1e55ed5eed)
/* Of the memory that is available, logs of all jobs together may wait in one part, but not in more
 * than helps a disk that is slow for a while. */
#define LOG_SHARE     4
#define MOST_FOR_LOGS (UINT64_C(4) << 30)

static int count_clones(const struct iob_fio_jobs *jobs, unsigned *out, struct iob_error *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < jobs->njobs; i++) {
		uint64_t n = jobs->job[i].job.numjobs;

		sum += n <= IOB_FLEET_MAX_CLONES ? n : IOB_FLEET_MAX_CLONES + 1;
	}
	if (sum > IOB_FLEET_MAX_CLONES)
		return iob_fail_usage(err,
			"%" PRIu64 " jobs (each counts numjobs times): at most %u", sum,
			IOB_FLEET_MAX_CLONES);
	if (sum == 0)
		return iob_fail_usage(err, "no job is given: name one by --name=... or a job file");
	*out = (unsigned)sum;
	return 0;
}

/* fio's: repeated jobs differ by their number alone. */
static uint64_t seed_of(const struct iob_fleet *f, const struct iob_fleet_clone *c)
{
	const struct iob_job *job = &c->settings;
	uint64_t base = f->base_seed;

	if (job->randseed)
		base = job->randseed;
	else if (job->randrepeat)
		base = REPEATED_SEED;
	uint64_t seed = iob_mix64(base + c->thread * UINT64_C(0x9e3779b97f4a7c15));
	return seed ? seed : 1;
}

static uint64_t delay_of(const struct iob_fleet_clone *c)
{
	const struct iob_job_control *ctl = &c->settings.ctl;
	struct iob_rng rng;

	if (ctl->startdelay_max_ns <= ctl->startdelay_ns)
		return ctl->startdelay_ns;
	iob_rng_seed(&rng, c->seed, 0x64656c61);
	return ctl->startdelay_ns +
	       iob_rng_below(&rng, ctl->startdelay_max_ns - ctl->startdelay_ns + 1);
}

/* The newest earlier job of that name. */
static int find_waited_for(
	const struct iob_fleet *f, unsigned job, uint32_t *out, struct iob_error *err)
{
	const char *name = f->jobs->job[job].job.ctl.wait_for;

	*out = IOB_ORDER_NOBODY;
	if (name[0] == '\0')
		return 0;
	for (unsigned i = job; i-- > 0;)
		if (strcmp(f->jobs->job[i].jobname, name) == 0) {
			*out = i;
			return 0;
		}
	return iob_fail_usage(err, "job %s: wait_for=%s: no job of that name stands before it",
		f->jobs->job[job].jobname, name);
}

static int order_clone(struct iob_fleet *f, unsigned i, struct iob_error *err)
{
	static const enum iob_order_scope scopes[] = {
		[IOB_EXIT_WHAT_GROUP] = IOB_ORDER_GROUP,
		[IOB_EXIT_WHAT_ALL] = IOB_ORDER_ALL,
		[IOB_EXIT_WHAT_STONEWALL] = IOB_ORDER_WALL,
	};
	const struct iob_fleet_clone *c = &f->clone[i];
	const struct iob_job_control *ctl = &c->settings.ctl;
	struct iob_order_member *m = &f->order.member[i];

	*m = (struct iob_order_member){
		.job = c->job,
		.group = c->group,
		.stonewall = ctl->stonewall && c->number == 0,
		.delay_ns = delay_of(c),
		.exitall_on_error = ctl->exitall_on_error,
		.scope = scopes[ctl->exit_what],
	};
	/* It stands in one job and is meant for all. */
	for (size_t k = 0; k < f->jobs->njobs; k++)
		m->exitall |= f->jobs->job[k].job.ctl.exitall;
	return find_waited_for(f, c->job, &m->wait_for, err);
}

static int add_amount(struct iob_amount *to, const struct iob_amount *step, unsigned times)
{
	if (!times || (!step->bytes && !step->percent_micro))
		return 0;
	uint64_t bytes, share;

	if (__builtin_mul_overflow(step->bytes, times, &bytes) ||
		__builtin_mul_overflow(step->percent_micro, times, &share) ||
		__builtin_add_overflow(to->bytes, bytes, &to->bytes) ||
		__builtin_add_overflow(to->percent_micro, share, &to->percent_micro))
		return -EINVAL;
	return 0;
}

/* Each clone begins so much later than the one before. */
static int shift_offset(struct iob_fleet_clone *c, struct iob_error *err)
{
	struct iob_amount *step = &c->settings.pattern.offset_increment;
	const struct iob_amount *from = &c->settings.offset;

	/* A share and bytes: what that makes is known with the file's size. */
	if ((from->bytes && step->percent_micro) || (from->percent_micro && step->bytes)) {
		c->settings.pattern.clone = c->number;
		return 0;
	}
	int rc = add_amount(&c->settings.offset, step, c->number);

	*step = (struct iob_amount){0};
	if (rc == 0)
		return 0;
	return iob_fail_usage(err,
		"offset_increment: %u times that, and offset, must fit into 64 bits", c->number);
}

static int settle_clone(struct iob_fleet *f, unsigned i, struct iob_error *err)
{
	struct iob_fleet_clone *c = &f->clone[i];

	c->settings = c->source->job;
	c->settings.numjobs = 1;
	c->seed = seed_of(f, c);
	int rc = iob_fleet_name(c, err);
	if (rc == 0)
		rc = shift_offset(c, err);
	if (rc == 0)
		rc = iob_job_check(&c->settings, err);
	if (rc < 0) {
		iob_error_prefix(err, "job %s: ", c->settings.name);
		return rc;
	}
	return order_clone(f, i, err);
}

/* What logs wait in while their disk is slow: a part of what there is, whoever hangs. */
static void find_log_room(struct iob_fleet *f)
{
	struct iob_memory m;
	unsigned n = 0;

	for (unsigned i = 0; i < f->count; i++)
		n += iob_fleet_has_logs(&f->clone[i].settings.ctl);
	iob_memory_look(&m, "");
	uint64_t room = m.available / LOG_SHARE;
	if (n)
		f->log_room = (room < MOST_FOR_LOGS ? room : MOST_FOR_LOGS) / n;
}

/* Each load process looks after itself alone; together they must not take what there is not.  One
 * that waits for another is not beside it. */
static int check_memory(const struct iob_fleet *f, struct iob_error *err)
{
	struct iob_plan_log log;
	uint64_t sum = 0;
	unsigned runs = 0;

	for (unsigned i = 0; i < f->count; i++) {
		if (f->order.member[i].wait_for == IOB_ORDER_NOBODY) {
			runs++;
			iob_fleet_logs(f, &log, &f->clone[i].settings.ctl);
			if (__builtin_add_overflow(
				    sum, iob_budget_of(&f->clone[i].settings, &log), &sum))
				sum = UINT64_MAX;
		}
		if (i + 1 < f->count && !f->order.member[i + 1].stonewall)
			continue;
		int rc = runs > 1 ? iob_budget_check_together(runs, sum, err) : 0;
		if (rc < 0)
			return rc;
		sum = runs = 0;
	}
	return 0;
}

/* What the clones from..to-1 ask of one engine together. */
static int check_room(const struct iob_fleet *f, unsigned from, unsigned to,
	const struct iob_engine *engine, struct iob_error *err)
{
	uint64_t capacity = 0;

	for (unsigned i = from; i < to; i++) {
		const struct iob_job *job = &f->clone[i].settings;

		if (f->order.member[i].wait_for == IOB_ORDER_NOBODY &&
			iob_engine_find(job->ioengine) == engine)
			capacity += job->iodepth;
	}
	return capacity ? engine->room(capacity, err) : 0;
}

/* With less than all of them it would be another measurement. */
static int check_engines(const struct iob_fleet *f, struct iob_error *err)
{
	for (unsigned k = 0; iob_engines[k]; k++) {
		unsigned from = 0;

		for (unsigned i = 1; i <= f->count && iob_engines[k]->room; i++) {
			if (i < f->count && !f->order.member[i].stonewall)
				continue;
			int rc = check_room(f, from, i, iob_engines[k], err);
			if (rc < 0)
				return rc;
			from = i;
		}
	}
	return 0;
}

int iob_fleet_expand(struct iob_fleet *f, struct iob_error *err)
{
	unsigned i = 0, group = 0;
	int rc = count_clones(f->jobs, &f->count, err);

	if (rc < 0)
		return rc;
	f->clone = calloc(f->count, sizeof(*f->clone));
	f->order.member = calloc(f->count, sizeof(*f->order.member));
	if (!f->clone || !f->order.member)
		return iob_fail(err, -ENOMEM, "%u jobs: %m", f->count);
	f->order.count = f->count;
	for (unsigned k = 0; k < f->jobs->njobs; k++) {
		const struct iob_fio_job *job = &f->jobs->job[k];

		if (i > 0 && (job->job.ctl.stonewall || job->job.ctl.new_group))
			group++;
		for (unsigned n = 0; n < job->job.numjobs && rc == 0; n++, i++) {
			f->clone[i] = (struct iob_fleet_clone){.source = job,
				.job = k,
				.number = n,
				.thread = i + 1,
				.group = group};
			rc = settle_clone(f, i, err);
		}
	}
	find_log_room(f);
	if (rc == 0)
		rc = check_memory(f, err);
	return rc < 0 ? rc : check_engines(f, err);
}
