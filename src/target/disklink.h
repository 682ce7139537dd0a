/* SPDX-License-Identifier: MIT */
/* The link between a disk and the machine: PCIe, SATA or USB, and what it can carry. */
#ifndef IOB_TARGET_DISKLINK_H
#define IOB_TARGET_DISKLINK_H

#include "target/diskfacts.h"

/* folder: that of the whole disk under /sys/devices; its parents are searched.  Fills link,
 * link_bps and link_max_bps; leaves them alone when nothing is told. */
void iob_disklink_find(struct iob_diskfacts *, const char *folder);

#endif
