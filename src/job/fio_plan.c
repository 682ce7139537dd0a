/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/param.h"

#define INSTEAD "run it as \"iotop-bench fio FILE\""

/* What only a fleet of jobs can do. */
static int check_alone(const struct iob_fio_job *j, struct iob_error *err)
{
	const struct iob_job_control *c = &j->job.ctl;
	const char *name = c->wait_for[0] != '\0'     ? IOB_PARAM_NAME(ctl.wait_for)
			   : c->startdelay_max_ns > 0 ? IOB_PARAM_NAME(ctl.startdelay_ns)
			   : c->loops > 1             ? IOB_PARAM_NAME(ctl.loops)
			   : c->opendir[0] != '\0'    ? IOB_PARAM_NAME(ctl.opendir)
						      : NULL;

	if (!name)
		return 0;
	const struct iob_option *o = iob_fio_job_option(j, name);
	return iob_fail_place(err, o ? &o->place : &j->place,
		"%s cannot be done in a single run; " INSTEAD, name);
}

/* Rows for job files act on fio's order and reports: say which have no effect. */
static void tell_unused(struct iob_fio_jobs *jobs, const struct iob_fio_job *j)
{
	char list[200] = "";
	size_t used = 0;

	for (size_t i = 0; i < iob_param_count() && used < sizeof(list); i++) {
		const struct iob_param *p = iob_param_at(i);
		bool serves = strcmp(p->name, "stonewall") == 0 || strcmp(p->name, "rate") == 0 ||
			      strcmp(p->name, "description") == 0;

		if ((p->flags & IOB_PF_JOBFILE) && !serves && iob_param_is_given(&j->job, p))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
				used > 0 ? ", " : "", p->name);
	}
	if (used > 0)
		iob_messages_add(&jobs->warning, &jobs->nwarnings, &j->place,
			"[%.60s]: no effect on a run with our own reports: %s; " INSTEAD
			" for fio's",
			j->jobname, list);
}

/* Are both the same but for their names, counts and reports? */
static bool is_same(const struct iob_job *a, const struct iob_job *b)
{
	IOB_FREE char *x = malloc(IOB_PATH_MAX), *y = malloc(IOB_PATH_MAX);

	for (size_t i = 0; i < iob_param_count() && x && y; i++) {
		const struct iob_param *p = iob_param_at(i);

		if ((p->flags & IOB_PF_JOBFILE) || p->offset == offsetof(struct iob_job, name) ||
			p->offset == offsetof(struct iob_job, numjobs))
			continue;
		if (strcmp(iob_param_get(a, p, x, IOB_PATH_MAX),
			    iob_param_get(b, p, y, IOB_PATH_MAX)) != 0)
			return false;
	}
	return x && y;
}

static int begin_stage(struct iob_plan *plan, const struct iob_fio_job *j, struct iob_error *err)
{
	if (plan->nstages == IOB_MAX_STAGES)
		return iob_fail_place(err, &j->place,
			"[%.60s] would be stage %d, and a run has at most %d; " INSTEAD
			", or choose some by --section",
			j->jobname, IOB_MAX_STAGES + 1, IOB_MAX_STAGES);
	plan->stage[plan->nstages] = j->job;
	plan->nstages++;
	return 0;
}

static int join_stage(struct iob_plan *plan, const struct iob_fio_job *j, struct iob_error *err)
{
	struct iob_job *stage = &plan->stage[plan->nstages - 1];

	if (!is_same(stage, &j->job))
		return iob_fail_place(err, &j->place,
			"[%.60s] would run at the same time as [%.60s] and is not the same; " INSTEAD
			", choose one by --section, or put stonewall between them",
			j->jobname, stage->name);
	stage->numjobs += j->job.numjobs;
	return 0;
}

static int take_jobs(struct iob_plan *plan, struct iob_fio_jobs *jobs, struct iob_error *err)
{
	plan->nstages = 0;
	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];
		int rc = check_alone(j, err);

		if (rc == 0)
			tell_unused(jobs, j);
		if (rc == 0 && (plan->nstages == 0 || j->job.ctl.stonewall))
			rc = begin_stage(plan, j, err);
		else if (rc == 0)
			rc = join_stage(plan, j, err);
		if (rc < 0)
			return rc;
	}
	const struct iob_param *numjobs = IOB_PARAM_OF(numjobs);
	for (unsigned i = 0; i < plan->nstages; i++) {
		if (plan->stage[i].numjobs > numjobs->max)
			return iob_fail_usage(err, "stage %s: numjobs=%llu: at most %llu",
				plan->stage[i].name, (unsigned long long)plan->stage[i].numjobs,
				(unsigned long long)numjobs->max);
	}
	return 0;
}

/* In front of what the jobs themselves were warned of. */
static void move_warnings(struct iob_fio_jobs *jobs, const struct iob_jobfile *jf)
{
	char **lines = calloc(jf->nwarnings + jobs->nwarnings + 1, sizeof(*lines));
	size_t n = 0;

	if (!lines)
		return;
	for (size_t i = 0; i < jf->nwarnings; i++) {
		lines[n] = strdup(jf->warning[i]);
		n += lines[n] != NULL;
	}
	for (size_t i = 0; i < jobs->nwarnings; i++)
		lines[n++] = jobs->warning[i];
	free(jobs->warning);
	jobs->warning = lines;
	jobs->nwarnings = n;
}

int iob_fio_plan_load(struct iob_plan *plan, struct iob_fio_jobs *jobs, const char *path,
	const char *const *only, size_t n, struct iob_error *err)
{
	const struct iob_fio_rules rules = {.only = only, .nonly = n};
	const char *base = strrchr(path, '/');
	struct iob_jobfile jf = {0};

	*jobs = (struct iob_fio_jobs){0};
	int rc = iob_jobfile_read(&jf, path, err);
	if (rc == 0)
		rc = iob_fio_jobs_make(jobs, &jf, &rules, err);
	if (rc == 0 && jobs->njobs == 0)
		rc = iob_fail_usage(err, "%.200s: there is no job in it", path);
	if (rc == 0)
		rc = take_jobs(plan, jobs, err);
	move_warnings(jobs, &jf);
	iob_jobfile_free(&jf);
	if (rc == 0)
		snprintf(plan->profile, sizeof(plan->profile), "%.63s", base ? base + 1 : path);
	return rc;
}
