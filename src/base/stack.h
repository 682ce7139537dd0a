/* SPDX-License-Identifier: MIT */
/* The limit on the stack (ulimit -s), which a shell or a service manager may have set to next to
 * nothing. */
#ifndef IOB_BASE_STACK_H
#define IOB_BASE_STACK_H

#include "base/error.h"

/* To be called first of all: raises a limit that is too low, for this process, its threads and its
 * children.  Fails with words where that is not allowed. */
int iob_stack_ensure(struct iob_error *);

#endif
