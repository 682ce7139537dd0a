/* SPDX-License-Identifier: MIT */
/* Can completions of these targets be polled for (hipri)? */
#ifndef IOB_ENGINES_IOPOLL_H
#define IOB_ENGINES_IOPOLL_H

#include "load/engine.h"

/*
 * 0, or words: buffered I/O, or the disk's queue that cannot be polled.  root is "" but for tests.
 * What /sys does not tell (a file system that cannot poll) the first polled read does.
 */
int iob_iopoll_check(const char *root, const struct iob_engine_env *, struct iob_error *);

#endif
