/* SPDX-License-Identifier: MIT */
/* One option of a job file applied to a job.  For the fio_*.c files alone, and cli/fio_args. */
#ifndef IOB_JOB_FIO_OPTION_H
#define IOB_JOB_FIO_OPTION_H

#include "job/fio_jobs.h"

/* What is filled in for one section after the other. */
struct iob_fio_draft {
	struct iob_fio_jobs *jobs; /* takes warnings and notes */
	const struct iob_fio_rules *rules;
	struct iob_job *job;
	char *jobname; /* of 256 bytes */
	bool *needs_exec;
	unsigned said;
};

/* A usage error if it names an engine of fio's that is none here. */
int iob_fio_check_engine(const struct iob_option *, struct iob_error *);
/* In the order in which fio wants them: what says how to read values first. */
int iob_fio_options_apply(
	struct iob_fio_draft *, const struct iob_option *, size_t n, struct iob_error *);

#endif
