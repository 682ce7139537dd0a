/* SPDX-License-Identifier: MIT */
/* How the screen looks: each row is a choice that is in force at once. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "ui/app.h"
#include "ui/widget.h"

enum row { ROW_SYMBOLS, ROW_COLOR, ROW_DELAY, ROW_YAXIS, ROW_SWEEP, ROW_MOUSE, NROWS };

static const char *const symbols[] = {"auto", "braille", "block", "console", "ascii", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const unsigned delays_ms[] = {100, 250, 500, 1000, 2000, 5000, 10000, 0};

static int count(const char *const *words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

static int find(const char *const *words, const char *word)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return 0;
}

static int turn(int at, int by, int n)
{
	return (at + by + n) % n;
}

static void step_delay(struct iob_app *app, int by)
{
	uint64_t now = app->caps.refresh_ns / IOB_NS_PER_MS;
	int i = 0;

	while (delays_ms[i + 1] && delays_ms[i] < now)
		i++;
	i += by;
	if (i >= 0 && delays_ms[i])
		iob_app_set_refresh(app, delays_ms[i] * IOB_NS_PER_MS);
}

static void step(struct iob_app *app, enum row row, int by)
{
	struct iob_model *m = &app->model;
	const char *now = app->facts.symbols ? app->facts.symbols : "auto";

	switch (row) {
	case ROW_SYMBOLS:
		iob_app_set_symbols(app, symbols[turn(find(symbols, now), by, count(symbols))]);
		break;
	case ROW_COLOR:
		iob_app_set_color(app, turn(app->facts.color, by, count(colors)));
		break;
	case ROW_DELAY:
		step_delay(app, by);
		break;
	case ROW_YAXIS:
		m->yaxis = (enum iob_yaxis)turn((int)m->yaxis, by, IOB_NYAXES);
		break;
	case ROW_SWEEP:
		m->sweep = !m->sweep;
		break;
	case ROW_MOUSE:
		iob_app_set_mouse(app, !app->mouse);
		break;
	case NROWS:
		break;
	}
}

static void enter(struct iob_app *app)
{
	app->option = 0;
}

static void act(struct iob_app *app, enum iob_action action)
{
	switch (action) {
	case IOB_ACT_CANCEL:
		iob_app_show(app, app->below);
		break;
	case IOB_ACT_UP:
		app->option = turn(app->option, -1, NROWS);
		break;
	case IOB_ACT_DOWN:
		app->option = turn(app->option, 1, NROWS);
		break;
	case IOB_ACT_LEFT:
	case IOB_ACT_STEP_DOWN:
		step(app, (enum row)app->option, -1);
		break;
	case IOB_ACT_RIGHT:
	case IOB_ACT_STEP_UP:
	case IOB_ACT_EDIT:
		step(app, (enum row)app->option, 1);
		break;
	default:
		break;
	}
}

static void value_of(const struct iob_app *app, enum row row, char *buf, size_t n)
{
	switch (row) {
	case ROW_SYMBOLS:
		snprintf(buf, n, "%s (%s)", app->facts.symbols ? app->facts.symbols : "auto",
			iob_glyphs_name(app->caps.glyphs));
		break;
	case ROW_COLOR:
		snprintf(buf, n, "%s (%s)", colors[app->facts.color],
			app->caps.color ? "colours" : "none");
		break;
	case ROW_DELAY:
		snprintf(buf, n, "%llu ms",
			(unsigned long long)(app->caps.refresh_ns / IOB_NS_PER_MS));
		break;
	case ROW_YAXIS:
		snprintf(buf, n, "%s", iob_yaxis_name(app->model.yaxis));
		break;
	case ROW_SWEEP:
		snprintf(buf, n, "%s", app->model.sweep ? "on" : "off");
		break;
	case ROW_MOUSE:
	case NROWS:
		snprintf(buf, n, "%s", app->mouse ? "on" : "off");
		break;
	}
}

static void draw(struct iob_app *app)
{
	static const struct {
		const char *name, *help;
	} rows[NROWS] = {
		[ROW_SYMBOLS] = {"symbols", "what graphs and lines are drawn with"},
		[ROW_COLOR] = {"colours", "auto: as NO_COLOR and terminal allow"},
		[ROW_DELAY] = {"delay", "time between two frames"},
		[ROW_YAXIS] = {"y axis", "sticky never shrinks; fixed; log"},
		[ROW_SWEEP] = {"sweep", "cheapest graphs for a slow line"},
		[ROW_MOUSE] = {"mouse", "off lets the terminal select text"},
	};
	struct iob_rect title = {0, 0, 1, app->cols};
	struct iob_rect box = {1, 0, app->rows - 3, app->cols};
	struct iob_rect status = {app->rows - 2, 0, app->rows > 2 ? 1 : 0, app->cols};
	struct iob_rect hints = {app->rows - 1, 0, app->rows > 1 ? 1 : 0, app->cols};
	struct iob_rect in = iob_rect_inside(box);
	char value[64];

	iob_canvas_fill(&app->canvas, title, IOB_ROLE_TITLE);
	iob_canvas_text(&app->canvas, title, 0, 1, IOB_ROLE_TITLE,
		PACKAGE_NAME " " PACKAGE_VERSION " | OPTIONS");
	for (int i = 0; i < NROWS; i++) {
		value_of(app, (enum row)i, value, sizeof(value));
		int x = iob_canvas_printf(&app->canvas, in, i, 1,
			i == app->option ? IOB_ROLE_SELECT : IOB_ROLE_NORMAL, "%-8s < %-18s >",
			rows[i].name, value);
		iob_canvas_text(&app->canvas, in, i, x + 2, IOB_ROLE_LABEL, rows[i].help);
	}
	bool ascii = app->canvas.glyphs == IOB_GLYPHS_ASCII;
	iob_canvas_printf(&app->canvas, in, NROWS + 1, 1, IOB_ROLE_LABEL,
		"Can you read all three?   braille: %s   block: %s   ascii: _.:|",
		ascii ? "(off)" : "\u28e0\u28f6\u28ff", ascii ? "(off)" : "\u2584\u2588\u2584");
	iob_canvas_box(&app->canvas, box, "How it looks", "up down move, left right change");
	iob_draw_toast(&app->canvas, status, &app->model.toast);
	iob_draw_hints(&app->canvas, hints, IOB_SCREEN_OPTIONS);
}

const struct iob_scr iob_scr_options = {
	.id = IOB_SCREEN_OPTIONS, .enter = enter, .act = act, .draw = draw};
