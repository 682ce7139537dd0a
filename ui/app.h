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
#include "ui/prefs.h"
#include "ui/replay.h"
#include "ui/script.h"
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

extern const struct iob_scr iob_scr_setup, iob_scr_run, iob_scr_summary, iob_scr_help,
	iob_scr_compare, iob_scr_options;

struct iob_setup; /* of scr_setup.c */
void iob_setup_free(struct iob_setup *);
/* Ask for a name, and save the profile with its changes as one of the user's own. */
void iob_setup_save(struct iob_app *);
/* The next (previous) target with model.search in its line. */
void iob_setup_search(struct iob_app *, int by);
/* A click: focus, and the row there. */
void iob_setup_click(struct iob_app *, int y, int x);
struct iob_comparison; /* of scr_compare.c */

struct iob_app {
	const struct iob_ui_config *config;
	struct iob_plan *plan; /* owned: being set up, then that of the run */
	struct iob_run *run;   /* owned; NULL = none */
	struct iob_model model;
	struct iob_prefs prefs; /* as stored */
	struct iob_error prefs_error;
	struct iob_caps_facts facts; /* that caps were decided from */
	char symbols[16];
	struct iob_caps caps;
	struct iob_script script;
	uint64_t mark_ms;         /* when the mark was asked for that is being typed */
	struct iob_canvas canvas; /* the whole screen */
	PANEL *panel;
	int rows, cols;
	uint64_t now_ns;
	const struct iob_scr *screen;
	const struct iob_scr *below; /* under the help */
	struct iob_dialog *dialog;   /* NULL = none */
	struct iob_escape escape;
	struct iob_setup *setup;
	struct iob_comparison *compare;
	int option;                /* row of the options */
	double cv;                 /* of the headline segment, in per cent; negative = unknown */
	size_t scroll;             /* of the summary or the help */
	size_t found;              /* line of the help that was searched for */
	char kept[IOB_PATH_MAX];   /* where the run that is over was kept by itself, "" = nowhere */
	bool keep_tried;           /* whether or not it could be kept */
	uint64_t first_refresh_ns; /* as the terminal was found */
	bool mouse;
	bool leave;
	bool leave_when_over;
	bool again; /* start app->plan when the run that is on is over */
	struct iob_replay replay;
	int signal; /* that ends us, 0 = none */
	bool keyboard_gone;
	struct iob_error error; /* why nothing was run; code 0 = none */
};

/* Leave the screen that is shown for this one. */
void iob_app_show(struct iob_app *, const struct iob_scr *);
/* Open a dialog, in place of one that is open.  Where it has no room a toast says so. */
void iob_app_ask(struct iob_app *, const struct iob_dialog_spec *);
void iob_app_say(struct iob_app *, enum iob_toast_level, const char *text);
/* Start app->plan (unfinished); shows the dashboard, or says why not. */
void iob_app_start(struct iob_app *);
/* A run ended before it began: consent may be asked for, else back to where it came from. */
void iob_app_start_failed(struct iob_app *);
int iob_app_save_to(struct iob_app *, const char *path, struct iob_error *);
/* Stop once: again would mean not to wait for what is in flight. */
void iob_app_stop(struct iob_app *);
void iob_app_interrupt(struct iob_app *);
/* Actions that mean the same on each screen; true if it was one of them. */
bool iob_app_act(struct iob_app *, enum iob_action);

/* app_again.c: start again with what is in force; asks while a run is on. */
void iob_app_restart(struct iob_app *);
/* Start the same run again, and make its changes at the same times. */
void iob_app_replay(struct iob_app *);
void iob_app_tick_replay(struct iob_app *);
/* A change was refused because it would be the first that writes: ask whether to. */
void iob_app_first_write(struct iob_app *);
/* "" = a scratch file; and the name that is typed for it. */
const char *iob_app_target(const struct iob_plan *);
const char *iob_app_last_part(const char *path);

/* app_keep.c: put the run that is over into the state directory, once. */
void iob_app_keep(struct iob_app *);

/* app_ask.c: those that ask for a line of text. */
bool iob_app_act_text(struct iob_app *, enum iob_action);

/* app_command.c: a line of the command grammar; 0 or a usage error. */
int iob_app_command(struct iob_app *, const char *line, struct iob_error *);
/* As much of the script as can be done now. */
void iob_app_run_script(struct iob_app *);

/* app_look.c: how things look, from now on. */
void iob_app_set_refresh(struct iob_app *, uint64_t ns);
void iob_app_set_symbols(struct iob_app *, const char *name);
void iob_app_set_color(struct iob_app *, int when);
void iob_app_set_mouse(struct iob_app *, bool on);
/* Keep how it looks now for the next time. */
void iob_app_save_look(struct iob_app *);

/* Go to the next (previous) line of the help with model.search in it. */
void iob_help_search(struct iob_app *, int by);

/* loop.c: until app->leave. */
void iob_app_loop(struct iob_app *);

/* A box full of lines that scrolls by app->scroll; columns: newspaper columns, 1 or 2. */
void iob_draw_lines(struct iob_canvas *, struct iob_rect, const char *title,
	const struct iob_lines *, size_t *scroll, int columns);
bool iob_scroll_act(size_t *scroll, enum iob_action);

#endif
