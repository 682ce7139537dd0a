/* SPDX-License-Identifier: MIT */
#ifndef IOB_BASE_DEV_DIR_H
#define IOB_BASE_DEV_DIR_H

#include <stdbool.h>

/* Does the directory belong to /dev, where nothing is created?  By whatever links or mounts; false
 * of one that does not exist. */
bool iob_is_dev_directory(const char *directory);

#endif
