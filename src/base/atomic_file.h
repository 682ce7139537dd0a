/* SPDX-License-Identifier: MIT */
/*
 * Write a file so that a reader sees the old content or the whole new one: temporary file in the
 * same directory (O_EXCL; mode 0644 less umask, or that of the old file if it is ours), fflush,
 * fsync, rename, fsync of the directory.
 */
#ifndef IOB_BASE_ATOMIC_FILE_H
#define IOB_BASE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct iob_atomic_file {
	FILE *stream; /* write here */
	char *path;
	char *temporary;
};

/* On failure nothing is left behind.  Refuses (usage error) a path that is a directory, a device or
 * under /dev, unless it is a terminal, /dev/null or a standard stream, which are written directly;
 * and what somebody else has put into a directory that everybody may write, such as /tmp:
 * a symbolic link would lead the report where he wants it. */
int iob_atomic_file_open(struct iob_atomic_file *, const char *path, struct iob_error *);
/* Makes what was written so far visible, before the commit: then that cannot be taken back. */
int iob_atomic_file_show(struct iob_atomic_file *, struct iob_error *);
/* Makes the content visible; closes and frees in any case.  On failure the old file is untouched.
 */
int iob_atomic_file_commit(struct iob_atomic_file *, struct iob_error *);
/* Forget what was written.  Legal on a zeroed object. */
void iob_atomic_file_abort(struct iob_atomic_file *);

#endif
