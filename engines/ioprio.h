/* SPDX-License-Identifier: MIT */
/* Priorities of single requests, for engines that hand them to the kernel. */
#ifndef IOB_ENGINES_IOPRIO_H
#define IOB_ENGINES_IOPRIO_H

#include <errno.h>
#include <stddef.h>

#include "load/engine.h"

/* The parameters of such an engine. */
#define IOB_IOPRIO_PARAMS "cmdprio_percentage", "cmdprio_class", "cmdprio", "cmdprio_bssplit"

static inline const char *iob_ioprio_explain(const struct iob_req *req)
{
	if (req->ioprio == 0 || (req->result != -EPERM && req->result != -EINVAL))
		return NULL;
	if (req->result == -EPERM)
		return "the priority of the request needs root (CAP_SYS_NICE); use "
		       "cmdprio_class=2, or leave cmdprio_percentage and cmdprio_bssplit out";
	return "the kernel may not know the priority of the request; leave cmdprio_percentage and "
	       "cmdprio_bssplit out";
}

#endif
