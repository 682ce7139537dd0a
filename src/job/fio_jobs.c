/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "job/fio_option.h"
#include "job/fio_rules.h"
#include "job/param.h"

struct maker {
	struct iob_fio_jobs *jobs;
	const struct iob_fio_rules *rules;
	struct iob_fio_job base; /* what [global] said so far */
	size_t from;             /* the first of jobs->global that is in force */
	unsigned said;
};

static struct iob_fio_draft draft_of(struct maker *m, struct iob_fio_job *j)
{
	return (struct iob_fio_draft){
		.jobs = m->jobs,
		.rules = m->rules,
		.job = &j->job,
		.jobname = j->jobname,
		.needs_exec = &j->needs_exec,
		.said = m->said,
	};
}

static int apply(
	struct maker *m, struct iob_fio_job *j, const struct iob_section *s, struct iob_error *err)
{
	struct iob_fio_draft draft = draft_of(m, j);
	int rc = iob_fio_options_apply(&draft, s->option, s->noptions, err);

	m->said = draft.said;
	return rc;
}

/* fio's first name of an option: readers of its reports look for that one. */
static const char *first_name(const char *key)
{
	const struct iob_param *p = iob_param_find(key);

	if (p && p->offset == offsetof(struct iob_job, iodepth_batch_complete))
		return "iodepth_batch_complete_min";
	if (p && strcmp(p->name, "blockalign") == 0)
		return "ba";
	if (strcmp(key, "mem_align") == 0)
		return "iomem_align";
	/* Two options there, with one meaning. */
	if (strcmp(key, "threads") == 0)
		return key;
	return p ? p->name : key;
}

static int copy_option(
	struct iob_option **to, size_t *n, const struct iob_option *from, struct iob_error *err)
{
	int rc = iob_options_append(to, n, from, err);
	struct iob_option *o = rc == 0 ? &(*to)[*n - 1] : NULL;
	const char *name = first_name(from->key);

	if (!o || strcmp(o->key, name) == 0)
		return rc;
	char *copy = strdup(name);
	if (!copy)
		return iob_fail(err, -ENOMEM, "the jobs: %m");
	free(o->key);
	o->key = copy;
	return 0;
}

static int copy_options(struct iob_option **to, size_t *n, const struct iob_option *from,
	size_t nfrom, struct iob_error *err)
{
	for (size_t i = 0; i < nfrom; i++) {
		int rc = copy_option(to, n, &from[i], err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int take_global(struct maker *m, const struct iob_section *s, struct iob_error *err)
{
	struct iob_fio_jobs *jobs = m->jobs;
	int rc = copy_options(&jobs->global, &jobs->nglobals, s->option, s->noptions, err);

	return rc < 0 ? rc : apply(m, &m->base, s, err);
}

static struct iob_fio_job *new_job(struct maker *m)
{
	struct iob_fio_jobs *jobs = m->jobs;
	struct iob_fio_job *grown = iob_array_extend(jobs->job, jobs->njobs, sizeof(*grown));

	if (!grown)
		return NULL;
	jobs->job = grown;
	jobs->job[jobs->njobs] = m->base;
	return &jobs->job[jobs->njobs++];
}

static int take_job(struct maker *m, const struct iob_section *s, struct iob_error *err)
{
	struct iob_fio_job *j = new_job(m);

	if (!j)
		return iob_fail(err, -ENOMEM, "the jobs: %m");
	j->place = s->place;
	snprintf(j->jobname, sizeof(j->jobname), "%s", s->name);
	snprintf(j->section, sizeof(j->section), "%s", s->name);
	j->job.ctl.stonewall |= s->waits;
	const struct iob_fio_jobs *jobs = m->jobs;
	int rc = 0;

	for (size_t i = m->from; i < jobs->nglobals && rc == 0; i++)
		rc = iob_options_append(&j->global, &j->nglobals, &jobs->global[i], err);
	if (rc == 0)
		rc = copy_options(&j->option, &j->noptions, s->option, s->noptions, err);
	if (rc == 0)
		rc = apply(m, j, s, err);
	j->asked_iodepth = j->job.iodepth;
	if (rc == 0)
		rc = iob_fio_job_settle(m->jobs, j, err);
	return rc;
}

/* Each job file begins anew; options of the command line are for the first one, as in fio. */
static void forget_globals(struct maker *m, const struct iob_section *s)
{
	struct iob_fio_jobs *jobs = m->jobs;

	for (size_t i = m->from; i < jobs->nglobals; i++) {
		const struct iob_option *o = &jobs->global[i];

		if (o->place.line != 0)
			continue;
		iob_messages_add(&jobs->warning, &jobs->nwarnings, &s->place,
			"%.60s of the command line holds for the first job file only, as in fio; "
			"write it into [global] of this one",
			o->key);
		break;
	}
	m->from = jobs->nglobals;
	m->base = (struct iob_fio_job){0};
	iob_fio_defaults(&m->base.job);
}

static bool is_wanted(const struct iob_fio_rules *rules, const char *name)
{
	for (size_t i = 0; i < rules->nonly; i++) {
		if (strcmp(rules->only[i], name) == 0)
			return true;
	}
	return rules->nonly == 0;
}

static int check_wanted(
	const struct iob_fio_rules *rules, const struct iob_jobfile *jf, struct iob_error *err)
{
	for (size_t i = 0; i < rules->nonly; i++) {
		struct iob_nearest nearest = {.typed = rules->only[i]};
		bool found = false;

		for (size_t k = 0; k < jf->nsections && !found; k++) {
			found = strcmp(jf->section[k].name, rules->only[i]) == 0;
			if (!jf->section[k].global)
				iob_nearest_offer(&nearest, jf->section[k].name);
		}
		if (!found && nearest.best)
			return iob_fail_usage(err,
				"--section=%.64s: there is no such section; did you mean %.64s?",
				rules->only[i], nearest.best);
		if (!found)
			return iob_fail_usage(
				err, "--section=%.64s: there is no such section", rules->only[i]);
	}
	return 0;
}

int iob_fio_jobs_make(struct iob_fio_jobs *jobs, const struct iob_jobfile *jf,
	const struct iob_fio_rules *rules, struct iob_error *err)
{
	struct maker *m = calloc(1, sizeof(*m));

	*jobs = (struct iob_fio_jobs){0};
	if (!m)
		return iob_fail(err, -ENOMEM, "the jobs: %m");
	m->jobs = jobs;
	m->rules = rules;
	iob_fio_defaults(&m->base.job);
	int rc = check_wanted(rules, jf, err);
	for (size_t i = 0; i < jf->nsections && rc == 0; i++) {
		const struct iob_section *s = &jf->section[i];

		if (s->fresh)
			forget_globals(m, s);
		if (s->global)
			rc = take_global(m, s, err);
		else if (s->place.line == 0 || is_wanted(rules, s->name))
			rc = take_job(m, s, err);
	}
	free(m);
	return rc < 0 ? rc : iob_fio_jobs_check(jobs, rules, err);
}

void iob_fio_jobs_free(struct iob_fio_jobs *jobs)
{
	for (size_t i = 0; i < jobs->njobs; i++) {
		iob_options_release(jobs->job[i].option, jobs->job[i].noptions);
		iob_options_release(jobs->job[i].global, jobs->job[i].nglobals);
	}
	free(jobs->job);
	iob_options_release(jobs->global, jobs->nglobals);
	iob_messages_free(jobs->warning, jobs->nwarnings);
	iob_messages_free(jobs->note, jobs->nnotes);
	*jobs = (struct iob_fio_jobs){0};
}

static const struct iob_option *last_of(
	const struct iob_option *o, size_t n, const struct iob_param *p, const char *name)
{
	while (n-- > 0) {
		if (strcmp(o[n].key, name) == 0 || (p && iob_param_find(o[n].key) == p))
			return &o[n];
	}
	return NULL;
}

const struct iob_option *iob_fio_job_option(const struct iob_fio_job *j, const char *name)
{
	const struct iob_param *p = iob_param_find(name);
	const struct iob_option *o = last_of(j->option, j->noptions, p, name);

	return o ? o : last_of(j->global, j->nglobals, p, name);
}

const struct iob_place *iob_fio_job_place(const struct iob_fio_job *j, const char *name)
{
	const struct iob_option *o = iob_fio_job_option(j, name);

	return o ? &o->place : &j->place;
}
