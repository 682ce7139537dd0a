/* SPDX-License-Identifier: MIT */
/* Detailed statistics: what the job asks for, when measuring begins, and what the thread used. */
#include <config.h>

#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "job/cmdprio.h"
#include "job/param.h"
#include "load/worker_private.h"

/* Does such a job do one request at a time, so that it has no slat? */
static bool is_synchronous(const struct iob_engine *engine, const struct iob_job *job)
{
	unsigned caps = iob_engine_caps(engine, job);

	/* fio's null does no queueing at depth 1. */
	return !(caps & IOB_ENGINE_ASYNC) || ((caps & IOB_ENGINE_NO_TARGET) && job->iodepth <= 1);
}

void iob_worker_detail_init(struct iob_worker *w)
{
	const struct iob_job *job = w->config.job;
	struct iob_worker_detail *s = &w->detail;
	bool given = iob_param_is_given(job, IOB_PARAM_OF(iodepth_batch));

	s->out = w->config.detail;
	s->synchronous = is_synchronous(w->engine, job);
	s->submits = !s->synchronous && w->engine->submit;
	s->slat = !s->synchronous && !job->sqthread_poll;
	s->batch = job->iodepth_batch ? job->iodepth_batch : given ? UINT64_MAX : 1;
	s->polling = job->iodepth_batch_complete == 0 && !s->synchronous;
	s->fewest = job->iodepth_batch_complete ? job->iodepth_batch_complete : 1;
	s->most = job->iodepth_batch_complete_max > s->fewest ? job->iodepth_batch_complete_max
							      : s->fewest;
	s->serial = job->serialize_overlap;
	s->low = job->iodepth_low ? job->iodepth_low : UINT64_MAX;
	s->thread_ioprio = iob_cmdprio_of_thread(job);
	s->log.thread_ioprio = s->thread_ioprio;
	s->priorities = w->priorities ? w->config.priorities : NULL;
	s->priorities_by_lat = job->ctl.lat_percentiles;
	/* Touched before the start. */
	memset(s->out, 0, sizeof(*s->out));
}

static void usage_now(struct iob_worker_usage *u)
{
	struct rusage ru;

	getrusage(RUSAGE_THREAD, &ru);
	*u = (struct iob_worker_usage){
		.user_ns = (uint64_t)ru.ru_utime.tv_sec * IOB_NS_PER_S +
			   (uint64_t)ru.ru_utime.tv_usec * IOB_NS_PER_US,
		.system_ns = (uint64_t)ru.ru_stime.tv_sec * IOB_NS_PER_S +
			     (uint64_t)ru.ru_stime.tv_usec * IOB_NS_PER_US,
		.context_switches = (uint64_t)(ru.ru_nvcsw + ru.ru_nivcsw),
		.major_faults = (uint64_t)ru.ru_majflt,
		.minor_faults = (uint64_t)ru.ru_minflt,
	};
}

void iob_worker_detail_usage(struct iob_worker *w, uint64_t now)
{
	struct iob_detail *d = w->detail.out;
	const struct iob_worker_usage *from = &w->detail.from;
	struct iob_worker_usage to;

	usage_now(&to);
	d->user_ns = to.user_ns - from->user_ns;
	d->system_ns = to.system_ns - from->system_ns;
	d->context_switches = to.context_switches - from->context_switches;
	d->major_faults = to.major_faults - from->major_faults;
	d->minor_faults = to.minor_faults - from->minor_faults;
	d->end_ns = now;
}

/* What was never written stays untouched: memory that nobody has asked for. */
static void forget_priorities(struct iob_detail_priorities *p)
{
	for (int d = 0; d < 2; d++) {
		for (uint32_t seen = p->seen[d]; seen; seen &= seen - 1)
			memset(&p->span[d][__builtin_ctz(seen)], 0, sizeof(p->span[d][0]));
		p->seen[d] = 0;
	}
}

void iob_worker_detail_begin(struct iob_worker *w, uint64_t now)
{
	struct iob_detail *d = w->detail.out;
	int32_t first_error = d->first_error;

	memset(d, 0, sizeof(*d));
	d->first_error = first_error;
	if (w->detail.priorities)
		forget_priorities(w->detail.priorities);
	d->begin_ns = d->end_ns = now;
	usage_now(&w->detail.from);
	if (w->detail.logs)
		iob_worker_log_begin(&w->detail.log, now);
}
