/* SPDX-License-Identifier: MIT */
/* Loop devices are in use with what they stand on, and with all that has some of the same bytes. */
#ifndef IOB_TARGET_LOOP_USE_H
#define IOB_TARGET_LOOP_USE_H

#include <libmount.h>

#include "target/blockdev.h"

/* Partitions follow their disk in the list, and nothing has been spread between them. */
void iob_loops_find_uses(struct iob_blockdevs *, const char *root, struct libmnt_table *mounts);

#endif
