/* SPDX-License-Identifier: MIT */
/*
 * The control groups that this process is in, from its own one to the outermost that it can see:
 * what one of them limits is limited for all within it.  Both versions, and as seen in containers.
 */
#ifndef IOB_BASE_CGROUP_WALK_H
#define IOB_BASE_CGROUP_WALK_H

#include <stdbool.h>

/* The controller's name that stands for the one tree of version 2. */
#define IOB_CGROUP_V2 ""

/* folder: of one group, without a slash at its end, valid for this call only. */
typedef void iob_cgroup_visit(void *arg, const char *folder);

/*
 * root: "" or the folder that stands in for /, for tests.  controller: of version 1 ("cpu",
 * "memory"), or IOB_CGROUP_V2.  A folder that is not there (a group of the world outside of a
 * container) is visited all the same.  Takes no memory but for reading files.  False if there is no
 * such tree.
 */
bool iob_cgroup_walk(const char *root, const char *controller, iob_cgroup_visit *visit, void *arg);

#endif
