/* SPDX-License-Identifier: MIT */
/* Choose two of the kept runs and see them side by side; a run that is on goes on. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "result/runs.h"
#include "ui/app.h"
#include "ui/compare.h"
#include "ui/picker.h"
#include "ui/widget.h"

#define MOST_RUNS 60

struct side {
	size_t index;
	bool chosen;
	struct iob_result result; /* zeroed = not read */
};

struct iob_comparison {
	struct iob_runs_entry *run;
	size_t nruns;
	struct side side[2];
	struct iob_picker picker;
	struct iob_rect box[2];
};

/* The headline, of those that have been read. */
static void describe(const struct iob_result *r, char *buf, size_t n)
{
	const struct iob_result_segment *s = iob_result_headline(r);
	char iops[24], bs[120];

	if (s)
		snprintf(buf, n, "  %.20s bs %.24s qd %llu  %s IOPS", r->plan->profile,
			iob_live_bs(bs, sizeof(bs), &s->params.live),
			(unsigned long long)s->params.live.iodepth,
			iob_format_count(iops, sizeof(iops), s->figures.all.iops));
}

static void open_list(struct iob_comparison *c)
{
	char(*text)[200] = calloc(c->nruns + 1, sizeof(*text));
	const char **label = calloc(c->nruns + 1, sizeof(*label));
	size_t at = iob_picker_current(&c->picker);

	iob_picker_close(&c->picker);
	for (size_t i = 0; text && label && i < c->nruns; i++) {
		char mark[4] = "  ", figures[96] = "";

		for (int s = 0; s < 2; s++) {
			if (!c->side[s].chosen || c->side[s].index != i)
				continue;
			mark[s] = "AB"[s];
			describe(&c->side[s].result, figures, sizeof(figures));
		}
		snprintf(text[i], sizeof(text[i]), "[%s]  %s  %.60s%s", mark, c->run[i].when,
			c->run[i].target, figures);
		label[i] = text[i];
	}
	if (text && label)
		iob_picker_open(&c->picker, iob_rect_inside(c->box[0]), label, c->nruns, at);
	free(label);
	free(text);
}

static void resize(struct iob_app *app)
{
	struct iob_comparison *c = app->compare;
	int rest = app->rows > 3 ? app->rows - 3 : 0;
	/* What a short list does not need is the comparison's. */
	int list = (int)c->nruns + 2 < rest / 3 ? (int)c->nruns + 2 : rest / 3;

	list = list > 4 ? list : rest / 3 < 4 ? rest / 3 : 4;

	c->box[0] = (struct iob_rect){1, 0, list, app->cols};
	c->box[1] = (struct iob_rect){1 + list, 0, rest - list, app->cols};
	open_list(c);
}

static void choose(struct iob_app *app, int s, size_t index)
{
	struct iob_comparison *c = app->compare;
	struct iob_error err = {.code = 0};

	if (index >= c->nruns)
		return;
	iob_result_free(&c->side[s].result);
	memset(&c->side[s], 0, sizeof(c->side[s]));
	if (iob_result_read(&c->side[s].result, c->run[index].path, &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	c->side[s].index = index;
	c->side[s].chosen = true;
	app->scroll = 0;
	open_list(c);
}

/* The newest, and the one before it on the same target. */
static void choose_first(struct iob_app *app)
{
	struct iob_comparison *c = app->compare;

	choose(app, 0, 0);
	for (size_t i = 1; i < c->nruns; i++) {
		if (strcmp(c->run[i].target, c->run[0].target) != 0)
			continue;
		choose(app, 1, i);
		return;
	}
}

static void enter(struct iob_app *app)
{
	struct iob_error err = {.code = 0};

	app->scroll = 0;
	app->compare = calloc(1, sizeof(*app->compare));
	if (!app->compare)
		return;
	int n = iob_runs_list(&app->compare->run, NULL, MOST_RUNS, &err);
	if (n < 0)
		iob_app_say(app, IOB_TOAST_WARN, err.text);
	app->compare->nruns = n > 0 ? (size_t)n : 0;
	resize(app);
	choose_first(app);
}

static void leave(struct iob_app *app)
{
	struct iob_comparison *c = app->compare;

	app->compare = NULL;
	if (!c)
		return;
	iob_picker_close(&c->picker);
	for (int s = 0; s < 2; s++)
		iob_result_free(&c->side[s].result);
	free(c->run);
	free(c);
}

static void swap(struct iob_comparison *c)
{
	struct side a = c->side[0];

	c->side[0] = c->side[1];
	c->side[1] = a;
	open_list(c);
}

static void act(struct iob_app *app, enum iob_action action)
{
	struct iob_comparison *c = app->compare;
	size_t at = c ? iob_picker_current(&c->picker) : 0;

	if (action == IOB_ACT_CANCEL || !c) {
		iob_app_show(app, app->below);
		return;
	}
	switch (action) {
	case IOB_ACT_PAGE_UP:
	case IOB_ACT_PAGE_DOWN:
		iob_scroll_act(&app->scroll, action);
		break;
	case IOB_ACT_SET_A:
		choose(app, 0, at);
		break;
	case IOB_ACT_SET_B:
		choose(app, 1, at);
		break;
	case IOB_ACT_SWAP:
		swap(c);
		break;
	default:
		iob_picker_act(&c->picker, action);
		break;
	}
}

static void draw(struct iob_app *app)
{
	struct iob_comparison *c = app->compare;
	struct iob_lines lines = {.count = 0};
	struct iob_rect title = {0, 0, 1, app->cols};
	struct iob_rect status = {app->rows - 2, 0, app->rows > 2 ? 1 : 0, app->cols};
	struct iob_rect hints = {app->rows - 1, 0, app->rows > 1 ? 1 : 0, app->cols};

	iob_canvas_fill(&app->canvas, title, IOB_ROLE_TITLE);
	iob_canvas_text(&app->canvas, title, 0, 1, IOB_ROLE_TITLE,
		PACKAGE_NAME " " PACKAGE_VERSION " | COMPARE");
	if (!c)
		return;
	if (c->side[0].chosen && c->side[1].chosen)
		iob_compare_lines(&lines, &c->side[0].result, &c->side[1].result, app->cols - 4);
	else
		iob_lines_add(&lines, IOB_ROLE_LABEL, "%s",
			c->nruns ? "choose two runs: a takes the one under the bar as A, b as B"
				 : "no runs have been kept yet");
	iob_canvas_box(
		&app->canvas, c->box[0], "Kept runs", "a b choose  x swap  PgDn scrolls below");
	iob_draw_lines(&app->canvas, c->box[1], "A against B", &lines, &app->scroll, 1);
	iob_draw_toast(&app->canvas, status, &app->model.toast);
	iob_draw_hints(&app->canvas, hints, IOB_SCREEN_COMPARE);
	iob_lines_free(&lines);
}

const struct iob_scr iob_scr_compare = {.id = IOB_SCREEN_COMPARE,
	.enter = enter,
	.leave = leave,
	.resize = resize,
	.act = act,
	.draw = draw};
