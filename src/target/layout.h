/* SPDX-License-Identifier: MIT */
/* Fill a new file with incompressible data, in big direct writes where the file system lets us. */
#ifndef IOB_TARGET_LAYOUT_H
#define IOB_TARGET_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "target/target.h"

struct iob_layout {
	uint64_t from;      /* what stands before that is kept */
	uint64_t size;      /* bytes of this file */
	uint32_t fallocate; /* enum iob_fallocate */
	bool empty;         /* set the space aside alone, and write nothing */
	bool no_fsync;
	uint64_t seed;
	struct iob_layout_progress *progress; /* done grows; may be NULL */
	const _Atomic unsigned *stop;         /* looked at between writes; may be NULL */
};

/* Writes [from, size) of a file that is `from` bytes long and open for reading and writing, fsyncs
 * it and drops it from the page cache.  path is for the messages.  Whether there is room was asked
 * before (space.h); it is given up if others take that meanwhile.  -ECANCELED when *stop became
 * non-zero, -ENOSPC with the free space in the text.  The flags of fd are as before. */
int iob_layout_fill(int fd, const char *path, const struct iob_layout *, struct iob_error *);

#endif
