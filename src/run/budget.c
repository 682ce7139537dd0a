/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/budget.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "load/worker.h"

/* Room for the depth to be turned up while the run goes on. */
#define TUNABLE_DEPTH      1024u
#define TUNABLE_TOTAL      8192u
#define LOGS_WORTH_TELLING (UINT64_C(1) << 20)

unsigned iob_budget_capacity(
	const struct iob_engine *engine, const struct iob_job *job, const struct iob_plan *plan)
{
	unsigned most = iob_engine_max_capacity(engine, job);
	uint64_t depth = job->iodepth;

	if (strcmp(plan->sweep.param, "iodepth") == 0 && plan->sweep.to > depth)
		depth = plan->sweep.to;
	if (plan->tunable) {
		uint64_t share = TUNABLE_TOTAL / job->numjobs;
		uint64_t room = share < TUNABLE_DEPTH ? share : TUNABLE_DEPTH;

		depth = depth > room ? depth : room;
	}
	return depth < most ? (unsigned)depth : most;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Each request costs little beside its buffer; memory is shared with the page cache and with
 * others, so a fifth is left. */
static uint64_t usable(uint64_t available)
{
	return available == UINT64_MAX ? UINT64_MAX : available / 5 * 4;
}

static int compare(
	const char *what, uint64_t bytes, uint64_t space, const char *where, struct iob_error *err)
{
	struct iob_memory m;
	char have[32];

	iob_memory_look(&m, "");
	if (bytes > usable(m.available))
		return iob_fail(err, -ENOMEM,
			"%s%s; at most %s (4/5 of what is available: %s) may be taken; lower iodepth, "
			"bs, numjobs or lockmem",
			where, what, iob_format_bytes(have, sizeof(have), usable(m.available)),
			m.limit);
	if (space > m.space)
		return iob_fail(err, -ENOMEM,
			"%s%s; %s allows %s; raise it, or lower iodepth, bs, numjobs or lockmem",
			where, what, m.space_limit, iob_format_bytes(have, sizeof(have), m.space));
	return 0;
}

static uint64_t largest_block(const struct iob_job *job)
{
	struct iob_live live;

	iob_live_from_job(&live, job);
	return iob_worker_block(&live);
}

/* records, logs: of a worker beside its buffers. */
static void measure(struct iob_budget *b, const struct iob_engine *engine,
	const struct iob_job *job, unsigned capacity, uint64_t records, uint64_t logs)
{
	uint64_t each = plus(plus(iob_worker_memory(job, capacity, engine), records), logs);
	uint64_t bytes = times(each, job->numjobs);

	if (b->job && bytes <= b->bytes)
		return;
	*b = (struct iob_budget){
		.job = job,
		.bytes = bytes,
		.depth = job->iodepth < capacity ? job->iodepth : capacity,
		.block = largest_block(job),
		.logs = logs,
	};
}

int iob_budget_check(struct iob_budget *b, const struct iob_plan *plan, struct iob_error *err)
{
	char what[160], where[IOB_NAME_MAX + 16] = "";

	*b = (struct iob_budget){.job = NULL};
	for (unsigned i = 0; i < plan->nstages; i++) {
		const struct iob_engine *engine = iob_engine_find(plan->stage[i].ioengine);

		const struct iob_job *job = &plan->stage[i];

		/* The load process has the words for one that there is not. */
		if (engine)
			measure(b, engine, job, iob_budget_capacity(engine, job, plan),
				iob_budget_records(plan->detail),
				plan->detail ? iob_budget_logs(job, &plan->log) : 0);
	}
	if (!b->job)
		return 0;
	/* Logs are written, not mapped. */
	uint64_t mapped = b->bytes - times(b->logs, b->job->numjobs);
	uint64_t space = plus(
		b->bytes == UINT64_MAX ? b->bytes : mapped, b->job->numjobs * IOB_WORKER_STACK);
	if (plan->nstages > 1)
		snprintf(where, sizeof(where), "stage %s: ", b->job->name);
	return compare(iob_budget_words(b, what, sizeof(what)), b->bytes, space, where, err);
}

int iob_budget_check_live(const struct iob_job *job, const struct iob_engine *engine,
	const struct iob_live *live, struct iob_error *err)
{
	struct iob_job turned = *job;
	struct iob_budget b = {.job = NULL};
	char what[160];

	iob_live_to_job(live, &turned);
	turned.lockmem = 0;
	unsigned most = iob_engine_max_capacity(engine, job);
	/* Records and logs have their memory already. */
	measure(&b, engine, &turned, turned.iodepth < most ? (unsigned)turned.iodepth : most, 0, 0);
	return compare(iob_budget_words(&b, what, sizeof(what)), b.bytes, b.bytes, "", err);
}

uint64_t iob_budget_of(const struct iob_job *job, const struct iob_plan_log *log)
{
	const struct iob_engine *engine = iob_engine_find(job->ioengine);
	struct iob_budget b = {.job = NULL};
	unsigned most = engine ? iob_engine_max_capacity(engine, job) : 0;

	if (engine)
		measure(&b, engine, job, job->iodepth < most ? (unsigned)job->iodepth : most,
			iob_budget_records(true), iob_budget_logs(job, log));
	return b.bytes;
}

int iob_budget_check_together(unsigned runs, uint64_t bytes, struct iob_error *err)
{
	char all[32], what[80];

	snprintf(what, sizeof(what), "%u jobs that run side by side take %s of memory", runs,
		iob_format_bytes(all, sizeof(all), bytes));
	return compare(what, bytes, 0, "", err);
}

char *iob_budget_words(const struct iob_budget *b, char *buf, size_t n)
{
	char all[32], block[32], pinned[32];
	unsigned long long jobs = b->job->numjobs, depth = b->depth;
	int used = snprintf(buf, n, "%llu worker%s %s of memory: %llu request%s of %s%s", jobs,
		jobs == 1 ? " takes" : "s take", iob_format_bytes(all, sizeof(all), b->bytes),
		depth, depth == 1 ? "" : "s", iob_format_bytes(block, sizeof(block), b->block),
		jobs == 1 ? "" : " each");

	if (b->job->lockmem && used > 0 && (size_t)used < n)
		snprintf(buf + used, n - (size_t)used, ", and %s pinned%s",
			iob_format_bytes(pinned, sizeof(pinned), b->job->lockmem),
			jobs == 1 ? "" : " each");
	used = (int)strlen(buf);
	if (b->logs >= LOGS_WORTH_TELLING)
		snprintf(buf + used, n - (size_t)used,
			", and %s of I/O logs%s (log_avg_msec= makes them small)",
			iob_format_bytes(pinned, sizeof(pinned), b->logs),
			jobs == 1 ? "" : " each");
	return buf;
}
