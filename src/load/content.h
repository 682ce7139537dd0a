/* SPDX-License-Identifier: MIT */
/* What is in the blocks that a worker writes: how well they compress and how often they repeat. */
#ifndef IOB_LOAD_CONTENT_H
#define IOB_LOAD_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "job/byte_pattern.h"
#include "job/job.h"

struct iob_content {
	bool zero;               /* nothing but zeros */
	bool constant;           /* zeros or a pattern: all blocks are equal */
	bool stamp;              /* each block is stamped before it is written (iob_buffer_stamp) */
	bool refill;             /* each block is filled anew before it is written */
	unsigned pattern_length; /* 0 = none */
	unsigned char pattern[IOB_BYTE_PATTERN_MAX];
	uint64_t compress;     /* per cent that can be squeezed out; 0 = none */
	uint64_t chunk;        /* over so many bytes; 0 = the block */
	uint64_t dedupe;       /* per cent of the blocks that repeat another */
	uint64_t working_set;  /* they repeat one of so many; 0 = the one before */
	uint64_t set_seed;     /* of the working set */
	uint64_t seed, unique; /* of this worker; blocks of their own so far */
	struct iob_rng rng;
};

/* region_bytes: of the worker, for a working set.  0 or a usage error (a pattern's file). */
int iob_content_init(struct iob_content *, const struct iob_job *, uint64_t seed, uint64_t stream,
	uint64_t region_bytes, struct iob_error *);

/* What is read into a buffer must not be written from it.  Also when rw is turned. */
void iob_content_mind_reads(struct iob_content *, uint32_t rw);

/* Content that follows from seed. */
void iob_content_fill(const struct iob_content *, void *buf, size_t length, uint64_t seed);
/* What the next block is to be; while `refill` holds. */
void iob_content_next(struct iob_content *, void *buf, size_t length);

#endif
