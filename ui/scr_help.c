/* SPDX-License-Identifier: MIT */
/* The help, made from the table of keys; the run goes on underneath. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/widget.h"

#define TWO_COLUMNS 79

static const char *screen_name(enum iob_screen screen)
{
	switch (screen) {
	case IOB_SCREEN_SETUP:
		return "SETUP";
	case IOB_SCREEN_SUMMARY:
		return "SUMMARY";
	case IOB_SCREEN_RUN:
	case IOB_SCREEN_HELP:
	case IOB_SCREEN_COMPARE:
	case IOB_SCREEN_OPTIONS:
		break;
	}
	return "DASHBOARD";
}

static void add_group(struct iob_lines *lines, enum iob_key_group group, enum iob_screen screen)
{
	bool named = false;

	for (size_t i = 0; i < iob_nbindings; i++) {
		const struct iob_binding *b = &iob_bindings[i];

		if (b->group != group || !b->keys || !(b->screens & screen))
			continue;
		if (!named)
			iob_lines_add(lines, IOB_ROLE_HEAD, "%s", iob_key_group_name(group));
		named = true;
		iob_lines_add(lines, IOB_ROLE_NORMAL, "%-10s %s", b->keys, b->help);
	}
}

static void add_commands(struct iob_lines *lines, int cols)
{
	char name[32], text[200];

	iob_lines_add(lines, IOB_ROLE_HEAD, "AFTER `:`, AND IN --script FILES");
	for (const struct iob_verb_row *v = iob_verbs; v->name; v++) {
		snprintf(name, sizeof(name), "%s%s%s", v->name, v->argument ? " " : "",
			v->argument ? v->argument : "");
		snprintf(text, sizeof(text), "%-10s %s", name, v->help);
		iob_lines_wrap(lines, IOB_ROLE_NORMAL, cols > 20 ? (size_t)cols : 20, "", text);
	}
}

static void add_legend(struct iob_lines *lines)
{
	iob_lines_add(lines, IOB_ROLE_HEAD, "ON THE SCREEN");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "a b c  a segment begins: new values");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "!      a mark of yours");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "-      paused or between stages");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "^      above the top of the axis");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "~      few samples: read with care");
	iob_lines_add(lines, IOB_ROLE_NORMAL, "Esc 1..9 0 = F1..F10");
}

static void build(struct iob_lines *lines, enum iob_screen below, int cols)
{
	for (int group = 0; group < IOB_NKEYGROUPS; group++)
		add_group(lines, (enum iob_key_group)group, below);
	if (below == IOB_SCREEN_RUN)
		add_legend(lines);
	add_commands(lines, cols);
}

static int columns(const struct iob_app *app)
{
	return app->cols >= TWO_COLUMNS ? 2 : 1;
}

static int line_cols(const struct iob_app *app)
{
	return (app->cols - 2) / columns(app) - 1;
}

static enum iob_screen screen_below(const struct iob_app *app)
{
	return app->below ? app->below->id : IOB_SCREEN_RUN;
}

void iob_help_search(struct iob_app *app, int by)
{
	struct iob_lines lines = {.count = 0};
	const char *text = app->model.search;
	size_t n, at;

	build(&lines, screen_below(app), line_cols(app));
	n = lines.count;
	at = app->found < n ? app->found : 0;
	for (size_t step = 0; step < n; step++) {
		at = (at + (by > 0 ? 1 : n - 1)) % n;
		if (text[0] && strcasestr(lines.item[at].text, text))
			break;
	}
	bool found = n && text[0] && strcasestr(lines.item[at].text, text);
	if (found)
		app->found = app->scroll = at;
	else
		iob_app_say(app, IOB_TOAST_WARN, "not found in the help");
	iob_lines_free(&lines);
}

static void draw(struct iob_app *app)
{
	struct iob_lines lines = {.count = 0};
	struct iob_rect title = {0, 0, 1, app->cols};
	struct iob_rect box = {1, 0, app->rows - 3, app->cols};
	struct iob_rect status = {app->rows - 2, 0, app->rows > 4 ? 1 : 0, app->cols};
	struct iob_rect hints = {app->rows - 1, 0, 1, app->cols};
	enum iob_screen below = screen_below(app);
	char heading[64], iops[24], p99[24];

	build(&lines, below, line_cols(app));
	if (app->model.search[0] && app->found < lines.count &&
		strcasestr(lines.item[app->found].text, app->model.search))
		lines.item[app->found].role = IOB_ROLE_SELECT;
	iob_canvas_fill(&app->canvas, title, IOB_ROLE_TITLE);
	iob_canvas_text(&app->canvas, title, 0, 1, IOB_ROLE_TITLE,
		PACKAGE_NAME " " PACKAGE_VERSION " | HELP");
	snprintf(heading, sizeof(heading), "Keys: %s", screen_name(below));
	iob_draw_lines(&app->canvas, box, heading, &lines, &app->scroll, columns(app));
	if (app->model.toast.level != IOB_TOAST_NONE)
		iob_draw_toast(&app->canvas, status, &app->model.toast);
	else if (iob_model_is_running(&app->model))
		iob_canvas_printf(&app->canvas, status, 0, 1, IOB_ROLE_LABEL,
			"The run goes on: %s IOPS, p99 %s",
			iob_format_count(iops, sizeof(iops), app->model.snap.view.now.all.iops),
			iob_format_latency(p99, sizeof(p99),
				app->model.snap.view.now.all.lat.percentile_ns[IOB_P99]));
	iob_canvas_text(&app->canvas, hints, 0, 1, IOB_ROLE_LABEL,
		"Up Down PgUp PgDn scroll   / search  n N   q Esc ? close");
	iob_lines_free(&lines);
}

static void enter(struct iob_app *app)
{
	app->scroll = 0;
	app->found = 0;
}

static void act(struct iob_app *app, enum iob_action action)
{
	if (action == IOB_ACT_CANCEL)
		iob_app_show(app, app->below);
	else
		iob_scroll_act(&app->scroll, action);
}

const struct iob_scr iob_scr_help = {
	.id = IOB_SCREEN_HELP, .enter = enter, .act = act, .draw = draw};
