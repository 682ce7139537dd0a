/* SPDX-License-Identifier: MIT */
/* Where a scratch file goes, and how large it may be. */
#ifndef IOB_TARGET_SCRATCH_H
#define IOB_TARGET_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define IOB_SCRATCH_DEFAULT_SIZE (UINT64_C(1) << 30)
#define IOB_SCRATCH_LEAST_SIZE   (UINT64_C(64) << 20)

/* The directory for a run without TARGET: $TMPDIR, else /var/tmp, else /tmp; one that is not on
 * tmpfs is preferred. */
int iob_scratch_directory(char *buf, size_t n, struct iob_error *);

/* wanted 0 = the default.  A given size that does not fit is an error that names the free space;
 * the default shrinks. */
int iob_scratch_size(const char *directory, uint64_t wanted, uint64_t *size, struct iob_error *);

#endif
