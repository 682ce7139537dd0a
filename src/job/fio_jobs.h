/* SPDX-License-Identifier: MIT */
/*
 * The jobs that a fio command line and its job files ask for: each section with all options
 * applied, in order, not yet multiplied by numjobs.  The front alone has them; what runs is made of
 * them by src/run/fleet.
 */
#ifndef IOB_JOB_FIO_JOBS_H
#define IOB_JOB_FIO_JOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "job/job.h"
#include "job/jobfile.h"

/* One section, or one --name of the command line. */
struct iob_fio_job {
	struct iob_job job; /* with fio's defaults where they differ from ours; job.name is the
			       display name */
	char jobname[256];  /* the display name in full */
	char section[256];  /* what the job file calls it: files without a filename are named so */
	uint64_t asked_iodepth; /* before the engine took less, for the reports */
	struct iob_place place;
	bool needs_exec; /* names a command that only --allow-exec lets run */
	/* As typed (options by fio's first name), without what was inherited: for JSON's "job
	 * options" and --showcmd. */
	size_t noptions;
	struct iob_option *option; /* owned */
	size_t nglobals;           /* the globals in force for it, for --showcmd */
	struct iob_option *global; /* owned */
};

struct iob_fio_jobs {
	size_t njobs;
	struct iob_fio_job *job;
	/* All of [global], for JSON's "global options". */
	size_t nglobals;
	struct iob_option *global;
	size_t nwarnings;
	char **warning; /* whole lines */
	size_t nnotes;
	char **note; /* accepted without effect; shown with --warnings */
};

struct iob_fio_rules {
	const char *const *only; /* --section */
	size_t nonly;            /* 0 = all */
	size_t max_jobs;         /* workers of all jobs together; 0 = no limit */
	bool allow_exec;
};

/* All rows as fio has them if nobody sets them; none is marked as given. */
void iob_fio_defaults(struct iob_job *);

/* Apply fio's rules to the sections.  Places point into the job file, which must stay.  A usage
 * error names file:line:column; the warnings up to there remain. */
int iob_fio_jobs_make(struct iob_fio_jobs *, const struct iob_jobfile *,
	const struct iob_fio_rules *, struct iob_error *);
/* Legal on a zeroed object. */
void iob_fio_jobs_free(struct iob_fio_jobs *);

/* The last option of that name (or an alias of its row) that holds for the job, NULL = none. */
const struct iob_option *iob_fio_job_option(const struct iob_fio_job *, const char *name);
/* Where it stands, or the section if there is none: for messages. */
const struct iob_place *iob_fio_job_place(const struct iob_fio_job *, const char *name);

#endif
