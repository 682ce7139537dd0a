/* SPDX-License-Identifier: MIT */
/* Nothing is lost: a run that is over is kept although nobody asked for it. */
#include <config.h>

#include <stdio.h>

#include "base/error.h"
#include "result/runs.h"
#include "ui/app.h"

void iob_app_keep(struct iob_app *app)
{
	struct iob_result result = {.elapsed_ms = 0};
	struct iob_error err = {.code = 0};
	char text[400];

	if (!app->run || app->config->no_save || app->keep_tried || app->model.snap.view.t0_ns == 0)
		return;
	/* Once: what has failed would fail with each frame, and cover whatever is said. */
	app->keep_tried = true;
	int r = iob_result_build(&result, app->run, &err);
	if (r == 0)
		r = iob_runs_rescue(&result, app->kept, sizeof(app->kept), &err);
	iob_result_free(&result);
	if (r == 0)
		return;
	app->kept[0] = '\0';
	snprintf(text, sizeof(text), "not kept: %.300s; s saves it elsewhere", err.text);
	iob_app_say(app, IOB_TOAST_WARN, text);
}
