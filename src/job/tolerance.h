/* SPDX-License-Identifier: MIT */
/* Which errors of a job are let pass: continue_on_error and ignore_error, made ready for use. */
#ifndef IOB_JOB_TOLERANCE_H
#define IOB_JOB_TOLERANCE_H

#include <stdint.h>

#include "base/error.h"
#include "job/job.h"

#define IOB_TOLERANCE_LIST 16

/* What the request was; trims and syncs go with the writes. */
enum iob_tolerance_class { IOB_TOLERATE_READ, IOB_TOLERATE_WRITE, IOB_TOLERATE_VERIFY };

enum iob_tolerance_verdict {
	IOB_ERROR_FATAL,
	IOB_ERROR_COUNTED, /* goes on; the run has failed all the same */
	IOB_ERROR_IGNORED, /* goes on, and is no reason to fail */
};

struct iob_tolerance {
	uint32_t continue_on; /* enum iob_continue */
	unsigned n[3];
	int code[3][IOB_TOLERANCE_LIST]; /* ignored; errno */
};

/* 0 or a usage error. */
int iob_tolerance_init(struct iob_tolerance *, const struct iob_job *, struct iob_error *);

/*
 * code: errno; 0 = nothing was moved, which counts as EIO.  continue_on_error lets pass what a
 * medium or a path to it may answer (EIO and its relatives) and EAGAIN: a device that is gone or
 * full, or a request that nobody can serve, ends the worker unless ignore_error names it.
 */
enum iob_tolerance_verdict iob_tolerance_of(
	const struct iob_tolerance *, enum iob_tolerance_class, int code);

#endif
