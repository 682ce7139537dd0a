/* SPDX-License-Identifier: MIT */
/* What a worker takes beside its buffers: the ring of its samples, and what fio's reports and logs
 * want kept. */
#include <config.h>

#include "measure/detail.h"
#include "measure/log_store.h"
#include "measure/ring.h"
#include "run/budget.h"

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* How many I/Os it will be at most; 0 = that is not known before. */
static uint64_t number_of_ios(const struct iob_job *job)
{
	uint64_t bytes = job->io_size.bytes ? job->io_size.bytes : job->size.bytes;
	uint64_t block = UINT64_MAX;

	if (job->number_ios)
		return job->number_ios;
	if (job->time_based || job->runtime_ns || job->size.percent_micro ||
		job->io_size.percent_micro)
		return 0;
	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_job_does(job, (enum iob_dir)d) && job->bs[d].min && job->bs[d].min < block)
			block = job->bs[d].min;
	return bytes / block;
}

static uint64_t windows(const struct iob_job *job, uint64_t window_ns, uint64_t bytes)
{
	return window_ns ? times(job->runtime_ns / window_ns, bytes) : 0;
}

uint64_t iob_budget_logs(const struct iob_job *job, const struct iob_plan_log *log)
{
	uint64_t room = log->room ? log->room : IOB_LOG_ROOM, sum = 0;

	/* One chunk of each kind that is being filled, and those that are full. */
	if (log->transfers) {
		uint64_t bytes =
			log->window_ns ? windows(job, log->window_ns, sizeof(struct iob_log_window))
				       : times(number_of_ios(job), sizeof(struct iob_io_record));

		sum = 2 * (uint64_t)IOB_LOG_CHUNK;
		sum = bytes > UINT64_MAX - sum ? UINT64_MAX : sum + bytes;
	}
	if (log->hist_ns) {
		uint64_t bytes = windows(job, log->hist_ns, IOB_NDIR * sizeof(struct iob_log_hist));

		bytes = bytes > UINT64_MAX - 2 * IOB_LOG_CHUNK ? UINT64_MAX
							       : bytes + 2 * IOB_LOG_CHUNK;
		sum = bytes > UINT64_MAX - sum ? UINT64_MAX : sum + bytes;
	}
	/* What has been read takes none. */
	return sum < room ? sum : room;
}

uint64_t iob_budget_records(bool detail)
{
	return sizeof(struct iob_ring) + (detail ? sizeof(struct iob_detail) : 0);
}
