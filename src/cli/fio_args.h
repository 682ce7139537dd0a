/* SPDX-License-Identifier: MIT */
/*
 * The command line of `iotop-bench fio`, in fio's sense: its own options, jobs given by --name, and
 * the job files that it names.  Strings point into argv.
 */
#ifndef IOB_CLI_FIO_ARGS_H
#define IOB_CLI_FIO_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "job/jobfile.h"
#include "job/plan.h"

enum iob_fio_format { /* bits: --output-format takes a list */
	IOB_FIO_NORMAL = 1,
	IOB_FIO_TERSE = 2,
	IOB_FIO_JSON = 4,
	IOB_FIO_JSON_PLUS = 8,
};

enum iob_fio_eta { IOB_FIO_ETA_AUTO, IOB_FIO_ETA_ALWAYS, IOB_FIO_ETA_NEVER };

enum iob_fio_idle {
	IOB_FIO_IDLE_NONE,
	IOB_FIO_IDLE_SYSTEM,
	IOB_FIO_IDLE_PERCPU,
	IOB_FIO_IDLE_CALIBRATE
};

#define IOB_FIO_MAX_SECTIONS 64

struct iob_fio_args {
	/* what to do instead of running */
	bool help, version, parse_only, showcmd, cpuclock_test, debughelp;
	const char *cmdhelp; /* NULL = not asked for; "all" */
	const char *enghelp; /* "" = the list; "NAME" or "NAME,OPTION" */
	const char *crctest; /* "" = all */
	/* reports */
	const char *output;     /* NULL = standard output */
	unsigned formats;       /* enum iob_fio_format, at least one bit */
	unsigned terse_version; /* 2..5 */
	enum iob_fio_eta eta;
	uint64_t eta_newline_ns;     /* 0 = none */
	uint64_t eta_interval_ns;    /* 1 s unless given */
	uint64_t status_interval_ns; /* 0 = none */
	const char *bandwidth_log;   /* prefix; NULL = none */
	enum iob_fio_idle idle_prof;
	bool warnings;       /* show the notes, too */
	bool warnings_fatal; /* a warning of the reader is an error */
	/* what may be done */
	bool readonly;
	bool allow_exec;             /* ours */
	struct iob_consent *consent; /* ours: --allow-write; owned, NULL = none */
	/* jobs */
	unsigned max_jobs; /* 0 = no limit but ours */
	uint64_t grace_ns; /* ours; 0 = the usual */
	unsigned nsections;
	const char *section[IOB_FIO_MAX_SECTIONS];
	struct iob_jobfile jobs; /* owned: the command line's, then each job file's */
	size_t nnotes;
	char **note; /* owned: options without effect here, whole lines */
};

/* argv[0] is skipped.  Usage errors name argument, value and remedy, or file:line:column. */
int iob_fio_args_parse(struct iob_fio_args *, int argc, char **argv, struct iob_error *);
/* Is something to be told instead of running jobs? */
bool iob_fio_args_inform(const struct iob_fio_args *);
/* Legal on a zeroed object. */
void iob_fio_args_free(struct iob_fio_args *);

#endif
