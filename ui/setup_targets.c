/* SPDX-License-Identifier: MIT */
/* The list of targets: a scratch file, a path that was typed, and every block device. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "target/scratch.h"
#include "ui/setup.h"

#define WIDE 110

size_t iob_setup_count(const struct iob_setup *s)
{
	return IOB_SETUP_FIRST_DEVICE + s->devices.count;
}

const struct iob_blockdev *iob_setup_device(const struct iob_setup *s)
{
	const size_t first = IOB_SETUP_FIRST_DEVICE;

	if (s->target < first || s->target - first >= s->devices.count)
		return NULL;
	return &s->devices.item[s->target - first];
}

const char *iob_setup_target(const struct iob_setup *s)
{
	const struct iob_blockdev *device = iob_setup_device(s);

	if (device)
		return device->path;
	return s->target == IOB_SETUP_PATH ? s->path : "";
}

static const char *writable(const struct iob_blockdev *d)
{
	if (d->use != IOB_USE_FREE || d->readonly)
		return "READ ONLY";
	return d->has_signature ? "HAS DATA" : "free";
}

static void describe_device(
	const struct iob_setup *s, char *buf, size_t n, const struct iob_blockdev *d)
{
	char size[24], details[64] = "", lbs[24];

	iob_format_bytes(size, sizeof(size), d->size);
	if (s->box[IOB_SETUP_TARGETS].cols >= WIDE)
		snprintf(details, sizeof(details), "%-9.9s %-8.8s lbs %-5s ", d->kind,
			d->scheduler[0] ? d->scheduler : "-",
			iob_format_size_exact(lbs, sizeof(lbs), d->logical_block_size));
	snprintf(buf, n, "%s%-10.12s %9s  %-18.18s %s%-9s %.120s", d->is_partition ? " " : "",
		d->name, size,
		d->model[0]  ? d->model
		: details[0] ? "-"
			     : d->kind,
		details, writable(d), d->use_text[0] ? d->use_text : d->contents);
}

static void path_row(const struct iob_setup *s, char *buf, size_t n)
{
	if (s->own_targets)
		snprintf(buf, n, "job file   what its stages name, each its own");
	else if (s->path[0])
		snprintf(buf, n, "file       %.200s", s->path);
	else
		snprintf(buf, n,
			"file       f types a path: a file, new or there already; a folder");
}

void iob_setup_row(const struct iob_setup *s, size_t row, char *buf, size_t n)
{
	const size_t first = IOB_SETUP_FIRST_DEVICE;

	if (row == 0)
		snprintf(buf, n, "%s", s->scratch);
	else if (row < first)
		path_row(s, buf, n);
	else
		describe_device(s, buf, n, &s->devices.item[row - first]);
}

void iob_setup_open_targets(struct iob_setup *s)
{
	size_t n = iob_setup_count(s);
	char(*text)[256] = calloc(n, sizeof(*text));
	const char **label = calloc(n, sizeof(*label));

	for (size_t i = 0; text && label && i < n; i++) {
		iob_setup_row(s, i, text[i], sizeof(text[i]));
		label[i] = text[i];
	}
	if (text && label)
		iob_picker_open(&s->targets, iob_rect_inside(s->box[IOB_SETUP_TARGETS]), label, n,
			s->target);
	free(label);
	free(text);
}

static const char *scratch_size(const struct iob_app *app, char *buf, size_t n)
{
	uint64_t bytes = app->plan->stage[0].size.bytes;

	return iob_format_bytes(buf, n, bytes ? bytes : UINT64_C(1) << 30);
}

void iob_setup_scan(struct iob_app *app)
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

void iob_setup_search(struct iob_app *app, int by)
{
	struct iob_setup *s = app->setup;
	size_t n = iob_setup_count(s);
	char text[256];

	s->part = IOB_SETUP_TARGETS;
	for (size_t step = 1; step <= n && app->model.search[0]; step++) {
		size_t i = (s->target + (by > 0 ? step : n - step % n)) % n;

		iob_setup_row(s, i, text, sizeof(text));
		if (!strcasestr(text, app->model.search))
			continue;
		s->target = i;
		app->screen->resize(app);
		return;
	}
	iob_app_say(app, IOB_TOAST_WARN, "no target has that in its line");
}
