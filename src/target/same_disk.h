/* SPDX-License-Identifier: MIT */
/* One disk under two names: a second path to it that nobody has joined to a multipath device. */
#ifndef IOB_TARGET_SAME_DISK_H
#define IOB_TARGET_SAME_DISK_H

#include "target/blockdev.h"

/* A disk is in use through another name of it.  Partitions follow their disk in the list, and
 * nothing has been spread between them. */
void iob_disks_find_uses(struct iob_blockdevs *, const char *root);

#endif
