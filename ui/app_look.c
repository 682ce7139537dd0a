/* SPDX-License-Identifier: MIT */
/* Settings of the screen that can be changed while it is up. */
#include <config.h>

#include <curses.h>
#include <stdio.h>

#include "ui/app.h"
#include "ui/term.h"
#include "ui/theme.h"

static void decide(struct iob_app *app)
{
	struct iob_caps caps;

	app->facts.colors = has_colors() ? COLORS : 0;
	iob_caps_decide(&caps, &app->facts);
	app->caps.glyphs = caps.glyphs;
	app->caps.color = caps.color;
	app->canvas.glyphs = caps.glyphs;
	iob_theme_init(caps.color);
	clearok(curscr, TRUE);
}

void iob_app_set_refresh(struct iob_app *app, uint64_t ns)
{
	app->caps.refresh_ns = ns;
	app->model.refresh_ns = ns;
}

void iob_app_set_symbols(struct iob_app *app, const char *name)
{
	snprintf(app->symbols, sizeof(app->symbols), "%s", name);
	app->facts.symbols = app->symbols;
	decide(app);
}

void iob_app_set_color(struct iob_app *app, int when)
{
	app->facts.color = when;
	decide(app);
}

void iob_app_save_look(struct iob_app *app)
{
	struct iob_error err = {.code = 0};
	char path[IOB_PATH_MAX], text[400];

	/* They may be those that were read from there. */
	if (app->facts.symbols != app->prefs.symbols)
		snprintf(app->prefs.symbols, sizeof(app->prefs.symbols), "%s",
			app->facts.symbols ? app->facts.symbols : "auto");
	app->prefs.color = app->facts.color;
	app->prefs.yaxis = app->model.yaxis;
	app->prefs.mouse = app->mouse;
	/* What the kind of terminal asks for is no wish. */
	if (app->caps.refresh_ns != app->first_refresh_ns)
		app->prefs.refresh_ns = app->caps.refresh_ns;
	if (iob_prefs_save(&app->prefs, path, sizeof(path), &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	snprintf(text, sizeof(text), "kept for the next time: %.300s", path);
	iob_app_say(app, IOB_TOAST_OK, text);
}

void iob_app_set_mouse(struct iob_app *app, bool on)
{
	app->mouse = on;
	iob_term_mouse(on);
}
