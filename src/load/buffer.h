/* SPDX-License-Identifier: MIT */
/* The memory that a worker's requests read into and write from: one mapping, touched before the
 * start. */
#ifndef IOB_LOAD_BUFFER_H
#define IOB_LOAD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "load/content.h"

struct iob_arena {
	unsigned char *base; /* page aligned */
	size_t size, stride; /* slot i starts at base + i * stride; stride is a multiple of 4096 */
	unsigned slots;
};

/* Filled as `content` wants it, differently in each slot.  huge: in huge pages.  -ENOMEM says how
 * much was wanted. */
int iob_arena_init(struct iob_arena *, unsigned slots, uint64_t block, const struct iob_content *,
	bool huge, struct iob_error *);
void iob_arena_free(struct iob_arena *);

/* Stamp a block before it is written, so that no two written blocks are equal: 16 bytes in each
 * 512: offset and a count. */
void iob_buffer_stamp(void *buf, uint32_t length, uint64_t offset, uint64_t count);

#endif
