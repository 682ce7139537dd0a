/* SPDX-License-Identifier: MIT */
/* Opening a target that was stat'ed before, and making sure that it is still the same. */
#ifndef IOB_TARGET_OPEN_H
#define IOB_TARGET_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "job/job.h"
#include "target/region.h"

struct iob_open_how {
	bool write;
	bool direct;
	bool exclusive; /* O_EXCL: the kernel refuses a block device that is in use */
	uint32_t sync;  /* enum iob_sync */
};

/*
 * Never creates or truncates.  A reader leaves the access time alone where it may.  name is for the
 * messages.  st (may be NULL) must still be what is behind the path.  Returns a descriptor;
 * -EOPNOTSUPP (a usage error) when the file system refuses direct I/O, -EBUSY when exclusive could
 * not be had.
 */
int iob_target_open(const char *path, const char *name, const struct iob_open_how *,
	const struct stat *st, struct iob_error *);

/* The usage error for a file on whose file system direct I/O does not work.  -EOPNOTSUPP. */
int iob_target_direct_refused(int fd, const char *name, struct iob_error *);

/* Drop the region from the page cache, as far as the kernel lets us; false if it did not. */
bool iob_target_invalidate(int fd, const struct iob_target_region *, bool write, bool device);

/* The error of an open that the kernel refused, in words; returns code. */
int iob_target_open_failed(int code, const char *path, bool write, struct iob_error *);
/* Likewise of stat. */
int iob_target_stat_failed(int code, const char *path, struct iob_error *);

#endif
