/* SPDX-License-Identifier: MIT */
/* Which requests the engine `fault` spoils, and how: decided by count, so that a run repeats. */
#ifndef IOB_ENGINES_FAULT_RULE_H
#define IOB_ENGINES_FAULT_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "load/engine.h"

struct iob_fault_rule {
	const struct iob_job *job;
	int error;      /* negative errno of the requests that fail */
	uint64_t count; /* requests looked at that the rule is for */
};

/* What is to happen to one request. */
struct iob_fault {
	bool hang;         /* never comes back */
	int error;         /* comes back with it, undone; 0 = is done */
	bool cut;          /* half of it counts as moved */
	uint64_t delay_ns; /* comes back so much later */
};

/* A usage error when fault_errno is none. */
int iob_fault_rule_init(struct iob_fault_rule *, const struct iob_job *, struct iob_error *);
/* The next request, in the order of submission. */
struct iob_fault iob_fault_rule_next(struct iob_fault_rule *, const struct iob_req *);
/* Less than `moved`, whole sectors if there are two. */
int64_t iob_fault_cut(int64_t moved);

#endif
