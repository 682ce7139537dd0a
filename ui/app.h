/* SPDX-License-Identifier: MIT */
/* The dashboard as a whole: which screen is up, what it stands on, and how to leave. */
#ifndef IOB_UI_APP_H
#define IOB_UI_APP_H

#include <panel.h>
#include <stdbool.h>

#include "ui/caps.h"
#include "ui/dialog.h"
#include "ui/escape.h"
#include "ui/model.h"
#include "ui/ui.h"
#include "ui/widget_canvas.h"

struct iob_app;

/* One row of the table of screens. */
struct iob_scr {
	enum iob_screen id;
	void (*enter)(struct iob_app *);
	void (*leave)(struct iob_app *);
	void (*resize)(struct iob_app *); /* NULL: drawing anew is enough */
	void (*act)(struct iob_app *, enum iob_action);
	void (*draw)(struct iob_app *);
};

extern const struct iob_scr iob_scr_setup, iob_scr_run, iob_scr_summary, iob_scr_help;

struct iob_setup; /* of scr_setup.c */
void iob_setup_free(struct iob_setup *);

struct iob_app {
	const struct iob_ui_config *config;
	struct iob_plan *plan; /* owned: being set up, then that of the run */
	struct iob_run *run;   /* owned; NULL = none */
	struct iob_model model;
	struct iob_caps caps;
	struct iob_canvas canvas; /* the whole screen */
	PANEL *panel;
	int rows, cols;
	uint64_t now_ns;
	const struct iob_scr *screen;
	const struct iob_scr *below; /* under the help */
	struct iob_dialog *dialog;   /* NULL = none */
	struct iob_escape escape;
	struct iob_setup *setup;
	size_t scroll; /* of the summary or the help */
	bool leave;
	bool leave_when_over;
	int signal; /* that ends us, 0 = none */
	bool keyboard_gone;
	struct iob_error error; /* why nothing was run; code 0 = none */
};

void iob_app_show(struct iob_app *, const struct iob_scr *);
void iob_app_ask(struct iob_app *, const struct iob_dialog_spec *);
void iob_app_say(struct iob_app *, enum iob_toast_level, const char *text);
/* Start app->plan (unfinished); shows the dashboard, or says why not. */
void iob_app_start(struct iob_app *);
/* A run ended before it began: consent may be asked for, else back to where it came from. */
void iob_app_start_failed(struct iob_app *);
void iob_app_save(struct iob_app *);
/* Stop once: again would mean not to wait for what is in flight. */
void iob_app_stop(struct iob_app *);
void iob_app_quit(struct iob_app *);
void iob_app_interrupt(struct iob_app *);
/* Actions that mean the same on each screen; true if it was one of them. */
bool iob_app_act(struct iob_app *, enum iob_action);

/* loop.c: until app->leave. */
void iob_app_loop(struct iob_app *);

/* A box full of lines that scrolls by app->scroll; columns: newspaper columns, 1 or 2. */
void iob_draw_lines(struct iob_canvas *, struct iob_rect, const char *title,
	const struct iob_lines *, size_t *scroll, int columns);
bool iob_scroll_act(size_t *scroll, enum iob_action);

#endif
