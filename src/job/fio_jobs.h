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
	struct iob_place place;
	/* As typed, without what was inherited: for JSON's "job options" and --showcmd. */
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

/* Apply fio's rules to the sections.  only: names of --section, nonly of them (0 = all). */
int iob_fio_jobs_make(struct iob_fio_jobs *, const struct iob_jobfile *, const char *const *only,
	size_t nonly, struct iob_error *);
void iob_fio_jobs_free(struct iob_fio_jobs *);

#endif
