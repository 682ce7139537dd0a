/* SPDX-License-Identifier: MIT */
/* Choose a target, a profile and its parameters. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ui/setup.h"
#include "ui/widget.h"

#define PROFILE_COLS 27
/* Lists may be moved through quickly: files are read when it stands still. */
#define SETTLE_NS    (300 * IOB_NS_PER_MS)

static int at_least_0(int v)
{
	return v > 0 ? v : 0;
}

static void place(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	int rows = app->rows, cols = app->cols;
	/* On a low screen the words alone, without a box. */
	int info = rows >= 36 ? 6 : rows >= 20 ? 5 : rows >= 14 ? 2 : 0;
	int runs = rows >= 36 ? 2 + IOB_SETUP_RUNS : rows >= 22 ? 1 : 0;
	int rest = at_least_0(rows - 3 - info - runs);
	/* What a short list does not need is the parameters'. */
	int wanted = (int)iob_setup_count(s) + 2;
	int targets = wanted < rest / 2 ? wanted : rest / 2;
	int left = cols >= 120 ? cols * 2 / 5 : cols >= 70 ? PROFILE_COLS : cols / 3;

	s->box[IOB_SETUP_TARGETS] = (struct iob_rect){1, 0, targets, cols};
	s->box[IOB_SETUP_PROFILES] = (struct iob_rect){1 + targets, 0, rest - targets, left};
	s->box[IOB_SETUP_PARAMS] =
		(struct iob_rect){1 + targets, left, rest - targets, cols - left};
	s->info = (struct iob_rect){1 + rest, 0, info, cols};
	s->runs = (struct iob_rect){1 + rest + info, 0, runs, cols};
}

static void close_lists(struct iob_setup *s)
{
	iob_picker_close(&s->targets);
	iob_picker_close(&s->profiles);
	iob_picker_close(&s->params);
}

static void resize(struct iob_app *app)
{
	close_lists(app->setup);
	place(app);
	iob_setup_open_targets(app->setup);
	iob_setup_open_profiles(app->setup);
	iob_setup_open_form(app);
	app->setup->runs_due_ns = app->now_ns + SETTLE_NS;
}

static int make(struct iob_app *app, struct iob_error *err)
{
	app->setup = calloc(1, sizeof(*app->setup));
	if (!app->setup)
		return iob_fail(err, -ENOMEM, "setup screen: %m");
	app->setup->base = malloc(sizeof(*app->setup->base));
	if (!app->setup->base)
		return iob_fail(err, -ENOMEM, "setup screen: %m");
	int r = iob_setup_make_form(app->setup, err);
	if (r < 0)
		return r;
	iob_setup_scan_profiles(app);
	iob_setup_load_profile(app);
	iob_setup_scan(app);
	return 0;
}

static void enter(struct iob_app *app)
{
	if (!app->setup && make(app, &app->error) < 0) {
		app->leave = true;
		return;
	}
	resize(app);
}

static void leave(struct iob_app *app)
{
	if (app->setup)
		close_lists(app->setup);
}

static void path_typed(struct iob_app *app, int choice, const char *text)
{
	struct iob_setup *s = app->setup;

	if (choice < 0)
		return;
	snprintf(s->path, sizeof(s->path), "%s", text);
	s->own_targets = false;
	s->target = IOB_SETUP_PATH;
	resize(app);
}

static void ask_target(struct iob_app *app)
{
	iob_app_ask(app,
		&(struct iob_dialog_spec){
			.title = "Target",
			.text = "A file, a block device, or a directory (ends in '/'; a scratch "
				"file is made in it and removed afterwards).",
			.initial = app->setup->path,
			.hint = "Enter takes it   Esc cancels",
			.done = path_typed,
		});
}

static void job_typed(struct iob_app *app, int choice, const char *text)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};

	if (choice < 0)
		return;
	if (iob_setup_load_job(app, text, &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	s->part = IOB_SETUP_PROFILES;
	s->profile_at = s->nprofiles;
	resize(app);
}

/* Of the target, or of the job file while that row has the focus. */
static void ask_path(struct iob_app *app)
{
	struct iob_setup *s = app->setup;

	if (s->part != IOB_SETUP_PROFILES || s->profile_at < s->nprofiles) {
		ask_target(app);
		return;
	}
	iob_app_ask(app,
		&(struct iob_dialog_spec){
			.title = "Job file",
			.text = "The path of a job file in fio's format. What a stonewall separates "
				"becomes stages, run one after the other; its stages are listed "
				"below it.",
			.initial = s->jobfile,
			.hint = "Enter reads it   Esc cancels",
			.done = job_typed,
		});
}

static void start(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	const char *target = iob_setup_target(s);
	struct iob_error err = {.code = 0};

	if (iob_setup_is_job(s) && !s->jobfile[0]) {
		ask_path(app);
		return;
	}
	if (s->target == IOB_SETUP_PATH && !target[0] && !s->own_targets) {
		ask_target(app);
		return;
	}
	/* Where the run before this one went. */
	app->plan->scratch = false;
	app->plan->seed = app->config->plan->seed;
	app->plan->consent = app->config->plan->consent;
	int r = iob_plan_set(app->plan, "filename", "", &err);
	if (r == 0)
		r = iob_plan_set(app->plan, "directory", "", &err);
	if (r == 0 && s->own_targets && s->target == IOB_SETUP_PATH)
		iob_setup_job_targets(app);
	else if (r == 0 && target[0])
		r = iob_plan_set_target(app->plan, target, &err);
	if (r < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
	else
		iob_app_start(app);
}

/* Another row may have been chosen. */
static void take_rows(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	size_t target = s->target, profile = s->profile_at;

	s->target = iob_picker_current(&s->targets);
	s->profile_at = iob_picker_current(&s->profiles);
	s->param_at = iob_picker_current(&s->params);
	if (s->profile_at != profile) {
		iob_setup_enter_profile(app, profile);
		iob_picker_close(&s->params);
		iob_setup_open_form(app);
	}
	if (s->target != target)
		s->runs_due_ns = app->now_ns + SETTLE_NS;
}

static struct iob_picker *list_of(struct iob_setup *s, enum iob_setup_part part)
{
	struct iob_picker *lists[IOB_NSETUPPARTS] = {&s->targets, &s->profiles, &s->params};

	return lists[part];
}

static bool move_list(struct iob_app *app, enum iob_action action)
{
	struct iob_setup *s = app->setup;

	if (!iob_picker_act(list_of(s, s->part), action))
		return false;
	take_rows(app);
	return true;
}

void iob_setup_click(struct iob_app *app, int y, int x)
{
	struct iob_setup *s = app->setup;

	for (int i = 0; i < IOB_NSETUPPARTS; i++) {
		if (!iob_rect_has(s->box[i], y, x))
			continue;
		s->part = (enum iob_setup_part)i;
		iob_picker_click(list_of(s, s->part), y - s->box[i].y - 1);
		take_rows(app);
	}
}

static void step(struct iob_app *app, int direction)
{
	if (app->setup->part == IOB_SETUP_PARAMS)
		iob_setup_step(app, direction);
}

static void act(struct iob_app *app, enum iob_action action)
{
	struct iob_setup *s = app->setup;
	int part = (int)s->part;

	if (move_list(app, action))
		return;
	switch (action) {
	case IOB_ACT_NEXT_FIELD:
		s->part = (enum iob_setup_part)((part + 1) % IOB_NSETUPPARTS);
		break;
	case IOB_ACT_PREVIOUS_FIELD:
		s->part = (enum iob_setup_part)((part + IOB_NSETUPPARTS - 1) % IOB_NSETUPPARTS);
		break;
	case IOB_ACT_LEFT:
	case IOB_ACT_STEP_DOWN:
		step(app, -1);
		break;
	case IOB_ACT_RIGHT:
	case IOB_ACT_STEP_UP:
		step(app, 1);
		break;
	case IOB_ACT_EDIT:
		if (s->part == IOB_SETUP_PARAMS)
			iob_setup_edit(app);
		else
			start(app);
		break;
	case IOB_ACT_PATH:
		ask_path(app);
		break;
	case IOB_ACT_RESCAN:
		iob_setup_scan(app);
		resize(app);
		break;
	case IOB_ACT_START:
		start(app);
		break;
	default:
		break;
	}
}

static void profile_named(struct iob_app *app, int choice, const char *name)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};
	char path[IOB_PATH_MAX], text[400];

	if (choice < 0)
		return;
	if (iob_profile_save(app->plan, name, path, sizeof(path), &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	snprintf(app->plan->profile, sizeof(app->plan->profile), "%s", name);
	*s->base = *app->plan;
	free(s->profile);
	s->profile = NULL;
	iob_setup_scan_profiles(app);
	resize(app);
	snprintf(
		text, sizeof(text), "saved %.300s; -p %.60s is it on the command line", path, name);
	iob_app_say(app, IOB_TOAST_OK, text);
}

void iob_setup_save(struct iob_app *app)
{
	iob_app_ask(
		app, &(struct iob_dialog_spec){
			     .title = "Save as a profile",
			     .text = "The parameters as they are now, under a name of yours; it "
				     "is listed here from now on.",
			     .initial = "",
			     .hint = "Enter saves   Esc cancels",
			     .done = profile_named,
		     });
}

static void draw_box(
	struct iob_app *app, enum iob_setup_part part, const char *title, const char *right)
{
	app->canvas.focused = app->setup->part == part;
	iob_canvas_box(&app->canvas, app->setup->box[part], title, right);
	app->canvas.focused = false;
}

/* The chosen line: in its list it may be cut. */
static const char *in_full(const struct iob_setup *s, char *buf, size_t n)
{
	if (s->part == IOB_SETUP_PARAMS)
		return s->param[s->param_at]->help;
	if (s->part == IOB_SETUP_TARGETS)
		iob_setup_row(s, s->target, buf, n);
	else
		iob_setup_profile_row(s, s->profile_at, buf, n);
	return buf;
}

static void draw(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_rect title = {0, 0, 1, app->cols};
	struct iob_rect status = {app->rows - 2, 0, app->rows > 2 ? 1 : 0, app->cols};
	struct iob_rect hints = {app->rows - 1, 0, app->rows > 1 ? 1 : 0, app->cols};
	char place_of[48], line[256];

	if (!s)
		return;
	if (s->runs_due_ns && app->now_ns >= s->runs_due_ns)
		iob_setup_load_runs(app);
	iob_canvas_fill(&app->canvas, title, IOB_ROLE_TITLE);
	iob_canvas_text(&app->canvas, title, 0, 1, IOB_ROLE_TITLE,
		PACKAGE_NAME " " PACKAGE_VERSION " | SETUP");
	snprintf(
		place_of, sizeof(place_of), "%zu/%zu  / search", s->target + 1, iob_setup_count(s));
	draw_box(app, IOB_SETUP_TARGETS, "Target", place_of);
	draw_box(app, IOB_SETUP_PROFILES, "Profile", iob_setup_is_edited(app) ? "(edited)" : NULL);
	draw_box(app, IOB_SETUP_PARAMS, "Parameters", "Enter edit  +- step");
	iob_setup_draw_info(app);
	iob_setup_draw_runs(app);
	if (app->model.toast.level != IOB_TOAST_NONE)
		iob_draw_toast(&app->canvas, status, &app->model.toast);
	else
		iob_canvas_text(
			&app->canvas, status, 0, 1, IOB_ROLE_LABEL, in_full(s, line, sizeof(line)));
	iob_draw_hints(&app->canvas, hints, IOB_SCREEN_SETUP);
}

void iob_setup_free(struct iob_setup *s)
{
	if (!s)
		return;
	close_lists(s);
	iob_blockdevs_free(&s->devices);
	free(s->profile);
	free(s->param);
	free(s->base);
	free(s);
}

const struct iob_scr iob_scr_setup = {.id = IOB_SCREEN_SETUP,
	.enter = enter,
	.leave = leave,
	.resize = resize,
	.act = act,
	.draw = draw};
