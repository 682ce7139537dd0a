/* SPDX-License-Identifier: MIT */
/* The preflight alone: what a run would find, refuse and warn of.  Nothing is written; a child asks
 * the target and is given up when it hangs. */
#ifndef IOB_RUN_CHECK_H
#define IOB_RUN_CHECK_H

#include "measure/verdict.h"
#include "target/cgroup.h"
#include "target/cpufacts.h"
#include "target/inspect.h"

struct iob_check {
	struct iob_inspection target;
	struct iob_cpufacts cpu;
	struct iob_cgroup cgroup;
	bool writes;                  /* the plan's first stage does */
	struct iob_warnings warnings; /* that a run of it would raise from its start */
};

/* 0, or a run error: the target gave no answer within the deadline, or the child died. */
int iob_check_run(
	struct iob_check *, const struct iob_plan *, uint64_t deadline_ns, struct iob_error *);

#endif
