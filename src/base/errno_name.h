/* SPDX-License-Identifier: MIT */
/* Errors of the system by name. */
#ifndef IOB_BASE_ERRNO_NAME_H
#define IOB_BASE_ERRNO_NAME_H

#define IOB_ERRNO_MAX 4095 /* the kernel's */

/* "EIO", "eio" or "5": the positive errno; -EINVAL if it is none. */
int iob_errno_parse(const char *text);

#endif
