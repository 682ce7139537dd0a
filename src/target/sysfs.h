/* SPDX-License-Identifier: MIT */
/* One-line attributes under /sys. */
#ifndef IOB_TARGET_SYSFS_H
#define IOB_TARGET_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* First line of directory/attribute, cleaned of control characters and outer blanks.  False (and
 * "") if it cannot be read. */
bool iob_sysfs_text(const char *directory, const char *attribute, char *buf, size_t n);
/* A non-negative decimal number; false (and *value untouched) if there is none. */
bool iob_sysfs_uint(const char *directory, const char *attribute, uint64_t *value);
/* "8:0". */
bool iob_sysfs_devno(const char *directory, unsigned *major, unsigned *minor);
bool iob_sysfs_exists(const char *directory, const char *attribute);

#endif
