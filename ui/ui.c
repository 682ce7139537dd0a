/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/ui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "ui/app.h"
#include "ui/term.h"
#include "ui/theme.h"

/* After "stop and quit": what is in flight may come back within this time. */
#define ABANDON_MS 2000

static int open_screen(struct iob_app *app, struct iob_error *err)
{
	const struct iob_ui_config *c = app->config;
	bool symbols = c->symbols && strcmp(c->symbols, "auto") != 0;

	/* A command line is nearer than what was stored once. */
	iob_prefs_load(&app->prefs, &app->prefs_error);
	app->facts = (struct iob_caps_facts){
		.symbols = symbols ? c->symbols : app->prefs.symbols,
		.color = c->color ? c->color : app->prefs.color,
		.refresh_ns = c->refresh_ns ? c->refresh_ns : app->prefs.refresh_ns,
	};
	iob_term_facts(&app->facts);
	int r = iob_term_open(&app->caps, &app->facts, err);
	if (r < 0)
		return r;
	iob_theme_init(app->caps.color);
	iob_term_size(&app->rows, &app->cols);
	app->canvas.win = newwin(app->rows, app->cols, 0, 0);
	app->canvas.glyphs = app->caps.glyphs;
	app->panel = app->canvas.win ? new_panel(app->canvas.win) : NULL;
	if (!app->panel) {
		iob_term_close();
		return iob_fail(err, -ENOMEM, "screen: %m");
	}
	app->model.refresh_ns = app->first_refresh_ns = app->caps.refresh_ns;
	app->model.yaxis = app->prefs.yaxis;
	if (app->prefs.mouse)
		iob_app_set_mouse(app, true);
	return 0;
}

/* Who asked us to end shall not wait for a terminal that does not read. */
static bool is_stuck(const struct iob_app *app)
{
	return app->stuck || (app->signal && !iob_term_writable());
}

static void close_screen(struct iob_app *app)
{
	if (is_stuck(app)) {
		app->stuck = true;
		iob_term_abandon();
		return;
	}
	iob_dialog_close(app->dialog);
	iob_setup_free(app->setup);
	app->dialog = NULL;
	app->setup = NULL;
	del_panel(app->panel);
	delwin(app->canvas.win);
	iob_term_close();
}

/* What is known goes into the result, however the run ended. */
static int take_result(
	struct iob_app *app, struct iob_result *result, bool *have_result, struct iob_error *err)
{
	if (!app->run || (app->error.code && app->model.snap.view.t0_ns == 0))
		return 0;
	if (!app->model.snap.stop_requested)
		iob_run_stop(app->run);
	/* What is in flight has its chance to come back; then the second stop means "at once". */
	if (!iob_run_wait(app->run, ABANDON_MS)) {
		iob_run_stop(app->run);
		iob_run_wait(app->run, ABANDON_MS);
	}
	iob_app_keep(app);
	int r = iob_result_build(result, app->run, err);
	if (r < 0)
		return r;
	*have_result = true;
	r = app->config->save ? iob_result_save(result, app->config->save, err) : 0;
	if (r < 0 && app->kept[0])
		iob_error_prefix(err, "the run is kept in %s, since ", app->kept);
	return r;
}

static int run_app(
	struct iob_app *app, struct iob_result *result, bool *have_result, struct iob_error *err)
{
	int r = 0;

	if (app->config->script)
		r = iob_script_read(&app->script, app->config->script, err);
	if (r == 0)
		r = open_screen(app, err);
	if (r < 0)
		return r;
	app->now_ns = iob_now_ns();
	/* The null engine has no target to choose. */
	if (app->config->setup && !iob_job_needs_no_target(&app->plan->stage[0]))
		iob_app_show(app, &iob_scr_setup);
	else
		iob_app_start(app);
	if (app->prefs_error.code)
		iob_app_say(app, IOB_TOAST_WARN, app->prefs_error.text);
	if (!app->leave)
		iob_app_loop(app);
	/* First of all the user's terminal; the run may still take its time to end. */
	close_screen(app);
	r = take_result(app, result, have_result, err);
	if (r == 0 && app->error.code) {
		*err = app->error;
		r = app->error.code;
	}
	return r == 0 && app->signal ? 128 + app->signal : r;
}

int iob_ui_run(const struct iob_ui_config *config, struct iob_result *result, bool *have_result,
	struct iob_error *err)
{
	IOB_FREE struct iob_app *app = calloc(1, sizeof(*app));
	IOB_FREE struct iob_plan *plan = malloc(sizeof(*plan));

	*have_result = false;
	if (!app || !plan)
		return iob_fail(err, -ENOMEM, "dashboard: %m");
	*plan = *config->plan;
	app->config = config;
	app->plan = plan;
	app->model.plan = plan;
	int r = run_app(app, result, have_result, err);
	iob_run_free(app->run);
	iob_script_free(&app->script);
	iob_model_free(&app->model);
	return r;
}
