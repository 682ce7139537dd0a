/* SPDX-License-Identifier: MIT */
/* What sort of device a folder of /sys/block is. */
#ifndef IOB_TARGET_BLOCKDEV_KIND_H
#define IOB_TARGET_BLOCKDEV_KIND_H

/* directory: the whole disk's folder, links not yet resolved; name: the kernel's.  A constant
 * string, one of those that struct iob_blockdev lists. */
const char *iob_blockdev_kind(const char *directory, const char *name);

#endif
