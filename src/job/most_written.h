/* SPDX-License-Identifier: MIT */
/* How much of its target a job can come to write before it ends by itself.  Pure arithmetic. */
#ifndef IOB_JOB_MOST_WRITTEN_H
#define IOB_JOB_MOST_WRITTEN_H

#include <stdint.h>

#include "job/job.h"

/*
 * Bytes that the writes of all workers together touch at most, each counted as so many whole units
 * (those in which the file system gives space away, not 0) as it can lie on.  covered: bytes of the
 * target that the job covers.  UINT64_MAX: it ends by its time alone.  With io_size or loops above
 * `covered` the result is, too: no more than all of the target is ever taken.
 */
uint64_t iob_job_most_written(const struct iob_job *, uint64_t covered, uint64_t unit);

#endif
