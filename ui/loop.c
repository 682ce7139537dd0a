/* SPDX-License-Identifier: MIT */
/*
 * One turn: drain the keys, act on them, take a snapshot when a frame is due, draw, sleep until
 * something happens.
 */
#include <config.h>

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "ui/app.h"
#include "ui/term.h"

#define KEYS_PER_READ 1024
#define SKIPPED_MOST  4

static void resized(struct iob_app *app)
{
	iob_term_size(&app->rows, &app->cols);
	wresize(app->canvas.win, app->rows, app->cols);
	replace_panel(app->panel, app->canvas.win);
	if (app->screen->resize)
		app->screen->resize(app);
	if (app->dialog && !iob_dialog_resize(app->dialog, app->rows, app->cols, app->now_ns)) {
		struct iob_dialog *dialog = app->dialog;

		app->dialog = NULL;
		iob_dialog_finish(dialog, app, -1);
	}
	clearok(curscr, TRUE);
}

static void dialog_key(struct iob_app *app, int key)
{
	struct iob_dialog *dialog = app->dialog;
	int choice = -1;

	if (iob_dialog_key(dialog, key, &choice)) {
		app->dialog = NULL;
		iob_dialog_finish(dialog, app, choice);
		/* It means the run, not the question. */
		if (key == IOB_KEY_CTRL('C'))
			iob_app_interrupt(app);
	}
}

/* On a name in the hint line: that key; on a panel: the focus. */
static int click(struct iob_app *app)
{
	struct iob_layout l;
	int y = 0, x = 0;

	iob_term_click(&y, &x);
	if (y == app->rows - 1)
		return iob_keymap_hint_key(app->screen->id, app->cols, x);
	if (app->screen == &iob_scr_setup)
		iob_setup_click(app, y, x);
	if (app->screen != &iob_scr_run)
		return 0;
	iob_layout_dashboard(&l, app->rows, app->cols, iob_panels_wish(&app->model.panels));
	for (int i = 0; i < IOB_NPANELS; i++)
		if (iob_rect_has(l.block[iob_panel_block((enum iob_panel)i)], y, x))
			app->model.panels.focus = (enum iob_panel)i;
	return 0;
}

static void key_pressed(struct iob_app *app, int key)
{
	enum iob_action action;

	iob_toast_key(&app->model.toast);
	if (app->dialog) {
		dialog_key(app, key);
		return;
	}
	if (key == IOB_KEY_CLICK)
		key = click(app);
	action = iob_keymap_find(app->screen->id, key);
	if (action != IOB_ACT_NONE && !iob_app_act(app, action))
		app->screen->act(app, action);
}

/* True if there were any. */
static bool drain_keys(struct iob_app *app)
{
	int keys[KEYS_PER_READ];
	bool size_changed = false;
	size_t n = 0, kept = 0;
	int key;

	while (n < KEYS_PER_READ && (key = iob_term_key(&size_changed)) != 0)
		keys[n++] = key;
	if (n == 0 && iob_term_is_gone()) {
		app->keyboard_gone = true;
		raise(SIGHUP);
		return false;
	}
	if (size_changed)
		resized(app);
	for (size_t i = 0; i < n; i++) {
		key = iob_escape_filter(&app->escape, keys[i], app->now_ns);
		if (key)
			keys[kept++] = key;
	}
	/* What is pasted into a field to type in is meant. */
	if (!app->dialog)
		kept = iob_escape_paste(&app->escape, keys, kept, app->screen->id, app->now_ns);
	for (size_t i = 0; i < kept && !app->leave; i++)
		key_pressed(app, keys[i]);
	return n > 0;
}

static void handle_signals(struct iob_app *app)
{
	int number;

	while ((number = iob_term_next_signal()) != 0) {
		if (number == SIGTSTP)
			iob_term_suspend(false);
		if (!iob_term_ends(number))
			continue;
		if (number == SIGHUP)
			app->keyboard_gone = true;
		iob_app_interrupt(app);
		app->leave_when_over = true;
		app->signal = number;
	}
}

/* The run came to its end since the last look. */
static void over(struct iob_app *app)
{
	const struct iob_snapshot *s = &app->model.snap;

	iob_app_keep(app);
	if (app->leave_when_over) {
		app->leave = true;
	} else if (app->again) {
		app->again = false;
		iob_app_start(app);
	} else if (s->outcome == IOB_OUTCOME_FAILED && s->view.t0_ns == 0) {
		if (!app->dialog)
			iob_app_start_failed(app);
	} else if (app->screen == &iob_scr_run) {
		iob_app_show(app, &iob_scr_summary);
	} else if (app->below == &iob_scr_run) {
		app->below = &iob_scr_summary;
	}
}

static void update(struct iob_app *app)
{
	struct iob_dialog *dialog = app->dialog;

	iob_app_tick_replay(app);
	iob_model_update(&app->model, app->now_ns);
	if (app->model.tuning.refused) {
		app->model.tuning.refused = false;
		iob_app_first_write(app);
	}
	if (app->model.source.snapshot && app->model.snap.phase == IOB_PHASE_DONE)
		over(app);
	if (dialog && dialog == app->dialog && iob_dialog_expired(dialog, app->now_ns)) {
		app->dialog = NULL;
		iob_dialog_finish(dialog, app, -1);
	}
}

static void draw(struct iob_app *app)
{
	werase(app->canvas.win);
	app->screen->draw(app);
	if (app->dialog)
		iob_dialog_draw(app->dialog, app->now_ns);
	update_panels();
	if (!iob_term_show())
		app->stuck = app->keyboard_gone = true;
}

static void wait_for_something(const struct iob_app *app, uint64_t until_ns)
{
	struct pollfd p[2] = {{.fd = app->keyboard_gone ? -1 : STDIN_FILENO, .events = POLLIN},
		{.fd = iob_term_signal_fd(), .events = POLLIN}};
	uint64_t now = iob_now_ns();
	int ms = until_ns > now ? (int)((until_ns - now + 999999) / 1000000) : 0;

	/* Interrupted by a change of size: the keys tell. */
	poll(p, 2, ms);
}

/* When to wake up at the latest: a frame, or a staged change. */
static uint64_t next_event(const struct iob_app *app, uint64_t frame_ns)
{
	uint64_t due_ns = iob_model_due_ns(&app->model);

	if (app->script.text && app->script.not_before_ns > app->now_ns &&
		app->script.not_before_ns < frame_ns)
		frame_ns = app->script.not_before_ns;
	return due_ns < frame_ns && due_ns > app->now_ns ? due_ns : frame_ns;
}

void iob_app_loop(struct iob_app *app)
{
	uint64_t frame_ns = 0, repaint_ns = iob_now_ns() + app->caps.repaint_ns;
	unsigned skipped = 0;

	while (!app->leave) {
		app->now_ns = iob_now_ns();
		handle_signals(app);
		bool pressed = !app->keyboard_gone && drain_keys(app);
		bool due = app->now_ns >= frame_ns;

		if (app->leave)
			break;
		if (due || pressed || app->now_ns >= iob_model_due_ns(&app->model))
			update(app);
		if (!app->leave)
			iob_app_run_script(app);
		if (app->leave)
			break;
		if (due || pressed) {
			if (app->caps.repaint_ns && app->now_ns >= repaint_ns) {
				clearok(curscr, TRUE);
				repaint_ns = app->now_ns + app->caps.repaint_ns;
			}
			skipped = app->keyboard_gone || iob_term_writable() ? 0 : skipped + 1;
			app->model.slow_terminal = skipped > SKIPPED_MOST;
			if (skipped == 0 && !app->keyboard_gone)
				draw(app);
			frame_ns = app->now_ns + app->caps.refresh_ns;
		}
		wait_for_something(app, next_event(app, frame_ns));
	}
}
