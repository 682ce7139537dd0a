/* SPDX-License-Identifier: MIT */
/* The memory that a worker's requests read into and write from: one mapping, touched before the
 * start. */
#ifndef IOB_LOAD_BUFFER_H
#define IOB_LOAD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct iob_arena {
	unsigned char *base; /* page aligned */
	size_t size, stride; /* slot i starts at base + i * stride; stride is a multiple of 4096 */
	unsigned slots;
};

/* Incompressible content, different in each slot, from seed; zeros if zero.  -ENOMEM says how much
 * was wanted. */
int iob_arena_init(struct iob_arena *, unsigned slots, uint64_t block, uint64_t seed, bool zero,
	struct iob_error *);
void iob_arena_free(struct iob_arena *);

/* Stamp a block before it is written, so that no two written blocks are equal: 16 bytes in each
 * 512: offset and a count. */
void iob_buffer_stamp(void *buf, uint32_t length, uint64_t offset, uint64_t count);

/* Fill with pseudo-random bytes (8 bytes per step; length a multiple of 8). */
void iob_buffer_fill(void *buf, size_t length, uint64_t seed);

#endif
