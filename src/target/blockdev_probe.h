/* SPDX-License-Identifier: MIT */
/* What is on block devices, asked of libblkid in child processes that can be given up: a read from
 * a sick device may never return. */
#ifndef IOB_TARGET_BLOCKDEV_PROBE_H
#define IOB_TARGET_BLOCKDEV_PROBE_H

#include <stddef.h>

#include "target/blockdev.h"

#define IOB_PROBE_DEADLINE_NS UINT64_C(2000000000)

/* Fills contents and has_signature; all devices are asked at once and share the deadline.  A device
 * that does not answer is "unknown (no answer)". */
void iob_blockdevs_probe(struct iob_blockdev *, size_t count, uint64_t deadline_ns);

#endif
