/* SPDX-License-Identifier: MIT */
#include "job/most_written.h"

#define WHOLE_MICRO UINT64_C(100000000)

static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Do writes begin and end where units do? */
static bool fits_units(const struct iob_job *job, uint64_t unit)
{
	const struct iob_job_pattern *more = &job->pattern;
	uint64_t offset = job->offset.bytes | more->offset_increment.bytes;

	if (more->bs_unaligned || more->rw_suffix || job->files.file_append ||
		job->offset.percent_micro || more->offset_increment.percent_micro)
		return false;
	for (unsigned d = 0; d < IOB_NDIR; d++)
		if (iob_job_uses_bs(job, (enum iob_dir)d) &&
			(job->bs[d].min % unit || more->blockalign[d] % unit))
			return false;
	return offset % unit == 0;
}

static uint64_t smallest_block(const struct iob_job *job)
{
	uint64_t least = UINT64_MAX;

	for (unsigned d = 0; d < IOB_NDIR; d++)
		if (iob_job_uses_bs(job, (enum iob_dir)d) && job->bs[d].min < least)
			least = job->bs[d].min;
	return least ? least : 1;
}

/* What the workers together go through at most: see iob_pattern's limit. */
static uint64_t gone_through(const struct iob_job *job, uint64_t covered)
{
	uint64_t bytes = covered;

	if (job->time_based)
		return UINT64_MAX;
	if (job->io_size.percent_micro)
		bytes = (uint64_t)((unsigned __int128)covered * job->io_size.percent_micro /
				   WHOLE_MICRO);
	else if (job->io_size.bytes)
		bytes = job->io_size.bytes;
	return times(bytes, job->ctl.loops ? job->ctl.loops : 1);
}

uint64_t iob_job_most_written(const struct iob_job *job, uint64_t covered, uint64_t unit)
{
	uint64_t workers = job->numjobs ? job->numjobs : 1;
	uint64_t largest = iob_job_largest_block(job);
	/* At both ends of a request. */
	uint64_t beside = fits_units(job, unit) ? 0 : 2 * unit;
	uint64_t bytes = gone_through(job, covered);
	uint64_t most = UINT64_MAX;

	if (bytes != UINT64_MAX) {
		/* The last request of each worker begins below its limit. */
		bytes = plus(bytes, times(workers, largest));
		most = plus(bytes, times(bytes / smallest_block(job), beside));
	}
	if (job->number_ios) {
		uint64_t ios = times(times(job->number_ios, workers), plus(largest, beside));

		most = ios < most ? ios : most;
	}
	return most;
}
