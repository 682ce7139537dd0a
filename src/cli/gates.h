/* SPDX-License-Identifier: MIT */
/* Limits that a run must keep (--min-iops and the like), for scripts. */
#ifndef IOB_CLI_GATES_H
#define IOB_CLI_GATES_H

#include <stdio.h>

#include "cli/options.h"
#include "result/result.h"

/* One line for each limit that was missed.  Returns how many. */
unsigned iob_gates_check(const struct iob_gates *, const struct iob_segment_figures *, FILE *);

#endif
