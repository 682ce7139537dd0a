/* SPDX-License-Identifier: MIT */
/* The rules across the options of one job, and between jobs.  For the fio_*.c files alone. */
#ifndef IOB_JOB_FIO_RULES_H
#define IOB_JOB_FIO_RULES_H

#include "job/fio_jobs.h"

/* Once all its options are applied. */
int iob_fio_job_settle(struct iob_fio_jobs *, struct iob_fio_job *, struct iob_error *);
/* Once all jobs are there. */
int iob_fio_jobs_check(
	const struct iob_fio_jobs *, const struct iob_fio_rules *, struct iob_error *);

#endif
