/* SPDX-License-Identifier: MIT */
/* Is there anything behind a name that is stored somewhere, and the same for everybody? */
#ifndef IOB_TARGET_STORED_H
#define IOB_TARGET_STORED_H

#include "base/error.h"

/* A usage error for a name that means another file in each process (/dev/stdin, /proc/self/fd/3):
 * here it would be one of our own.  Before anything else is asked about the path. */
int iob_target_check_name(const char *path, struct iob_error *);

/* A usage error for a file or directory that the kernel makes up (/proc, /sys, ...): reading there
 * measures nothing, writing changes the machine.  The path exists. */
int iob_target_check_stored(const char *path, struct iob_error *);

#endif
