/* SPDX-License-Identifier: MIT */
/* The file system under an open file: its name, where it is mounted, its room and its rules. */
#ifndef IOB_TARGET_FILESYSTEM_H
#define IOB_TARGET_FILESYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

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

/* Of each file system so much is left free, whatever is laid out on it. */
#define IOB_KEEP_FREE_PERCENT 5

/* Room on the file system of an open file or directory, in bytes; UINT64_MAX when it does not say.
 */
struct iob_room {
	uint64_t available; /* that this user may still write */
	uint64_t usable;    /* the same without what is left free */
	uint64_t total;
};

/* path: for the message alone.  0 or a negative errno. */
int iob_filesystem_room(int fd, const char *path, struct iob_room *, struct iob_error *);

/* A number of the file system whose room it is: st_dev, but where several of these share it (the
 * subvolumes of btrfs).  fd may be O_PATH. */
uint64_t iob_filesystem_id(int fd, const struct stat *);

/* How a part of a file is filled, in bytes: the first three make up the part. */
struct iob_extents {
	uint64_t written, unwritten, holes;
	uint64_t shared; /* of the first two: with other files, so that a write takes new space */
	uint64_t count;  /* extents */
};

/* False when the file system has no FIEMAP, or the file is in too many pieces to count. */
bool iob_filesystem_extents(int fd, uint64_t offset, uint64_t size, struct iob_extents *);
/* Holes and unwritten extents together; 0 when nothing is known. */
uint64_t iob_filesystem_sparse(int fd, uint64_t offset, uint64_t size);
/* What writing all of that part would take beyond what the file has: holes and what is shared.
 * Moves the file's position. */
uint64_t iob_filesystem_untaken(int fd, uint64_t offset, uint64_t size);

#endif
