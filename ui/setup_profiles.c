/* SPDX-License-Identifier: MIT */
/* The list of profiles: those that are found, and a job file with its stages below it. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "job/fio_plan.h"
#include "ui/setup.h"

bool iob_setup_is_job(const struct iob_setup *s)
{
	/* Without any profile the built-in values can be run all the same. */
	return s->profile_at >= s->nprofiles && (s->nprofiles > 0 || s->jobfile[0]);
}

static unsigned stages_of_job(const struct iob_setup *s)
{
	return s->jobfile[0] ? s->job_stages : 0;
}

static void stage_row(const struct iob_job *job, unsigned i, char *buf, size_t n)
{
	char rw[32], bs[64];

	iob_param_get(job, IOB_PARAM_OF(rw), rw, sizeof(rw));
	iob_param_get(job, IOB_PARAM_OF(bs), bs, sizeof(bs));
	snprintf(buf, n, " %u %.12s %.20s qd %llu  %.40s", i + 1, rw, bs,
		(unsigned long long)job->iodepth, job->name);
}

void iob_setup_profile_row(const struct iob_setup *s, size_t row, char *buf, size_t n)
{
	if (row < s->nprofiles)
		snprintf(buf, n, "%-10s %s", s->profile[row].name, s->profile[row].summary);
	else if (row > s->nprofiles)
		snprintf(buf, n, "%s", s->stage_text[row - s->nprofiles - 1]);
	else if (s->jobfile[0])
		snprintf(buf, n, "job file   %.80s: %u stage%s", iob_app_last_part(s->jobfile),
			s->job_stages, s->job_stages == 1 ? "" : "s");
	else
		snprintf(buf, n, "job file   fio's format: Enter asks for its path");
}

void iob_setup_open_profiles(struct iob_setup *s)
{
	size_t n = s->nprofiles + 1 + stages_of_job(s);
	char(*text)[256] = calloc(n, sizeof(*text));
	const char **label = calloc(n, sizeof(*label));

	if (text && label) {
		for (size_t i = 0; i < n; i++) {
			iob_setup_profile_row(s, i, text[i], sizeof(text[i]));
			label[i] = text[i];
		}
		iob_picker_open(&s->profiles, iob_rect_inside(s->box[IOB_SETUP_PROFILES]), label, n,
			s->profile_at);
	}
	free(label);
	free(text);
}

void iob_setup_scan_profiles(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};
	int n = iob_profile_list(&s->profile, &err);

	if (n < 0)
		iob_app_say(app, IOB_TOAST_WARN, err.text);
	s->nprofiles = n > 0 ? (size_t)n : 0;
	for (size_t i = 0; i < s->nprofiles; i++)
		if (strcmp(s->profile[i].name, app->plan->profile) == 0)
			s->profile_at = i;
	if (!app->config->jobfile)
		return;
	if (iob_setup_load_job(app, app->config->jobfile, &err) < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
	else
		s->profile_at = s->nprofiles;
}

static int read_job(struct iob_app *app, const char *path, bool options, struct iob_plan *plan,
	struct iob_error *err)
{
	const struct iob_ui_config *c = app->config;
	struct iob_fio_jobs jobs;
	struct iob_fio_note note;

	if (c->replan_job) {
		int r = c->replan_job(c->replan_self, path, options, plan, &note, err);
		if (r == 0 && note.text[0])
			iob_app_say(app, IOB_TOAST_WARN, note.text);
		return r;
	}
	iob_plan_init(plan);
	int r = iob_fio_plan_load(plan, &jobs, path, NULL, 0, err);
	if (r == 0 && jobs.nwarnings > 0)
		iob_app_say(app, IOB_TOAST_WARN, jobs.warning[0]);
	iob_fio_jobs_free(&jobs);
	return r;
}

/* The one place that all stages name, "" if they name several or none; *own if they name several.
 */
static void place_of(const struct iob_plan *plan, char *buf, size_t n, bool *own)
{
	const struct iob_job *first = &plan->stage[0];

	*own = false;
	buf[0] = '\0';
	for (unsigned i = 1; i < plan->nstages; i++)
		if (strcmp(plan->stage[i].filename, first->filename) != 0 ||
			strcmp(plan->stage[i].directory, first->directory) != 0)
			*own = true;
	if (first->filename[0] && first->directory[0])
		*own = true;
	if (*own)
		return;
	if (first->filename[0])
		snprintf(buf, n, "%.*s", (int)n - 1, first->filename);
	else if (first->directory[0])
		snprintf(buf, n, "%.*s/", (int)n - 2, first->directory);
}

static void take_job(struct iob_app *app, const char *path, const struct iob_plan *base)
{
	struct iob_setup *s = app->setup;
	char place[IOB_PATH_MAX];

	snprintf(s->jobfile, sizeof(s->jobfile), "%s", path);
	*s->base = *base;
	s->job_stages = base->nstages;
	s->stage = 0;
	for (unsigned i = 0; i < base->nstages; i++)
		stage_row(&base->stage[i], i, s->stage_text[i], sizeof(s->stage_text[i]));
	place_of(app->plan, place, sizeof(place), &s->own_targets);
	if (place[0])
		snprintf(s->path, sizeof(s->path), "%s", place);
	if (place[0] || s->own_targets)
		s->target = IOB_SETUP_PATH;
}

int iob_setup_load_job(struct iob_app *app, const char *path, struct iob_error *err)
{
	IOB_FREE struct iob_plan *base = calloc(1, sizeof(*base));
	IOB_FREE struct iob_plan *plan = calloc(1, sizeof(*plan));

	if (!base || !plan)
		return iob_fail(err, -ENOMEM, "reading the job file: %m");
	int r = read_job(app, path, false, base, err);
	if (r == 0)
		r = read_job(app, path, true, plan, err);
	if (r < 0)
		return r;
	*app->plan = *plan;
	take_job(app, path, base);
	return 0;
}

void iob_setup_job_targets(struct iob_app *app)
{
	const struct iob_plan *base = app->setup->base;

	for (unsigned i = 0; i < app->plan->nstages && i < base->nstages; i++) {
		struct iob_job *to = &app->plan->stage[i];

		memcpy(to->filename, base->stage[i].filename, sizeof(to->filename));
		memcpy(to->directory, base->stage[i].directory, sizeof(to->directory));
	}
}

/* The plan of the command line, or that of another profile; a job file has brought its own. */
void iob_setup_load_profile(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};
	const char *name = s->profile_at < s->nprofiles ? s->profile[s->profile_at].name : "";

	if (iob_setup_is_job(s) && s->jobfile[0])
		return;
	s->own_targets = false;
	s->stage = 0;
	*app->plan = *app->config->plan;
	*s->base = *app->config->plan;
	if (name[0] && iob_profile_load(s->base, name, &err) < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
	else if (name[0] && strcmp(name, app->config->plan->profile) != 0)
		*app->plan = *s->base;
	else
		return;
	/* What else stood on the command line holds for any profile. */
	if (name[0] && app->config->replan &&
		app->config->replan(app->config->replan_self, name, app->plan, &err) < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
}

void iob_setup_enter_profile(struct iob_app *app, size_t before)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};
	size_t target = s->target;

	if (!iob_setup_is_job(s) || !s->jobfile[0]) {
		iob_setup_load_profile(app);
	} else if (before < s->nprofiles) {
		char path[IOB_PATH_MAX];

		snprintf(path, sizeof(path), "%s", s->jobfile);
		if (iob_setup_load_job(app, path, &err) < 0)
			iob_app_say(app, IOB_TOAST_ERROR, err.text);
	}
	s->stage = s->profile_at > s->nprofiles ? (unsigned)(s->profile_at - s->nprofiles - 1) : 0;
	if (s->target != target || s->own_targets) {
		iob_picker_close(&s->targets);
		iob_setup_open_targets(s);
	}
}
