/* SPDX-License-Identifier: MIT */
/* What the command line and scripts do. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/term.h"
#include "ui/theme.h"

#define LEAST_DELAY_MS 100
#define MOST_DELAY_MS  10000

/* What the model refused stands in its toast. */
static int refused(struct iob_app *app, struct iob_error *err)
{
	return iob_fail_usage(err, "%s", app->model.toast.text);
}

static int set(struct iob_app *app, const char *param, const char *text, struct iob_error *err)
{
	return iob_model_set(&app->model, param, text, app->now_ns) ? 0 : refused(app, err);
}

static int view(struct iob_app *app, const char *text, struct iob_error *err)
{
	enum iob_metric metric = iob_metric_find(text);

	if (metric == IOB_NMETRICS)
		return iob_fail_usage(err,
			"view %.40s: one of iops, mib, p50, p99, p99.9, max, depth, util, heat",
			text);
	app->model.view = metric;
	return 0;
}

static int number(const char *what, const char *text, uint64_t *out, struct iob_error *err)
{
	const char *why = NULL;

	if (iob_parse_uint(text, out, &why) < 0)
		return iob_fail_usage(err, "%s %.40s: %s", what, text, why ? why : "too large");
	return 0;
}

static int zoom(struct iob_app *app, const char *text, struct iob_error *err)
{
	uint64_t n = 0;
	int r = number("zoom", text, &n, err);

	if (r == 0 && (n > 60 || !iob_model_set_zoom(&app->model, (unsigned)n)))
		r = iob_fail_usage(err, "zoom %.40s: 1, 2, 5, 10, 30 or 60 seconds", text);
	return r;
}

static int yaxis(struct iob_app *app, const char *text, struct iob_error *err)
{
	enum iob_yaxis axis = iob_yaxis_find(text);

	if (axis == IOB_NYAXES)
		return iob_fail_usage(err, "yaxis %.40s: auto, sticky, fixed or log", text);
	app->model.yaxis = axis;
	return 0;
}

static int delay(struct iob_app *app, const char *text, struct iob_error *err)
{
	uint64_t ms = 0;
	int r = number("delay", text, &ms, err);

	if (r == 0 && (ms < LEAST_DELAY_MS || ms > MOST_DELAY_MS))
		r = iob_fail_usage(err, "delay %.40s: 100 to 10000 milliseconds", text);
	if (r == 0)
		iob_app_set_refresh(app, ms * IOB_NS_PER_MS);
	return r;
}

static int on_or_off(const char *what, const char *text, bool *on, struct iob_error *err)
{
	*on = strcmp(text, "on") == 0;
	return *on || strcmp(text, "off") == 0
		       ? 0
		       : iob_fail_usage(err, "%s %.40s: on or off", what, text);
}

static int symbols(struct iob_app *app, const char *text, struct iob_error *err)
{
	if (strcmp(text, "auto") != 0 && iob_glyphs_find(text) < 0)
		return iob_fail_usage(
			err, "symbols %.40s: auto, braille, block, console or ascii", text);
	iob_app_set_symbols(app, text);
	return 0;
}

static int color(struct iob_app *app, const char *text, struct iob_error *err)
{
	static const char *const words[] = {"auto", "always", "never", NULL};

	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], text) != 0)
			continue;
		iob_app_set_color(app, i);
		return 0;
	}
	return iob_fail_usage(err, "color %.40s: auto, always or never", text);
}

static int sleep_for(struct iob_app *app, const char *text, struct iob_error *err)
{
	const char *why = NULL;
	uint64_t ns = 0;

	if (iob_parse_time(text, IOB_NS_PER_S, &ns, &why) < 0)
		return iob_fail_usage(err, "sleep %.40s: %s", text, why ? why : "too long");
	app->script.not_before_ns = app->now_ns + ns;
	return 0;
}

/* The screen as it was drawn last. */
static int dump(struct iob_app *app, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file;
	size_t cells = (size_t)app->cols + 1;
	IOB_FREE wchar_t *line = calloc(cells, sizeof(*line));

	if (!line)
		return iob_fail(err, -ENOMEM, "dump: %m");
	int r = iob_atomic_file_open(&file, path, err);
	if (r < 0)
		return r;
	for (int y = 0; y < app->rows; y++) {
		memset(line, 0, cells * sizeof(*line));
		mvwinnwstr(curscr, y, 0, line, app->cols);
		fprintf(file.stream, "%ls\n", line);
	}
	return iob_atomic_file_commit(&file, err);
}

static int start(struct iob_app *app, struct iob_error *err)
{
	if (iob_model_is_running(&app->model))
		return iob_fail_usage(err, "start: a run is on already");
	if (app->screen == &iob_scr_setup)
		app->screen->act(app, IOB_ACT_START);
	else
		iob_app_start(app);
	return 0;
}

/* The word is older than the measurement: on and off speak of the graphs. */
static int sweep(struct iob_app *app, const char *text, struct iob_error *err)
{
	bool on = strcmp(text, "on") == 0;

	if (!on && strcmp(text, "off") != 0)
		return iob_model_sweep(&app->model, text, app->now_ns) ? 0 : refused(app, err);
	app->model.sweep = on;
	return 0;
}

static int look(struct iob_app *app, const struct iob_command *c, struct iob_error *err)
{
	bool on = false;
	int r;

	switch (c->verb) {
	case IOB_VERB_VIEW:
		return view(app, c->text, err);
	case IOB_VERB_ZOOM:
		return zoom(app, c->text, err);
	case IOB_VERB_YAXIS:
		return yaxis(app, c->text, err);
	case IOB_VERB_SWEEP:
		return sweep(app, c->text, err);
	case IOB_VERB_MOUSE:
		r = on_or_off("mouse", c->text, &on, err);
		if (r == 0)
			iob_app_set_mouse(app, on);
		return r;
	case IOB_VERB_DELAY:
		return delay(app, c->text, err);
	case IOB_VERB_SYMBOLS:
		return symbols(app, c->text, err);
	case IOB_VERB_COLOR:
		return color(app, c->text, err);
	default:
		return -ENOENT;
	}
}

static int turn(struct iob_app *app, const struct iob_command *c, struct iob_error *err)
{
	static const struct {
		enum iob_verb verb;
		enum iob_action action;
	} actions[] = {{IOB_VERB_UNDO, IOB_ACT_UNDO}, {IOB_VERB_REDO, IOB_ACT_REDO},
		{IOB_VERB_PAUSE, IOB_ACT_PAUSE}, {IOB_VERB_RESET, IOB_ACT_RESET},
		{IOB_VERB_BASELINE, IOB_ACT_BASELINE}};

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (actions[i].verb != c->verb)
			continue;
		iob_model_act(&app->model, actions[i].action, app->now_ns);
		return app->model.toast.level >= IOB_TOAST_WARN ? refused(app, err) : 0;
	}
	switch (c->verb) {
	case IOB_VERB_QD:
		return set(app, "iodepth", c->text, err);
	case IOB_VERB_BS:
		return set(app, "bs", c->text, err);
	case IOB_VERB_RW:
		return set(app, "rw", c->text, err);
	case IOB_VERB_RD:
		return set(app, "rwmixread", c->text, err);
	case IOB_VERB_JOBS:
		return set(app, iob_jobs_param()->name, c->text, err);
	case IOB_VERB_CAP:
		return iob_model_set_cap(&app->model, c->text, app->now_ns) ? 0 : refused(app, err);
	case IOB_VERB_MARK:
		iob_model_mark(&app->model, iob_model_time_ms(&app->model), c->text, app->now_ns);
		return 0;
	default:
		return -ENOENT;
	}
}

int iob_app_command(struct iob_app *app, const char *line, struct iob_error *err)
{
	struct iob_command c;
	int r = iob_command_parse(&c, line, err);

	if (r < 0)
		return r;
	/* What is refused is found in it. */
	app->model.toast.level = IOB_TOAST_NONE;
	switch (c.verb) {
	case IOB_VERB_NONE:
		return 0;
	case IOB_VERB_SAVE:
		return iob_app_save_to(app, c.text, err);
	case IOB_VERB_DUMP:
		return dump(app, c.text, err);
	case IOB_VERB_SLEEP:
		return sleep_for(app, c.text, err);
	case IOB_VERB_START:
		return start(app, err);
	case IOB_VERB_STOP:
		iob_app_stop(app);
		return 0;
	case IOB_VERB_QUIT:
		iob_app_stop(app);
		app->leave_when_over = true;
		app->leave = !iob_model_is_running(&app->model);
		return 0;
	default:
		r = look(app, &c, err);
		return r == -ENOENT ? turn(app, &c, err) : r;
	}
}

/* Not before what the line before it asked for is done, and a run that comes up is up. */
static bool may_go_on(const struct iob_app *app)
{
	const struct iob_model *m = &app->model;

	if (app->now_ns < app->script.not_before_ns || app->dialog ||
		m->tuning.state != IOB_TUNING_IDLE || iob_sweep_drive_is_on(&m->drive))
		return false;
	if (!m->source.snapshot)
		return true;
	if (m->snap.stop_requested && m->snap.phase != IOB_PHASE_DONE)
		return false;
	return m->snap.phase >= IOB_PHASE_RAMP && m->snap.view.t0_ns != 0;
}

void iob_app_run_script(struct iob_app *app)
{
	char line[1024];
	struct iob_error err = {.code = 0};

	while (!app->leave && app->script.text && may_go_on(app)) {
		if (!iob_script_next(&app->script, line, sizeof(line))) {
			iob_script_free(&app->script);
			return;
		}
		unsigned number = app->script.line;
		if (iob_app_command(app, line, &err) < 0) {
			iob_fail_usage(&app->error, "--script=%.200s:%u: %.600s", app->script.path,
				number, err.text);
			iob_app_stop(app);
			app->leave = true;
			return;
		}
		/* One parameter set at a time. */
		iob_model_update(&app->model, app->now_ns);
	}
}
