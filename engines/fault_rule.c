/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "engines/fault_rule.h"

#include "base/errno_name.h"
#include "base/rng.h"

#define SECTOR 512

static int find_errno(const char *text, struct iob_error *err)
{
	int code = iob_errno_parse(text);

	if (code > 0)
		return code;
	return iob_fail_usage(err,
		"fault_errno=%s: no error of this system; write a name such as EIO or a number in "
		"1..%d",
		text, IOB_ERRNO_MAX);
}

int iob_fault_rule_init(
	struct iob_fault_rule *rule, const struct iob_job *job, struct iob_error *err)
{
	int code = find_errno(job->fault_errno, err);

	if (code < 0)
		return code;
	*rule = (struct iob_fault_rule){.job = job, .error = -code};
	return 0;
}

static bool is_meant(const struct iob_job *job, const struct iob_req *req)
{
	switch ((enum iob_fault_on)job->fault_on) {
	case IOB_FAULT_ON_ALL:
		break;
	case IOB_FAULT_ON_READ:
		if (req->op != IOB_OP_READ)
			return false;
		break;
	case IOB_FAULT_ON_WRITE:
		if (req->op != IOB_OP_WRITE)
			return false;
		break;
	case IOB_FAULT_ON_TRIM:
		if (req->op != IOB_OP_TRIM)
			return false;
		break;
	case IOB_FAULT_ON_SYNC:
		return req->op >= IOB_OP_FSYNC;
	}
	/* A sync is of the whole file, wherever the range lies. */
	if (req->op >= IOB_OP_FSYNC)
		return true;
	if (req->offset + req->length <= job->fault_offset)
		return false;
	return job->fault_size == 0 || req->offset < job->fault_offset + job->fault_size;
}

static bool is_turn(uint64_t count, uint64_t every)
{
	return every != 0 && count % every == 0;
}

static uint64_t delay_of(const struct iob_fault_rule *rule)
{
	const struct iob_job *job = rule->job;

	if (!is_turn(rule->count, job->fault_delay_every))
		return 0;
	if (job->fault_delay_random_ns == 0)
		return job->fault_delay_ns;
	struct iob_rng rng;
	iob_rng_seed(&rng, job->randseed, rule->count);
	return job->fault_delay_ns + iob_rng_below(&rng, job->fault_delay_random_ns + 1);
}

struct iob_fault iob_fault_rule_next(struct iob_fault_rule *rule, const struct iob_req *req)
{
	const struct iob_job *job = rule->job;
	struct iob_fault fault = {0};

	if (!is_meant(job, req))
		return fault;
	rule->count++;
	fault.hang = rule->count == job->fault_hang_at;
	fault.error = is_turn(rule->count, job->fault_error_every) ? rule->error : 0;
	fault.cut = is_turn(rule->count, job->fault_short_every) && req->op <= IOB_OP_WRITE;
	fault.delay_ns = delay_of(rule);
	return fault;
}

int64_t iob_fault_cut(int64_t moved)
{
	if (moved < 2)
		return moved;
	return moved >= 2 * SECTOR ? moved / 2 / SECTOR * SECTOR : moved / 2;
}
