/* SPDX-License-Identifier: MIT */
/* Which bytes of a target a job covers, and whether its block sizes suit the target.  Pure
 * arithmetic: no file is touched. */
#ifndef IOB_TARGET_REGION_H
#define IOB_TARGET_REGION_H

#include <stdint.h>

#include "base/error.h"
#include "job/job.h"

struct iob_target_region {
	uint64_t offset, size; /* bytes within each file */
};

/* Smallest and largest block size over the directions that the job has. */
void iob_target_block_sizes(const struct iob_job *, uint64_t *min, uint64_t *max);

/* offset= and size= against a file or device of `total` bytes called `what`.  Percentages are
 * rounded down to whole blocks.  Usage errors: beyond the end, or no room for one block. */
int iob_target_region_of(struct iob_target_region *, const struct iob_job *, uint64_t total,
	const char *what, struct iob_error *);

/* The usage error of a region without room for one block.  size, offset: bytes, size before it was
 * rounded to blocks. */
int iob_target_region_too_small(const struct iob_job *, uint64_t size, uint64_t offset,
	const char *what, struct iob_error *);

/* The same for files that are yet to be made: `count` files share `size` bytes.  *each: bytes of
 * one file (offset + its region). */
int iob_target_region_made(struct iob_target_region *, const struct iob_job *, uint64_t size,
	uint64_t count, uint64_t *each, struct iob_error *);

/* bs and offset must be multiples of `block`; called for direct I/O only. */
int iob_target_check_alignment(const struct iob_job *, const struct iob_target_region *,
	uint32_t block, const char *what, struct iob_error *);

#endif
