/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/own_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/choose.h"
#include "cli/output.h"

#define TIME_HELP "write a time such as 500ms, 2s or 1m"

/* Profiles and job files are loaded before the options are applied: options.c has done it by now.
 */
static int apply_loaded(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)o;
	(void)value;
	(void)err;
	return 0;
}

static int apply_format(struct iob_options *o, const char *value, struct iob_error *err)
{
	return iob_format_list_parse(&o->formats, value, err);
}

static int apply_output(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)err;
	o->output = iob_output_path(value);
	return 0;
}

static int apply_save(struct iob_options *o, const char *value, struct iob_error *err)
{
	if (o->no_save)
		return iob_fail_usage(
			err, "--save=%.100s: --no-save says the opposite; leave one out", value);
	o->save = value;
	return 0;
}

static int apply_no_save(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)value;
	if (o->save)
		return iob_fail_usage(err, "--no-save: --save says the opposite; leave one out");
	o->no_save = true;
	return 0;
}

static int apply_allow_write(struct iob_options *o, const char *value, struct iob_error *err)
{
	return iob_plan_allow_write(o->plan, value, err);
}

/* A bare number counts seconds. */
static int parse_time(const char *name, const char *value, uint64_t least, uint64_t most,
	uint64_t *out, struct iob_error *err)
{
	char low[40], high[40];
	const char *why = NULL;
	uint64_t ns = 0;
	int rc = iob_parse_time(value, IOB_NS_PER_S, &ns, &why);

	if (rc == -EINVAL)
		return iob_fail_usage(err, "--%s=%.64s: %s; " TIME_HELP, name, value, why);
	if (rc < 0 || ns < least || ns > most)
		return iob_fail_usage(err, "--%s=%.64s: from %s to %s is possible", name, value,
			iob_format_time_exact(low, sizeof(low), least),
			iob_format_time_exact(high, sizeof(high), most));
	*out = ns;
	return 0;
}

static int apply_grace(struct iob_options *o, const char *value, struct iob_error *err)
{
	return parse_time(
		"grace", value, 100 * IOB_NS_PER_MS, 3600 * IOB_NS_PER_S, &o->grace_ns, err);
}

static int apply_refresh(struct iob_options *o, const char *value, struct iob_error *err)
{
	return parse_time(
		"refresh", value, 50 * IOB_NS_PER_MS, 60 * IOB_NS_PER_S, &o->refresh_ns, err);
}

static int apply_quiet(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)value;
	(void)err;
	o->quiet = true;
	return 0;
}

static int apply_min_iops(struct iob_options *o, const char *value, struct iob_error *err)
{
	const char *why = NULL;
	uint64_t iops = 0;
	int rc = iob_parse_count(value, &iops, &why);

	if (rc < 0)
		return iob_fail_usage(err,
			"--min-iops=%.64s: %s; write a number such as 20000 or 20k", value, why);
	o->gates.min_iops = (double)iops;
	return 0;
}

static int apply_min_bw(struct iob_options *o, const char *value, struct iob_error *err)
{
	const char *why = NULL;
	uint64_t bytes = 0;
	int rc = iob_parse_size(value, &bytes, &why);

	if (rc < 0)
		return iob_fail_usage(err,
			"--min-bw=%.64s: %s; write bytes per second such as 200m or 200MB", value,
			why);
	o->gates.min_bw = (double)bytes;
	return 0;
}

/* A bare number could be meant in milliseconds as well as in seconds: ask for the unit. */
static int parse_latency(const char *name, const char *value, uint64_t *out, struct iob_error *err)
{
	size_t n = strlen(value);

	if (n > 0 && value[n - 1] >= '0' && value[n - 1] <= '9')
		return iob_fail_usage(err,
			"--%s=%.64s: the unit is missing; write a time such as 500us or 2ms", name,
			value);
	return parse_time(name, value, 1, 3600 * IOB_NS_PER_S, out, err);
}

static int apply_sweep(struct iob_options *o, const char *value, struct iob_error *err)
{
	return iob_sweep_parse(&o->plan->sweep, value, err);
}

static int apply_sweep_p99(struct iob_options *o, const char *value, struct iob_error *err)
{
	return parse_latency("sweep-p99", value, &o->plan->sweep.max_p99_ns, err);
}

static int apply_max_lat(struct iob_options *o, const char *value, struct iob_error *err)
{
	return parse_latency("max-lat", value, &o->gates.max_lat_ns, err);
}

static int apply_max_p99(struct iob_options *o, const char *value, struct iob_error *err)
{
	return parse_latency("max-p99", value, &o->gates.max_p99_ns, err);
}

static int apply_symbols(struct iob_options *o, const char *value, struct iob_error *err)
{
	static const char *const words[] = {"auto", "braille", "block", "console", "ascii", NULL};
	int i = iob_choose("symbols", value, words, err);

	if (i < 0)
		return i;
	o->symbols = words[i];
	return 0;
}

static int apply_color(struct iob_options *o, const char *value, struct iob_error *err)
{
	static const char *const words[] = {
		[IOB_COLOR_AUTO] = "auto",
		[IOB_COLOR_ALWAYS] = "always",
		[IOB_COLOR_NEVER] = "never",
		NULL,
	};
	int i = iob_choose("color", value, words, err);

	if (i < 0)
		return i;
	o->color = (enum iob_color)i;
	return 0;
}

static int apply_script(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)err;
	o->script = value;
	return 0;
}

static int apply_help(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)value;
	(void)err;
	o->help = true;
	return 0;
}

static int apply_version(struct iob_options *o, const char *value, struct iob_error *err)
{
	(void)value;
	(void)err;
	o->version = true;
	return 0;
}

const struct iob_own_option iob_own_options[] = {
	{"profile", 'p', "NAME|FILE", "Stages to run; \"iotop-bench profiles\" lists them.",
		apply_loaded},
	{"jobfile", 0, "FILE", "Stages from fio's job file; what runs side by side must be alike.",
		apply_loaded},
	{"section", 0, "NAME", "Only this section of the job file; may be repeated.", apply_loaded},
	{"format", 'f', "LIST",
		"Report formats, with commas: text, json, json+, fio, terse, csv, ndjson, html.",
		apply_format},
	{"output", 'o', "FILE",
		"Write the report to FILE instead of standard output; several formats "
		"add their suffix.",
		apply_output},
	{"save", 0, "FILE", "Save the run as JSON, to be printed again by \"report\".", apply_save},
	{"no-save", 0, NULL, "Save nothing.", apply_no_save},
	{"allow-write", 0, "PATH",
		"Consent to overwrite this device or existing file; may be repeated.",
		apply_allow_write},
	{"sweep", 0, "PARAM=FROM..TO",
		"Double iodepth or bs step by step (runtime= is the time of a step); find the knee.",
		apply_sweep},
	{"sweep-p99", 0, "TIME", "Say at which step p99 passes this.", apply_sweep_p99},
	{"min-iops", 0, "N", "Exit status 4 if there are fewer I/Os per second.", apply_min_iops},
	{"min-bw", 0, "SIZE", "Exit status 4 if fewer bytes per second are moved.", apply_min_bw},
	{"max-lat", 0, "TIME", "Exit status 4 if the mean latency is longer.", apply_max_lat},
	{"max-p99", 0, "TIME", "Exit status 4 if one I/O in a hundred takes longer.",
		apply_max_p99},
	{"grace", 0, "TIME", "How long to wait at the end for I/O that does not return.",
		apply_grace},
	{"quiet", 'q', NULL, "No progress on standard error.", apply_quiet},
	{"symbols", 0, "SET", "Symbols of the graphs: auto, braille, block, console, ascii.",
		apply_symbols},
	{"color", 0, "WHEN", "Colours: auto, always, never.", apply_color},
	{"refresh", 0, "TIME", "How often the screen is drawn.", apply_refresh},
	{"script", 0, "FILE", "Commands for the dashboard, one per line, as after its \":\".",
		apply_script},
	{"help", 'h', NULL, "Print this help.", apply_help},
	{"version", 'V', NULL, "Print the version.", apply_version},
	{NULL, 0, NULL, NULL, NULL},
};

const struct iob_own_option *iob_own_option_find(const char *name)
{
	for (const struct iob_own_option *o = iob_own_options; o->name; o++) {
		if (iob_name_is(o->name, strlen(o->name), name))
			return o;
		if (o->letter != 0 && name[0] == o->letter && name[1] == '\0')
			return o;
	}
	return NULL;
}
