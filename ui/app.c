/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/app.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "result/result.h"
#include "ui/term.h"

#define CONSENT_NS  (30 * IOB_NS_PER_S)
#define LARGE_BLOCK (UINT64_C(128) << 10)

void iob_app_show(struct iob_app *app, const struct iob_scr *screen)
{
	if (app->screen && app->screen->leave)
		app->screen->leave(app);
	app->screen = screen;
	if (screen->enter)
		screen->enter(app);
}

void iob_app_ask(struct iob_app *app, const struct iob_dialog_spec *spec)
{
	iob_dialog_close(app->dialog);
	app->dialog = iob_dialog_open(spec, app->caps.glyphs, app->rows, app->cols, app->now_ns);
	if (!app->dialog)
		iob_app_say(app, IOB_TOAST_WARN, "enlarge the terminal: the question does not fit");
}

void iob_app_say(struct iob_app *app, enum iob_toast_level level, const char *text)
{
	iob_toast_say(&app->model.toast, level, app->now_ns, "%s", text);
}

static void forget_run(struct iob_app *app)
{
	struct iob_toast toast = app->model.toast;
	enum iob_yaxis yaxis = app->model.yaxis;

	iob_run_free(app->run);
	app->run = NULL;
	app->kept[0] = '\0';
	app->keep_tried = false;
	iob_model_free(&app->model);
	memset(&app->model, 0, sizeof(app->model));
	app->model.plan = app->plan;
	app->model.toast = toast;
	app->model.yaxis = yaxis;
	app->model.refresh_ns = app->caps.refresh_ns;
	app->model.sweep = app->caps.link == IOB_LINK_SERIAL;
}

/* Nothing ran: to the setup screen if there was one, else out with the reason. */
static void give_up(struct iob_app *app, const struct iob_error *err)
{
	if (app->config->setup && app->setup) {
		forget_run(app);
		iob_app_show(app, &iob_scr_setup);
		iob_app_say(app, IOB_TOAST_ERROR, err->text);
		return;
	}
	app->error = *err;
	app->leave = true;
}

/* Of large requests the bytes are asked for, of small ones the number. */
static enum iob_metric first_view(const struct iob_plan *plan)
{
	const struct iob_job *job = &plan->stage[0];
	enum iob_dir dir = iob_job_uses_bs(job, IOB_READ)    ? IOB_READ
			   : iob_job_uses_bs(job, IOB_WRITE) ? IOB_WRITE
							     : IOB_TRIM;

	return job->bs[dir].max >= LARGE_BLOCK ? IOB_METRIC_MIB : IOB_METRIC_IOPS;
}

void iob_app_start(struct iob_app *app)
{
	struct iob_run_config config = {.grace_ns = app->config->grace_ns};
	struct iob_error err = {.code = 0};

	forget_run(app);
	app->replay.count = 0;
	app->plan->tunable = true;
	app->model.view = first_view(app->plan);
	if (iob_plan_finish(app->plan, &err) < 0 ||
		iob_run_start(&app->run, app->plan, &config, &err) < 0) {
		give_up(app, &err);
		return;
	}
	app->model.plan = iob_run_plan(app->run);
	app->model.source = iob_source_of_run(app->run);
	iob_model_update(&app->model, app->now_ns);
	iob_app_show(app, &iob_scr_run);
}

const char *iob_app_target(const struct iob_plan *plan)
{
	const struct iob_job *job = &plan->stage[0];

	return job->filename[0] ? job->filename : job->directory;
}

const char *iob_app_last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void consented(struct iob_app *app, int choice, const char *text)
{
	struct iob_error err = app->error;

	(void)text;
	app->error.code = 0;
	if (choice < 0) {
		give_up(app, &err);
		return;
	}
	if (iob_plan_allow_write(app->plan, iob_app_target(app->plan), &err) < 0) {
		give_up(app, &err);
		return;
	}
	iob_app_start(app);
}

void iob_app_start_failed(struct iob_app *app)
{
	struct iob_error err = app->model.snap.error;
	const char *target = iob_app_target(app->plan);
	char text[800];

	/* The guard names this option exactly when consent would change its mind. */
	if (err.kind != IOB_ERR_REFUSED || !strstr(err.text, "--allow-write") || !target[0]) {
		give_up(app, &err);
		return;
	}
	app->error = err;
	/* The option is for the command line; here the name is typed. */
	snprintf(text, sizeof(text),
		"%.*s.  This run will OVERWRITE it: writes start at once and cannot be undone.  Type "
		"%.200s to go on:",
		(int)strcspn(err.text, ";"), err.text, iob_app_last_part(target));
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "WRITE",
				 .text = text,
				 .initial = "",
				 .must_equal = iob_app_last_part(target),
				 .hint = "Enter writes once the name is complete   Esc cancels",
				 .timeout_ns = CONSENT_NS,
				 .done = consented,
			 });
	if (!app->dialog)
		consented(app, -1, "");
}

int iob_app_save_to(struct iob_app *app, const char *path, struct iob_error *err)
{
	if (!app->model.source.save || app->model.snap.view.t0_ns == 0)
		return iob_fail_usage(err, "nothing has been measured yet");
	int r = app->model.source.save(app->model.source.self, path, err);
	if (r < 0)
		return r;
	char *full = realpath(path, NULL);
	iob_toast_say(&app->model.toast, IOB_TOAST_OK, app->now_ns, "saved %s", full ? full : path);
	free(full);
	return 0;
}

static void save_to(struct iob_app *app, const char *path)
{
	struct iob_error err = {.code = 0};

	if (iob_app_save_to(app, path, &err) < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
}

static void save_typed(struct iob_app *app, int choice, const char *text)
{
	char message[400];

	if (choice < 0)
		return;
	if (access(text, F_OK) == 0) {
		snprintf(message, sizeof(message), "%.300s exists already; choose another name",
			text);
		iob_app_say(app, IOB_TOAST_ERROR, message);
		return;
	}
	save_to(app, text);
}

/* "nvme0n1-20260518-1402.json", with a number if that is taken. */
static void propose_name(const struct iob_app *app, char *buf, size_t n)
{
	const struct iob_target_info *t = &app->model.snap.target;
	const char *what =
		t->kind == IOB_TARGET_BLOCKDEV ? iob_app_last_part(t->path) : "iotop-bench";
	time_t now = time(NULL);
	struct tm tm;
	char stamp[32];

	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M", &tm);
	snprintf(buf, n, "%.80s-%s.json", what, stamp);
	for (int i = 2; i < 100 && access(buf, F_OK) == 0; i++)
		snprintf(buf, n, "%.80s-%s-%d.json", what, stamp, i);
}

static void save(struct iob_app *app)
{
	char name[160], *cwd = getcwd(NULL, 0), text[600];

	if (!app->model.source.save || app->model.snap.view.t0_ns == 0) {
		iob_app_say(app, IOB_TOAST_WARN, "nothing has been measured yet");
	} else if (app->config->save) {
		save_to(app, app->config->save);
	} else {
		propose_name(app, name, sizeof(name));
		snprintf(text, sizeof(text),
			"All figures as JSON, which `iotop-bench report FILE` prints again; a "
			"name that ends in .txt, .csv or .html gets that report.  A name without a path "
			"goes to %.400s",
			cwd ? cwd : "the current directory");
		iob_app_ask(app, &(struct iob_dialog_spec){
					 .title = "Save",
					 .text = text,
					 .initial = name,
					 .hint = "Enter saves   Esc cancels",
					 .done = save_typed,
				 });
	}
	free(cwd);
}

void iob_app_stop(struct iob_app *app)
{
	if (!iob_model_is_running(&app->model) || app->model.snap.stop_requested)
		return;
	app->model.source.stop(app->model.source.self);
	iob_model_update(&app->model, app->now_ns);
}

static void quit_answered(struct iob_app *app, int choice, const char *text)
{
	(void)text;
	if (choice <= 0)
		return;
	iob_app_stop(app);
	app->leave_when_over = choice == 2;
}

static void quit(struct iob_app *app)
{
	static const char *const choices[] = {
		"1 keep running", "2 stop and show the summary", "3 stop and quit", NULL};

	if (!iob_model_is_running(&app->model)) {
		app->leave = true;
		return;
	}
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "A run is on",
				 .choices = choices,
				 .question = true,
				 .hint = "Enter takes it   y quits   Esc: keep running",
				 .done = quit_answered,
			 });
}

void iob_app_interrupt(struct iob_app *app)
{
	if (!iob_model_is_running(&app->model)) {
		app->leave = true;
		return;
	}
	if (app->model.snap.stop_requested) {
		app->model.source.stop(app->model.source.self);
		app->leave = true;
		app->signal = app->signal ? app->signal : SIGINT;
		return;
	}
	iob_app_stop(app);
}

/* One level deep: the screen below comes back. */
static void cover(struct iob_app *app, const struct iob_scr *screen)
{
	app->below = app->screen;
	iob_app_show(app, screen);
}

static void save_what_is_there(struct iob_app *app)
{
	if (app->screen == &iob_scr_setup)
		iob_setup_save(app);
	else if (app->screen == &iob_scr_options)
		iob_app_save_look(app);
	else
		save(app);
}

bool iob_app_act(struct iob_app *app, enum iob_action action)
{
	if (iob_app_act_text(app, action))
		return true;
	switch (action) {
	case IOB_ACT_HELP:
		cover(app, &iob_scr_help);
		return true;
	case IOB_ACT_OPTIONS:
		cover(app, &iob_scr_options);
		return true;
	case IOB_ACT_COMPARE:
		cover(app, &iob_scr_compare);
		return true;
	case IOB_ACT_QUIT:
		quit(app);
		return true;
	case IOB_ACT_INTERRUPT:
		iob_app_interrupt(app);
		return true;
	case IOB_ACT_QUIT_NOW:
		app->leave_when_over = true;
		app->leave = !iob_model_is_running(&app->model);
		iob_app_stop(app);
		return true;
	case IOB_ACT_STOP:
		iob_app_stop(app);
		return true;
	case IOB_ACT_RESTART:
		iob_app_restart(app);
		return true;
	case IOB_ACT_SAVE:
		save_what_is_there(app);
		return true;
	case IOB_ACT_REPAINT:
		clearok(curscr, TRUE);
		return true;
	case IOB_ACT_SUSPEND:
		iob_term_suspend(true);
		return true;
	default:
		return false;
	}
}
