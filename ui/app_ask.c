/* SPDX-License-Identifier: MIT */
/* Keys that ask for a line of text. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "ui/app.h"
#include "ui/command.h"

static void command_typed(struct iob_app *app, int choice, const char *text)
{
	struct iob_error err = {.code = 0};

	if (choice == 0 && iob_app_command(app, text, &err) < 0)
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
}

static void ask_command(struct iob_app *app)
{
	char list[400] = "";
	size_t used = 0;

	for (const struct iob_verb_row *v = iob_verbs; v->name && used < sizeof(list); v++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s%s%s",
			used ? ", " : "", v->name, v->argument ? " " : "",
			v->argument ? v->argument : "");
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "Command",
				 .text = list,
				 .initial = "",
				 .hint = "Enter does it   Esc cancels",
				 .done = command_typed,
			 });
}

static void mark_typed(struct iob_app *app, int choice, const char *text)
{
	if (choice == 0)
		iob_model_mark(&app->model, app->mark_ms, text, app->now_ns);
}

/* Its time is that of the key, not that of the last letter of its text. */
static void ask_mark(struct iob_app *app)
{
	app->mark_ms = iob_model_time_ms(&app->model);
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "Mark",
				 .text = "What happened now?  It may be left empty.",
				 .initial = "",
				 .may_be_empty = true,
				 .hint = "Enter sets the mark   Esc cancels",
				 .done = mark_typed,
			 });
}

static void value_typed(struct iob_app *app, int choice, const char *text)
{
	const struct iob_param *knob = iob_model_knob(&app->model, app->model.knob);

	if (choice == 0 && knob == iob_cap_param())
		iob_model_set_cap(&app->model, text, app->now_ns);
	else if (choice == 0 && knob)
		iob_model_set(&app->model, knob->name, text, app->now_ns);
}

/* The screen has one number for what the table has three of. */
static void ask_cap(struct iob_app *app)
{
	const struct iob_model *m = &app->model;
	struct iob_cap_scope scope = iob_cap_scope(iob_model_job(m), &m->snap);
	uint64_t total = iob_cap_total(&m->snap.live, scope);
	char value[32];

	snprintf(value, sizeof(value), total ? "%llu" : "off", (unsigned long long)total);
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "Rate cap",
				 .text = "I/Os per second of all workers together: 20000, 20k, or "
					 "off.",
				 .initial = value,
				 .hint = "Enter sets it   Esc cancels",
				 .done = value_typed,
			 });
}

static void ask_value(struct iob_app *app)
{
	const struct iob_param *knob = iob_model_knob(&app->model, app->model.knob);
	struct iob_job job;
	char title[64], text[500], value[128], legal[128];

	if (!knob)
		return;
	if (knob == iob_cap_param()) {
		ask_cap(app);
		return;
	}
	job = app->model.plan->stage[app->model.snap.stage];
	iob_live_to_job(&app->model.snap.live, &job);
	snprintf(title, sizeof(title), "Value of %s", knob->name);
	snprintf(text, sizeof(text), "%s  (%s)", knob->help,
		iob_param_legal(knob, legal, sizeof(legal)));
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = title,
				 .text = text,
				 .initial = iob_param_get(&job, knob, value, sizeof(value)),
				 .param = knob,
				 .hint = "Enter sets it   Up Down step   Esc cancels",
				 .done = value_typed,
			 });
}

static void search(struct iob_app *app, int by)
{
	if (app->screen == &iob_scr_help)
		iob_help_search(app, by);
	else if (app->screen == &iob_scr_setup)
		iob_setup_search(app, by);
	else
		iob_model_search(&app->model, app->model.search, by, app->now_ns);
}

static void search_typed(struct iob_app *app, int choice, const char *text)
{
	if (choice != 0)
		return;
	snprintf(app->model.search, sizeof(app->model.search), "%s", text);
	search(app, 1);
}

static void ask_search(struct iob_app *app)
{
	iob_app_ask(app, &(struct iob_dialog_spec){
				 .title = "Search",
				 .initial = app->model.search,
				 .hint = "Enter searches   n N next, previous   Esc cancels",
				 .done = search_typed,
			 });
}

bool iob_app_act_text(struct iob_app *app, enum iob_action action)
{
	switch (action) {
	case IOB_ACT_COMMAND:
		ask_command(app);
		return true;
	case IOB_ACT_MARK:
		ask_mark(app);
		return true;
	case IOB_ACT_EDIT:
		if (app->screen != &iob_scr_run)
			return false;
		if (app->model.panels.focus == IOB_PANEL_CHANGES)
			return false;
		ask_value(app);
		return true;
	case IOB_ACT_SEARCH:
		ask_search(app);
		return true;
	case IOB_ACT_SEARCH_NEXT:
	case IOB_ACT_SEARCH_PREVIOUS:
		search(app, action == IOB_ACT_SEARCH_NEXT ? 1 : -1);
		return true;
	default:
		return false;
	}
}
