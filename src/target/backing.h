/* SPDX-License-Identifier: MIT */
/* What a loop device stands on. */
#ifndef IOB_TARGET_BACKING_H
#define IOB_TARGET_BACKING_H

#include <libmount.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct iob_backing {
	char path[PATH_MAX]; /* as the kernel shows it; the name may be another file's meanwhile */
	dev_t device;        /* the block device that it is, 0 = a file */
	dev_t fs;            /* number of the file system and of the file; ino 0 = not known */
	ino_t ino;
	uint64_t offset; /* bytes of it before the first of the loop device */
	bool direct;     /* without the page cache of what it stands on */
};

/*
 * name: kernel name of a loop device; root as in blockdev.h.  False if it stands on nothing.
 * mounts: those of this process, NULL = not known.  A file that a server or another process keeps
 * (network file systems, FUSE) may never answer: which one it is is asked only if it lies on fs,
 * 0 = never.
 */
bool iob_backing_find(struct iob_backing *, const char *root, const char *name,
	struct libmnt_table *mounts, dev_t fs);

/* Bytes of [offset, offset + size) of the loop device that its file has never been given, 0 if that
 * cannot be told.  Opens the file: where that may hang. */
uint64_t iob_backing_sparse(const char *name, uint64_t offset, uint64_t size);

#endif
