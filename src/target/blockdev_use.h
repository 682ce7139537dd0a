/* SPDX-License-Identifier: MIT */
/* Who uses block devices, and files as if they were some. */
#ifndef IOB_TARGET_BLOCKDEV_USE_H
#define IOB_TARGET_BLOCKDEV_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "target/blockdev.h"

/* Fills use and use_text of a complete list (partitions after their disk). */
void iob_blockdevs_find_uses(struct iob_blockdevs *, const char *root);

/* Unless a use is known already; text is cleaned. */
void iob_blockdev_set_use(struct iob_blockdev *, enum iob_blockdev_use, const char *text);

/* The disk of a partition in the list; others are their own. */
const struct iob_blockdev *iob_blockdevs_disk(
	const struct iob_blockdevs *, const struct iob_blockdev *);
/* Who of the list is used: it, its disk, or a partition of it; NULL = it is free. */
const struct iob_blockdev *iob_blockdevs_user(
	const struct iob_blockdevs *, const struct iob_blockdev *);

/* Its folder under /sys/block; false if it does not fit into buf. */
bool iob_blockdev_folder(const struct iob_blockdev *, const char *root, char *buf, size_t n);

/* A regular file that is swapped on or that a loop device stands on; says so in text. */
bool iob_file_is_held(const struct stat *, char *text, size_t n);

#endif
