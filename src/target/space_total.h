/* SPDX-License-Identifier: MIT */
/* What promises come to together.  Pure arithmetic. */
#ifndef IOB_TARGET_SPACE_TOTAL_H
#define IOB_TARGET_SPACE_TOTAL_H

#include <stddef.h>
#include <stdint.h>

#include "target/kin.h"

/*
 * Bytes that all of them, of one file system, may yet take at most.  A file that several owners
 * promise is filled once, and nobody exceeds his cap.  The order of the array is changed.
 */
uint64_t iob_space_total(struct iob_kin_promise *, size_t n);

#endif
