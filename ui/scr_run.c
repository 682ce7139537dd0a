/* SPDX-License-Identifier: MIT */
/* The dashboard. */
#include <config.h>

#include "ui/app.h"
#include "ui/widget.h"

static void draw(struct iob_app *app)
{
	iob_draw_dashboard(&app->canvas, &app->model, app->rows, app->cols);
}

static void act(struct iob_app *app, enum iob_action action)
{
	iob_model_act(&app->model, action, app->now_ns);
}

const struct iob_scr iob_scr_run = {.id = IOB_SCREEN_RUN, .act = act, .draw = draw};
