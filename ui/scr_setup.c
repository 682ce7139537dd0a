/* SPDX-License-Identifier: MIT */
/* Choose a target and a profile. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "job/profile.h"
#include "target/blockdev.h"
#include "target/scratch.h"
#include "ui/app.h"
#include "ui/picker.h"
#include "ui/widget.h"

struct iob_setup {
	struct iob_blockdevs devices;
	struct iob_profile_entry *profile;
	size_t nprofiles;
	char path[IOB_PATH_MAX]; /* typed target, "" = none: the second row of the targets then */
	char scratch[160];       /* how the scratch file is described */
	struct iob_picker targets, profiles;
	size_t target, profile_at; /* chosen rows, kept over a resize */
	bool in_profiles;          /* which list has the focus */
	struct iob_rect box[2], info;
};

/* Rows before the devices: the scratch file, and the typed path. */
static size_t first_device(const struct iob_setup *s)
{
	return s->path[0] ? 2 : 1;
}

static const struct iob_blockdev *chosen_device(const struct iob_setup *s)
{
	size_t first = first_device(s);

	if (s->target < first || s->target - first >= s->devices.count)
		return NULL;
	return &s->devices.item[s->target - first];
}

static void describe_device(char *buf, size_t n, const struct iob_blockdev *d)
{
	char size[24];

	iob_format_bytes(size, sizeof(size), d->size);
	snprintf(buf, n, "%s%-10.12s %9s  %-18.18s %-9s %.120s", d->is_partition ? " " : "",
		d->name, size, d->model[0] ? d->model : d->kind,
		d->use != IOB_USE_FREE || d->readonly ? "READ ONLY"
		: d->has_signature                    ? "HAS DATA"
						      : "",
		d->use_text[0] ? d->use_text : d->contents);
}

static void open_targets(struct iob_setup *s)
{
	size_t first = first_device(s), n = first + s->devices.count;
	char(*text)[256] = calloc(n, sizeof(*text));
	const char **label = calloc(n, sizeof(*label));

	if (text && label) {
		snprintf(text[0], sizeof(text[0]), "%s", s->scratch);
		if (s->path[0])
			snprintf(text[1], sizeof(text[1]), "file       %.200s", s->path);
		for (size_t i = 0; i < s->devices.count; i++)
			describe_device(text[first + i], sizeof(text[0]), &s->devices.item[i]);
		for (size_t i = 0; i < n; i++)
			label[i] = text[i];
		iob_picker_open(&s->targets, iob_rect_inside(s->box[0]), label, n, s->target);
	}
	free(label);
	free(text);
}

static void open_profiles(struct iob_setup *s)
{
	char(*text)[256] = calloc(s->nprofiles + 1, sizeof(*text));
	const char **label = calloc(s->nprofiles + 1, sizeof(*label));

	if (text && label) {
		for (size_t i = 0; i < s->nprofiles; i++) {
			snprintf(text[i], sizeof(text[i]), "%-12s %s", s->profile[i].name,
				s->profile[i].summary);
			label[i] = text[i];
		}
		iob_picker_open(&s->profiles, iob_rect_inside(s->box[1]), label, s->nprofiles,
			s->profile_at);
	}
	free(label);
	free(text);
}

static void place(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	int info = app->rows >= 18 ? 5 : 0;
	int rest = app->rows - 3 - info;
	int targets = rest * 3 / 5;

	s->box[0] = (struct iob_rect){1, 0, targets > 0 ? targets : 0, app->cols};
	s->box[1] = (struct iob_rect){
		1 + targets, 0, rest - targets > 0 ? rest - targets : 0, app->cols};
	s->info = (struct iob_rect){1 + rest, 0, info, app->cols};
}

static void close_lists(struct iob_setup *s)
{
	iob_picker_close(&s->targets);
	iob_picker_close(&s->profiles);
}

static void resize(struct iob_app *app)
{
	close_lists(app->setup);
	place(app);
	open_targets(app->setup);
	open_profiles(app->setup);
}

static const char *scratch_size(const struct iob_app *app, char *buf, size_t n)
{
	uint64_t bytes = app->config->plan->stage[0].size.bytes;

	return iob_format_bytes(buf, n, bytes ? bytes : UINT64_C(1) << 30);
}

static void scan(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};
	char dir[IOB_PATH_MAX], size[24];

	iob_blockdevs_free(&s->devices);
	memset(&s->devices, 0, sizeof(s->devices));
	if (iob_blockdevs_list(&s->devices, "", IOB_PROBE_CONTENTS, &err) < 0)
		iob_app_say(app, IOB_TOAST_WARN, err.text);
	if (iob_scratch_directory(dir, sizeof(dir), &err) < 0)
		snprintf(s->scratch, sizeof(s->scratch), "scratch    %.140s", err.text);
	else
		snprintf(s->scratch, sizeof(s->scratch),
			"scratch    %9s  a new file in %.60s, removed afterwards",
			scratch_size(app, size, sizeof(size)), dir);
}

static void scan_profiles(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_error err = {.code = 0};
	int n = iob_profile_list(&s->profile, &err);

	if (n < 0)
		iob_app_say(app, IOB_TOAST_WARN, err.text);
	s->nprofiles = n > 0 ? (size_t)n : 0;
	for (size_t i = 0; i < s->nprofiles; i++)
		if (strcmp(s->profile[i].name, app->plan->profile) == 0)
			s->profile_at = i;
}

static void enter(struct iob_app *app)
{
	if (!app->setup) {
		app->setup = calloc(1, sizeof(*app->setup));
		if (!app->setup) {
			iob_fail(&app->error, -12, "setup screen: %m");
			app->leave = true;
			return;
		}
		scan_profiles(app);
		scan(app);
	}
	resize(app);
}

static void leave(struct iob_app *app)
{
	if (app->setup)
		close_lists(app->setup);
}

/* What else stood on the command line holds for any profile. */
static int load_profile(struct iob_app *app, const char *name, struct iob_error *err)
{
	const struct iob_ui_config *config = app->config;

	if (config->replan)
		return config->replan(config->replan_self, name, app->plan, err);
	return iob_profile_load(app->plan, name, err);
}

static void start(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	const struct iob_blockdev *device = chosen_device(s);
	const char *target = device ? device->path : s->target == 1 && s->path[0] ? s->path : NULL;
	struct iob_error err = {.code = 0};

	*app->plan = *app->config->plan;
	if (s->nprofiles && strcmp(s->profile[s->profile_at].name, app->plan->profile) != 0 &&
		load_profile(app, s->profile[s->profile_at].name, &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	if (iob_plan_set_target(app->plan, target, &err) < 0) {
		iob_app_say(app, IOB_TOAST_ERROR, err.text);
		return;
	}
	iob_app_start(app);
}

static void path_typed(struct iob_app *app, int choice, const char *text)
{
	struct iob_setup *s = app->setup;

	if (choice < 0)
		return;
	snprintf(s->path, sizeof(s->path), "%s", text);
	s->target = 1;
	resize(app);
}

static void ask_path(struct iob_app *app)
{
	iob_app_ask(app,
		&(struct iob_dialog_spec){
			.title = "Target",
			.text = "A file, a block device, or a directory (ends in '/'; a scratch "
				"file is made in it and removed afterwards).",
			.initial = app->setup->path,
			.hint = "Enter takes it   Esc cancels",
			.done = path_typed,
		});
}

static void act(struct iob_app *app, enum iob_action action)
{
	struct iob_setup *s = app->setup;
	struct iob_picker *list = s->in_profiles ? &s->profiles : &s->targets;

	if (iob_picker_act(list, action)) {
		s->target = iob_picker_current(&s->targets);
		s->profile_at = iob_picker_current(&s->profiles);
		return;
	}
	switch (action) {
	case IOB_ACT_NEXT_FIELD:
	case IOB_ACT_PREVIOUS_FIELD:
		s->in_profiles = !s->in_profiles;
		break;
	case IOB_ACT_PATH:
		ask_path(app);
		break;
	case IOB_ACT_RESCAN:
		scan(app);
		resize(app);
		break;
	case IOB_ACT_START:
		start(app);
		break;
	default:
		break;
	}
}

/* The settings as a sentence: from the plan that the start would make. */
static void draw_info(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_rect in = iob_rect_inside(s->info);
	const struct iob_blockdev *d = chosen_device(s);
	const char *profile = s->nprofiles ? s->profile[s->profile_at].name : app->plan->profile;

	if (s->info.rows < 3)
		return;
	iob_canvas_printf(&app->canvas, in, 0, 1, IOB_ROLE_NORMAL, "Runs profile %s on %s.",
		profile,
		d                         ? d->path
		: s->target && s->path[0] ? s->path
					  : "a new scratch file");
	if (d && (d->use != IOB_USE_FREE || d->readonly))
		iob_canvas_printf(&app->canvas, in, 1, 1, IOB_ROLE_WARN,
			"%s: it can be read; writing to it is refused.",
			d->use_text[0] ? d->use_text : "read-only");
	else if (d || s->target)
		iob_canvas_text(&app->canvas, in, 1, 1, IOB_ROLE_NORMAL,
			"Reading changes nothing.  Before any write its name has to be typed.");
	else
		iob_canvas_text(&app->canvas, in, 1, 1, IOB_ROLE_NORMAL,
			"The file is filled with incompressible data first.");
	iob_canvas_printf(&app->canvas, in, 2, 1, IOB_ROLE_LABEL,
		"Same as: " PACKAGE_NAME " %s%s--profile=%s%s",
		d           ? d->path
		: s->target ? s->path
			    : "",
		d || s->target ? " " : "", profile, app->config->words ? app->config->words : "");
	iob_canvas_box(&app->canvas, s->info, "What will happen", NULL);
}

static void draw(struct iob_app *app)
{
	struct iob_setup *s = app->setup;
	struct iob_rect title = {0, 0, 1, app->cols};
	struct iob_rect status = {app->rows - 2, 0, app->rows > 2 ? 1 : 0, app->cols};
	struct iob_rect hints = {app->rows - 1, 0, app->rows > 1 ? 1 : 0, app->cols};

	if (!s)
		return;
	iob_canvas_fill(&app->canvas, title, IOB_ROLE_TITLE);
	iob_canvas_text(&app->canvas, title, 0, 1, IOB_ROLE_TITLE,
		PACKAGE_NAME " " PACKAGE_VERSION " | SETUP");
	iob_canvas_box(&app->canvas, s->box[0], "Target", s->in_profiles ? NULL : "<- arrows");
	iob_canvas_box(&app->canvas, s->box[1], "Profile", s->in_profiles ? "<- arrows" : NULL);
	draw_info(app);
	iob_draw_toast(&app->canvas, status, &app->model.toast);
	iob_draw_hints(&app->canvas, hints, IOB_SCREEN_SETUP);
}

void iob_setup_free(struct iob_setup *s)
{
	if (!s)
		return;
	close_lists(s);
	iob_blockdevs_free(&s->devices);
	free(s->profile);
	free(s);
}

const struct iob_scr iob_scr_setup = {.id = IOB_SCREEN_SETUP,
	.enter = enter,
	.leave = leave,
	.resize = resize,
	.act = act,
	.draw = draw};
