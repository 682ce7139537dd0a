/* SPDX-License-Identifier: MIT */
/* The classes of messages that fio's --debug knows.  There are no such messages here. */
#ifndef IOB_CLI_FIO_DEBUG_H
#define IOB_CLI_FIO_DEBUG_H

#include "base/error.h"

/* list: names with commas; job:N for one job.  Usage error naming the one that is none. */
int iob_fio_debug_check(const char *list, struct iob_error *);

#endif
