/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/options.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/own_options.h"
#include "job/fio_plan.h"
#include "job/param.h"
#include "job/profile.h"

#define DEFAULT_PROFILE "iops"

/* One word (or two) of the command line, understood: TARGET, a parameter or an own option. */
struct word {
	const char *target;
	const struct iob_param *param;
	const struct iob_own_option *own;
	const char *value; /* NULL = none was given */
};

struct reader {
	int argc, next;
	char **argv;
	bool targets_only; /* after "--" */
};

static struct reader reader_of(int argc, char **argv)
{
	return (struct reader){.argc = argc, .next = 1, .argv = argv};
}

static int fail_unknown(const char *name, struct iob_error *err)
{
	struct iob_nearest nearest = {.typed = name};

	for (const struct iob_own_option *o = iob_own_options; o->name; o++)
		iob_nearest_offer(&nearest, o->name);
	for (size_t i = 0; i < iob_param_count(); i++)
		if (!(iob_param_at(i)->flags & IOB_PF_JOBFILE))
			iob_nearest_offer(&nearest, iob_param_at(i)->name);
	if (nearest.best)
		return iob_fail_usage(
			err, "--%.64s: no such option; did you mean --%s?", name, nearest.best);
	return iob_fail_usage(
		err, "--%.64s: no such option; --help and \"iotop-bench params\" list them", name);
}

/* Could the word after an option be its value?  "-" and "-1" could, "-x" and "--x" are options. */
static bool is_value(const char *word)
{
	return word[0] != '-' || word[1] == '\0' || (word[1] >= '0' && word[1] <= '9');
}

static bool is_switch(const struct word *w)
{
	assert(w->param || w->own);
	return w->param ? w->param->type == IOB_P_BOOL : !w->own->value;
}

static int take_value(struct reader *r, struct word *w, const char *name, struct iob_error *err)
{
	const char *next = r->next < r->argc ? r->argv[r->next] : NULL;

	if (w->own && !w->own->value && w->value)
		return iob_fail_usage(err, "--%s=%.64s: takes no value; write --%s", w->own->name,
			w->value, w->own->name);
	/* A switch takes a separate word only when that can be nothing else. */
	if (!w->value && w->param && is_switch(w) && next &&
		(strcmp(next, "0") == 0 || strcmp(next, "1") == 0))
		w->value = r->argv[r->next++];
	if (!w->value && !is_switch(w)) {
		if (!next || !is_value(next))
			return iob_fail_usage(
				err, "--%s: needs a value; write --%s=VALUE", name, name);
		w->value = r->argv[r->next++];
	}
	if (w->value && w->value[0] == '\0')
		return iob_fail_usage(
			err, "--%s=: the value is empty; give one or leave --%s out", name, name);
	return 0;
}

static int read_option(struct reader *r, const char *text, struct word *w, struct iob_error *err)
{
	char name[IOB_NAME_MAX];
	size_t n = strcspn(text, "=");

	if (n == 0 || n >= sizeof(name))
		return iob_fail_usage(err, "-%.64s: no such option; --help lists them", text);
	memcpy(name, text, n);
	name[n] = '\0';
	w->own = iob_own_option_find(name);
	w->param = w->own ? NULL : iob_param_find(name);
	if (!w->own && !w->param)
		return fail_unknown(name, err);
	w->value = text[n] == '=' ? text + n + 1 : NULL;
	return take_value(r, w, w->own ? w->own->name : w->param->name, err);
}

/* 1 = a word was read, 0 = the end. */
static int read_word(struct reader *r, struct word *w, struct iob_error *err)
{
	*w = (struct word){0};
	while (r->next < r->argc) {
		const char *text = r->argv[r->next++];

		if (r->targets_only || text[0] != '-') {
			w->target = text;
			return 1;
		}
		if (strcmp(text, "--") == 0) {
			r->targets_only = true;
			continue;
		}
		if (text[1] == '\0')
			return iob_fail_usage(err, "-: standard input cannot be measured; name a "
						   "block device, a file or a directory");
		int rc = read_option(r, text[1] == '-' ? text + 2 : text + 1, w, err);
		return rc < 0 ? rc : 1;
	}
	return 0;
}

/* What must be known before anything is applied. */
struct survey {
	const char *profile, *jobfile, *target;
	const char *section[IOB_MAX_STAGES];
	size_t nsections;
	const struct iob_param *place; /* filename or directory */
	bool has_rw;
};

/* "rw=write" is a parameter whose dashes were forgotten, unless there is a file of that name. */
static bool is_bare_parameter(const char *text)
{
	char name[IOB_NAME_MAX];
	size_t n = strcspn(text, "=");

	if (text[n] == '\0' || n >= sizeof(name) || access(text, F_OK) == 0)
		return false;
	memcpy(name, text, n);
	name[n] = '\0';
	return iob_param_find(name) || iob_own_option_find(name);
}

static int survey_word(struct survey *s, const struct word *w, struct iob_error *err)
{
	bool second = false;

	if (w->target) {
		second = s->target != NULL;
		s->target = w->target;
	} else if (w->own && strcmp(w->own->name, "profile") == 0) {
		if (s->profile)
			return iob_fail_usage(err,
				"--profile=%.64s: only one profile; %.64s is "
				"there already",
				w->value, s->profile);
		s->profile = w->value;
	} else if (w->own && strcmp(w->own->name, "jobfile") == 0) {
		if (s->jobfile)
			return iob_fail_usage(err,
				"--jobfile=%.64s: only one job file; %.64s is "
				"there already",
				w->value, s->jobfile);
		s->jobfile = w->value;
	} else if (w->own && strcmp(w->own->name, "section") == 0) {
		if (s->nsections == IOB_MAX_STAGES)
			return iob_fail_usage(err, "--section=%.64s: at most %d of them", w->value,
				IOB_MAX_STAGES);
		s->section[s->nsections++] = w->value;
	} else if (w->param && strcmp(w->param->name, "rw") == 0) {
		s->has_rw = true;
	} else if (w->param && (strcmp(w->param->name, "filename") == 0 ||
				       strcmp(w->param->name, "directory") == 0)) {
		s->place = w->param;
	}
	if (w->target && is_bare_parameter(w->target))
		return iob_fail_usage(
			err, "%.100s: no such file; did you mean --%.100s?", w->target, w->target);
	if (second)
		return iob_fail_usage(err, "%.100s: only one TARGET is possible", w->target);
	if (s->target && s->place)
		return iob_fail_usage(err,
			"TARGET %.100s and --%s: only one of them; leave one out", s->target,
			s->place->name);
	return 0;
}

static int survey(struct survey *s, struct reader r, struct iob_error *err)
{
	struct word w;
	int rc = 0;

	while ((rc = read_word(&r, &w, err)) > 0) {
		rc = survey_word(s, &w, err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

/* Not installed, the program still does what its default profile says. */
static int load_default(struct iob_plan *plan, struct iob_error *err)
{
	struct iob_profile_entry entry;

	if (iob_profile_find(&entry, DEFAULT_PROFILE, NULL) == 0)
		return iob_profile_load(plan, DEFAULT_PROFILE, err);
	return iob_plan_set(plan, "iodepth", "32", err);
}

static int load_jobfile(struct iob_plan *plan, const struct survey *s, struct iob_error *err)
{
	struct iob_fio_jobs jobs;
	char clean[1024];
	int rc = iob_fio_plan_load(plan, &jobs, s->jobfile, s->section, s->nsections, err);

	for (size_t i = 0; i < jobs.nwarnings; i++)
		fprintf(stderr, PACKAGE_NAME ": warning: %s\n",
			iob_text_clean(clean, sizeof(clean), jobs.warning[i]));
	iob_fio_jobs_free(&jobs);
	return rc;
}

static int load_profile(struct iob_plan *plan, const struct survey *s, struct iob_error *err)
{
	if (s->profile && s->jobfile)
		return iob_fail_usage(err,
			"--profile=%.64s and --jobfile=%.64s: only one of them; leave one out",
			s->profile, s->jobfile);
	if (s->nsections > 0 && !s->jobfile)
		return iob_fail_usage(err,
			"--section=%.64s: sections are those of a job file; add --jobfile=FILE",
			s->section[0]);
	if (s->jobfile)
		return load_jobfile(plan, s, err);
	if (s->profile)
		return iob_profile_load(plan, s->profile, err);
	return s->has_rw ? 0 : load_default(plan, err);
}

static int apply_word(struct iob_options *o, const struct word *w, struct iob_error *err)
{
	if (w->target)
		return iob_plan_set_target(o->plan, w->target, err);
	if (w->own)
		return w->own->apply(o, w->value, err);
	assert(w->param);
	return iob_plan_set(o->plan, w->param->name, w->value, err);
}

static int apply_all(struct iob_options *o, struct reader r, struct iob_error *err)
{
	struct word w;
	int rc = 0;

	while ((rc = read_word(&r, &w, err)) > 0) {
		rc = apply_word(o, &w, err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static int parse(struct iob_options *o, const struct reader *r, struct iob_error *err)
{
	struct survey s = {0};
	int rc = survey(&s, *r, err);

	if (rc == 0)
		rc = load_profile(o->plan, &s, err);
	if (rc == 0)
		rc = apply_all(o, *r, err);
	if (rc < 0)
		return rc;
	o->jobfile = s.jobfile;
	o->profile = s.profile;
	for (unsigned i = 0; i < o->plan->nstages; i++) {
		const struct iob_job *job = &o->plan->stage[i];

		if (job->filename[0] != '\0' || job->directory[0] != '\0')
			o->has_target = true;
	}
	if (o->help || o->version)
		return 0;
	return iob_plan_finish(o->plan, err);
}

int iob_options_parse(struct iob_options *o, int argc, char **argv, struct iob_error *err)
{
	struct reader r = reader_of(argc, argv);

	*o = (struct iob_options){.symbols = "auto", .argc = argc, .argv = argv};
	iob_format_list_default(&o->formats);
	o->plan = malloc(sizeof(*o->plan));
	if (!o->plan)
		return iob_fail(err, -ENOMEM, "the plan of the run: %m");
	iob_plan_init(o->plan);
	int rc = parse(o, &r, err);
	if (rc < 0)
		iob_options_free(o);
	return rc;
}

/* A plan at its defaults, but for the files of the reports; both may be the same plan. */
static void begin_again(struct iob_plan *plan, const struct iob_options *given)
{
	struct iob_plan_report report[IOB_MAX_REPORTS];
	unsigned nreports = given->plan->nreports;

	memcpy(report, given->plan->report, sizeof(report));
	iob_plan_init(plan);
	plan->nreports = nreports;
	memcpy(plan->report, report, sizeof(report));
}

int iob_options_replan(const struct iob_options *given, const char *profile, struct iob_plan *plan,
	struct iob_error *err)
{
	struct iob_options o = *given;

	begin_again(plan, given);
	o.plan = plan;
	int rc = iob_profile_load(plan, profile, err);
	return rc < 0 ? rc : apply_all(&o, reader_of(given->argc, given->argv), err);
}

int iob_options_replan_job(const struct iob_options *given, const char *path, bool options,
	struct iob_plan *plan, struct iob_fio_note *note, struct iob_error *err)
{
	struct iob_options o = *given;
	struct iob_fio_jobs jobs;
	struct survey s = {0};
	bool same = given->jobfile && strcmp(given->jobfile, path) == 0;
	int rc = survey(&s, reader_of(given->argc, given->argv), err);

	note->text[0] = '\0';
	if (rc < 0)
		return rc;
	begin_again(plan, given);
	o.plan = plan;
	rc = iob_fio_plan_load(plan, &jobs, path, s.section, same ? s.nsections : 0, err);
	if (jobs.nwarnings > 0)
		iob_text_clean(note->text, sizeof(note->text), jobs.warning[0]);
	iob_fio_jobs_free(&jobs);
	if (rc == 0 && options)
		rc = apply_all(&o, reader_of(given->argc, given->argv), err);
	return rc;
}

void iob_options_words(const struct iob_options *o, char *buf, size_t n)
{
	struct reader r = reader_of(o->argc, o->argv);
	size_t used = 0;
	struct word w;

	buf[0] = '\0';
	while (read_word(&r, &w, NULL) > 0 && used < n)
		if (w.param)
			used += (size_t)snprintf(buf + used, n - used, " --%s%s%s", w.param->name,
				w.value ? "=" : "", w.value ? w.value : "");
}

void iob_options_free(struct iob_options *o)
{
	free(o->plan);
	o->plan = NULL;
}
