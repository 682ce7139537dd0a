/* SPDX-License-Identifier: MIT */
/*
 * A file of ours that is not finished yet.  It has no name until it is published, so that a process
 * that is killed leaves nothing behind: O_TMPFILE where the file system has it; else a scratch file
 * is unlinked as soon as it is open, and a file that shall stay is removed by discard.
 */
#ifndef IOB_TARGET_NEW_FILE_H
#define IOB_TARGET_NEW_FILE_H

#include <stdbool.h>

#include "base/error.h"

struct iob_new_file {
	int fd;     /* O_RDWR, mode 0600 */
	bool named; /* it can be found under its path */
};

/* scratch: will never be published.  path must not exist.  On failure nothing is left. */
int iob_new_file_open(struct iob_new_file *, const char *path, bool scratch, struct iob_error *);
/* Give it its name; never replaces a file. */
int iob_new_file_publish(struct iob_new_file *, const char *path, struct iob_error *);
/* Close; a name that it has is removed. */
/* 0, or the negative errno of a name that could not be removed. */
int iob_new_file_discard(struct iob_new_file *, const char *path);

#endif
