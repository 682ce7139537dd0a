/* SPDX-License-Identifier: MIT */
/* Make a new file and fill it with incompressible data, in big direct writes where the file system
 * lets us. */
#ifndef IOB_TARGET_LAYOUT_H
#define IOB_TARGET_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "target/target.h"

/* Creates path (O_EXCL, mode 0600) with `size` bytes of pseudo-random data, fsyncs it.  Adds to
 * progress->done. -ECANCELED when *stop becomes non-zero, -ENOSPC with the free space in the text;
 * on failure the file is gone. */
int iob_layout_create(const char *path, uint64_t size, uint64_t seed, struct iob_layout_progress *,
	const _Atomic unsigned *stop, struct iob_error *);

#endif
