/* SPDX-License-Identifier: MIT */
/* The file system under an open file: its name, where it is mounted, its room and its rules. */
#ifndef IOB_TARGET_FILESYSTEM_H
#define IOB_TARGET_FILESYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct iob_filesystem {
	char type[32];         /* "ext4", "" = unknown */
	char mount_point[256]; /* cleaned */
	bool has_device;       /* major and minor name the block device under it */
	unsigned major, minor;
};

/* Never fails: what cannot be found out stays empty. */
void iob_filesystem_of(int fd, struct iob_filesystem *);

/* What O_DIRECT wants on this file. */
enum iob_direct {
	IOB_DIRECT_UNKNOWN, /* the kernel does not say */
	IOB_DIRECT_NO,      /* transfers would silently be buffered, or fail */
	IOB_DIRECT_YES,     /* *alignment is set */
};
enum iob_direct iob_filesystem_direct(int fd, uint32_t *alignment);

/* Bytes that this user may still write on the file system of an open file or directory; UINT64_MAX
 * when it does not say. */
int iob_filesystem_free(int fd, const char *path, uint64_t *bytes, struct iob_error *);

/* Holes and unwritten extents in a part of the file; 0 when the file system has no FIEMAP. */
uint64_t iob_filesystem_sparse(int fd, uint64_t offset, uint64_t size);

#endif
