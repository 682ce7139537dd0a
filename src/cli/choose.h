/* SPDX-License-Identifier: MIT */
/* Options of commands that take one word of a few. */
#ifndef IOB_CLI_CHOOSE_H
#define IOB_CLI_CHOOSE_H

#include "base/error.h"

/* The index of value in words, which end with NULL; or a usage error that lists them.  name:
 * of the option, without "--". */
int iob_choose(const char *name, const char *value, const char *const *words, struct iob_error *);

#endif
