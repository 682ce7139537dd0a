/* SPDX-License-Identifier: MIT */
/*
 * What rw=trimwrite remembers: blocks whose trim came back and that are to be written now.  A new
 * block is trimmed only when there is none, so as many places as there are requests are enough.
 * One worker's; pure.
 */
#ifndef IOB_LOAD_TRIMWRITE_H
#define IOB_LOAD_TRIMWRITE_H

#include <stdbool.h>
#include <stdint.h>

/* A part of one file. */
struct iob_trimmed {
	uint64_t offset; /* bytes */
	uint32_t length;
	uint16_t file;
};

/* Legal when zeroed: without room. */
struct iob_trimwrite {
	struct iob_trimmed *block; /* a ring of `room`; owned */
	unsigned room, first, count;
	unsigned out; /* trims that have not come back */
};

/* room: most requests in flight.  0 or -ENOMEM; pair with iob_trimwrite_free. */
int iob_trimwrite_init(struct iob_trimwrite *, unsigned room);
void iob_trimwrite_free(struct iob_trimwrite *);
/* A trim goes out; there is room for its block. */
void iob_trimwrite_sent(struct iob_trimwrite *);
/* One came back.  write: is its block to be written? */
void iob_trimwrite_back(struct iob_trimwrite *, const struct iob_trimmed *, bool write);
/* The block that has waited longest, which is written now; false when there is none. */
bool iob_trimwrite_take(struct iob_trimwrite *, struct iob_trimmed *);
/* Nothing of what waits will be written. */
void iob_trimwrite_drop(struct iob_trimwrite *);

#endif
