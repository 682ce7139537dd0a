/* SPDX-License-Identifier: MIT */
/* Stands in for job/job.c where that is not linked. */
#include "job/job.h"

__attribute__((weak)) bool iob_job_does(const struct iob_job *job, enum iob_dir dir)
{
	switch (dir) {
	case IOB_READ:
		return job->rw == IOB_RW_READ || job->rw == IOB_RW_RANDREAD ||
		       job->rw == IOB_RW_RW || job->rw == IOB_RW_RANDRW;
	case IOB_WRITE:
		return job->rw == IOB_RW_WRITE || job->rw == IOB_RW_RANDWRITE ||
		       job->rw == IOB_RW_RW || job->rw == IOB_RW_RANDRW;
	case IOB_TRIM:
	case IOB_NDIR:
		break;
	}
	return job->rw == IOB_RW_TRIM || job->rw == IOB_RW_RANDTRIM;
}

__attribute__((weak)) bool iob_job_modifies(const struct iob_job *job)
{
	return iob_job_does(job, IOB_WRITE) || iob_job_does(job, IOB_TRIM);
}
