/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/plan.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "job/param.h"

/* What randrepeat=1 stands for; any constant would do. */
#define REPEATED_SEED UINT64_C(0x10b1e55ed5eed)

void iob_plan_init(struct iob_plan *plan)
{
	memset(plan, 0, sizeof(*plan));
	plan->nstages = 1;
	iob_job_defaults(&plan->stage[0]);
}

int iob_plan_set_target(struct iob_plan *plan, const char *target, struct iob_error *err)
{
	if (!target)
		return 0;
	size_t n = strlen(target);
	if (n == 0)
		return iob_fail_usage(
			err, "TARGET is empty; name a block device, a file or a directory");
	if (n >= IOB_PATH_MAX)
		return iob_fail_usage(err, "TARGET %.100s...: the path is too long", target);
	/* Asking the file system could hang here, in the front: the slash alone decides, and the
	 * load process finds out the rest. */
	bool is_directory = target[n - 1] == '/';
	int rc = iob_plan_set(plan, is_directory ? "directory" : "filename", target, err);
	if (rc == 0)
		rc = iob_plan_set(plan, is_directory ? "filename" : "directory", "", err);
	return rc;
}

int iob_plan_set(struct iob_plan *plan, const char *name, const char *value, struct iob_error *err)
{
	for (unsigned i = 0; i < plan->nstages; i++) {
		int rc = iob_param_set_named(&plan->stage[i], name, value, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int iob_consent_add(struct iob_consent *c, const char *path, struct iob_error *err)
{
	size_t n = strlen(path);

	if (n == 0)
		return iob_fail_usage(err,
			"--allow-write: the name is empty; name the device or file to write to");
	if (n >= IOB_PATH_MAX)
		return iob_fail_usage(err, "--allow-write=%.100s: the name is too long", path);
	if (c->count == IOB_MAX_CONSENTS)
		return iob_fail_usage(
			err, "--allow-write=%.100s: at most %d names", path, IOB_MAX_CONSENTS);
	memcpy(c->path[c->count], path, n + 1);
	c->count++;
	return 0;
}

int iob_plan_allow_write(struct iob_plan *plan, const char *path, struct iob_error *err)
{
	return iob_consent_add(&plan->consent, path, err);
}

static int choose_seed(struct iob_plan *plan, struct iob_error *err)
{
	bool repeat = false;

	plan->seed = 0;
	for (unsigned i = 0; i < plan->nstages && plan->seed == 0; i++) {
		plan->seed = plan->stage[i].randseed;
		repeat |= plan->stage[i].randrepeat || plan->stage[i].pattern.allrandrepeat;
	}
	if (plan->seed == 0 && repeat)
		plan->seed = REPEATED_SEED;
	while (plan->seed == 0) {
		if (getrandom(&plan->seed, sizeof(plan->seed), 0) < 0 && errno != EINTR)
			return iob_fail(err, -errno, "random seed: %m; give one by randseed=1");
	}
	return 0;
}

static bool has_place(const struct iob_job *job)
{
	return job->filename[0] != '\0' || job->directory[0] != '\0' ||
	       iob_job_needs_no_target(job);
}

static int choose_place(struct iob_plan *plan, struct iob_error *err)
{
	const struct iob_job *lacking = NULL;
	unsigned placed = 0;

	for (unsigned i = 0; i < plan->nstages; i++) {
		if (has_place(&plan->stage[i]))
			placed++;
		else
			lacking = &plan->stage[i];
	}
	if (lacking && placed > 0)
		return iob_fail_usage(err,
			"stage %s has no filename while others have one; give it one, or give "
			"TARGET for all",
			lacking->name);
	plan->scratch = lacking != NULL;
	return 0;
}

/* The run takes as long as all steps together, and starts with the first. */
static int prepare_sweep(struct iob_plan *plan, struct iob_error *err)
{
	struct iob_sweep *sweep = &plan->sweep;
	struct iob_job *job = &plan->stage[0];
	struct iob_live live;

	if (!iob_sweep_is_on(sweep))
		return 0;
	if (plan->nstages > 1)
		return iob_fail_usage(err, "sweep: the profile %s has %u stages; one can be swept",
			plan->profile, plan->nstages);
	if (!sweep->step_ns) {
		bool given = iob_param_is_given(job, IOB_PARAM_OF(runtime_ns));

		sweep->step_ns = given && job->runtime_ns ? job->runtime_ns : IOB_SWEEP_STEP_NS;
	}
	iob_live_from_job(&live, job);
	iob_sweep_set(sweep, &live, sweep->from);
	iob_live_to_job(&live, job);
	job->runtime_ns = sweep->step_ns * iob_sweep_steps(sweep);
	job->time_based = true;
	return 0;
}

int iob_plan_finish(struct iob_plan *plan, struct iob_error *err)
{
	if (plan->nstages < 1 || plan->nstages > IOB_MAX_STAGES)
		return iob_fail_usage(err, "the plan has %u stages; 1 to %d are possible",
			plan->nstages, IOB_MAX_STAGES);
	int rc = prepare_sweep(plan, err);
	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < plan->nstages; i++) {
		rc = iob_job_check(&plan->stage[i], err);
		if (rc < 0 && plan->nstages > 1)
			iob_error_prefix(err, "stage %s: ", plan->stage[i].name);
		if (rc < 0)
			return rc;
	}
	rc = choose_place(plan, err);
	if (rc == 0)
		rc = choose_seed(plan, err);
	return rc;
}
