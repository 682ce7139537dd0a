/* SPDX-License-Identifier: MIT */
/* Syncs after so many writes: fsync, fdatasync and sync_file_range, each with a count of its own.
 * The loop looks at the nearest of them alone. */
#include <config.h>

#include "load/worker_private.h"

static uint64_t every(const struct iob_job *job, unsigned kind)
{
	const uint64_t given[IOB_NSYNCS] = {job->fsync, job->fdatasync, job->sync_file_range.every};

	return given[kind] ? given[kind] : UINT64_MAX;
}

static void find_nearest(struct iob_sync_clock *s)
{
	s->until = UINT64_MAX;
	for (unsigned k = 0; k < IOB_NSYNCS; k++)
		if (s->left[k] < s->until)
			s->until = s->left[k];
	s->step = s->until;
}

void iob_sync_clock_start(struct iob_sync_clock *s, const struct iob_job *job)
{
	*s = (struct iob_sync_clock){.from = UINT64_MAX, .ranges = job->sync_file_range.every != 0};
	for (unsigned k = 0; k < IOB_NSYNCS; k++)
		s->left[k] = every(job, k);
	find_nearest(s);
}

/* From the first byte to the last that was written since the last one; what 32 bits do not hold
 * goes to the end of the file. */
static void take_range(struct iob_sync_clock *s, const struct iob_job *job, struct iob_req *req)
{
	uint64_t length = s->to - s->from;

	req->offset = s->from;
	req->length = length <= UINT32_MAX ? (uint32_t)length : 0;
	req->sync_flags = job->sync_file_range.flags;
	s->from = UINT64_MAX;
	s->to = 0;
}

void iob_sync_clock_take(struct iob_sync_clock *s, const struct iob_job *job, struct iob_req *req)
{
	unsigned due = 0;

	for (unsigned k = 0; k < IOB_NSYNCS; k++)
		if (s->left[k] != UINT64_MAX)
			s->left[k] -= s->step;
	while (due + 1 < IOB_NSYNCS && s->left[due] != 0)
		due++;
	s->left[due] = every(job, due);
	req->op = (uint8_t)(IOB_OP_FSYNC + due);
	req->offset = 0;
	req->length = 0;
	req->file = s->file;
	if (req->op == IOB_OP_SYNC_FILE_RANGE)
		take_range(s, job, req);
	find_nearest(s);
}
