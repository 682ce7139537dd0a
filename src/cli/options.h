/* SPDX-License-Identifier: MIT */
/*
 * The command line of the dashboard and of `run`: TARGET, -p, --NAME=VALUE for every row of the
 * parameter table, and the program's own options below.  One and two dashes, "=" or a separate
 * word; "--" ends options.
 */
#ifndef IOB_CLI_OPTIONS_H
#define IOB_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/format_list.h"
#include "job/fio_plan.h"
#include "job/plan.h"

enum iob_color { IOB_COLOR_AUTO, IOB_COLOR_ALWAYS, IOB_COLOR_NEVER };

struct iob_gates {
	double min_iops, min_bw;         /* 0 = none; bw in bytes per second */
	uint64_t max_lat_ns, max_p99_ns; /* 0 = none; mean and p99 of lat */
};

struct iob_options {
	struct iob_plan *plan;          /* owned; finished (iob_plan_finish) when has_work */
	bool has_target;                /* TARGET, --filename or --directory was given */
	struct iob_format_list formats; /* at least one */
	const char *output;             /* -o, NULL = stdout */
	const char *save;               /* --save=FILE, NULL = none */
	bool no_save;
	uint64_t grace_ns; /* --grace, 0 = default */
	bool quiet;        /* --quiet: no progress on stderr */
	struct iob_gates gates;
	const char *symbols;  /* "auto" braille block console ascii */
	enum iob_color color; /* --color=auto|always|never */
	uint64_t refresh_ns;  /* --refresh, 0 = default */
	const char *script;   /* --script, NULL = none */
	const char *jobfile;  /* --jobfile, NULL = none */
	const char *profile;  /* --profile, NULL = none */
	bool help, version;
	int argc; /* the command line itself, for iob_options_replan */
	char **argv;
};

/*
 * Parse.  Profile first (wherever it stands), then the options in order: an option beats the
 * profile.  Without a profile and without --rw the profile "iops" is taken.  Strings point into
 * argv.  Usage errors name the option, the value and the remedy.
 */
int iob_options_parse(struct iob_options *, int argc, char **argv, struct iob_error *);
void iob_options_free(struct iob_options *);

/* The plan that the same command line gives with another profile.  Not finished. */
int iob_options_replan(
	const struct iob_options *, const char *profile, struct iob_plan *, struct iob_error *);
/* The plan of a job file (its sections as given, if it is the one of the command line), with what
 * else was asked for if `options`.  note: what was warned of, "" = nothing.  Not finished. */
int iob_options_replan_job(const struct iob_options *, const char *path, bool options,
	struct iob_plan *, struct iob_fio_note *note, struct iob_error *);
/* Its parameters as they were written, " --size=200m --runtime=20", without target and profile. */
void iob_options_words(const struct iob_options *, char *buf, size_t n);

/* The option part of --help: own options and the parameter table, for stdout. */
void iob_options_print_help(void);

#endif
