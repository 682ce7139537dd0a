/* SPDX-License-Identifier: MIT */
/* Why something may not be opened: who asks, whose it is, and what would help. */
#ifndef IOB_TARGET_DENIED_H
#define IOB_TARGET_DENIED_H

#include <stddef.h>

/* "uid 1000 (bob) may not: it is root:disk 0660; ...", as the kernel would see this process now.
 * Asks no name service, which could hang. */
char *iob_denied_why(char *buf, size_t n, const char *path);

#endif
