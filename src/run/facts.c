/* SPDX-License-Identifier: MIT */
/* Gathers what the verdict's rules look at. */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "load/engine.h"
#include "run/private.h"

#define SECTOR 512

static uint64_t ram_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

static void from_target(struct iob_verdict_facts *f, const struct iob_target_info *t)
{
	f->null_engine = t->kind == IOB_TARGET_NULL;
	f->buffered = !t->direct && !f->null_engine;
	f->direct_refused = t->direct_refused;
	f->region_bytes = t->region_size;
	f->sparse_bytes = t->sparse_bytes;
	f->queue_limit = t->nr_requests;
}

/* One load segment: what its rates asked for and what was done.  What is missing is owed as far as
 * the schedule is behind: the time in which the last requests came back asked for nothing. */
static void add_rates(struct iob_verdict_facts *f, const struct iob_segment_figures *s,
	const struct iob_live *live, const struct iob_job *job)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		if (!live->rate_iops[d] || !iob_rw_does(live->rw, (enum iob_dir)d))
			continue;
		double rate = (double)live->rate_iops[d] * (double)job->numjobs;
		double done = (double)s->dir[d].ios;
		double owed = done + rate * (double)s->behind_ns / 1e9;
		f->asked_ios += owed < rate * s->seconds ? owed : rate * s->seconds;
		f->paced_ios += done;
	}
	if (s->behind_ns > f->behind_ns)
		f->behind_ns = s->behind_ns;
}

static void from_rates(struct iob_verdict_facts *f, struct iob_run *run, unsigned nsegments)
{
	for (unsigned id = 0; id < nsegments; id++) {
		struct iob_segment_figures s;

		pthread_mutex_lock(&run->lock);
		const struct iob_segment_params p = run->params[id];
		pthread_mutex_unlock(&run->lock);
		if (p.stage >= run->shared->plan.nstages || p.kind != IOB_SEGMENT_LOAD)
			continue;
		const struct iob_job *job = &run->shared->plan.stage[p.stage];
		if (iob_live_has_rate(&p.live) &&
			iob_recorder_segment_figures(run->recorder, id, &s))
			add_rates(f, &s, &p.live, job);
	}
}

static bool is_one_deep(const struct iob_job *job)
{
	const struct iob_engine *engine = iob_engine_find(job->ioengine);

	return engine && job->iodepth > 1 && iob_engine_max_capacity(engine, job) == 1;
}

/* The first of the stages so far whose engine ignores its iodepth. */
static void find_one_deep(char *name, size_t n, const struct iob_plan *plan, unsigned last)
{
	for (unsigned i = 0; i <= last && i < plan->nstages; i++)
		if (is_one_deep(&plan->stage[i])) {
			const struct iob_job *job = &plan->stage[i];
			const struct iob_engine *engine = iob_engine_find(job->ioengine);

			/* Of a wrapper it is the one inside. */
			snprintf(name, n, "%s",
				engine && engine->inner ? job->fault_engine : job->ioengine);
			return;
		}
}

void iob_run_judge(struct iob_run *run, struct iob_snapshot *snap)
{
	const struct iob_job *job = &run->shared->plan.stage[snap->stage];
	struct iob_segment_figures total;
	struct iob_diskstat disk;
	struct iob_verdict_facts f = {
		.total = &total,
		.running = snap->phase != IOB_PHASE_DONE,
		.is_write_run = iob_job_modifies(job),
		.zero_buffers = job->zero_buffers || job->buffer_compress_percentage == 100,
		.by_size = !job->time_based,
		.by_number = job->number_ios > 0,
		.ram_bytes = ram_bytes(),
		.stall_ns = snap->view.longest_stall_ns,
		.has_disk = snap->view.has_disk,
		.depth = job->numjobs * snap->live.iodepth,
	};

	memset(&snap->warnings, 0, sizeof(snap->warnings));
	if (!snap->view.t0_ns)
		return;
	iob_recorder_totals(run->recorder, -1, &total, NULL, &disk);
	find_one_deep(f.one_deep, sizeof(f.one_deep), &run->shared->plan, snap->stage);
	from_target(&f, &snap->target);
	f.device_read_bytes = disk.read_sectors * SECTOR;
	f.device_write_bytes = disk.write_sectors * SECTOR;
	from_rates(&f, run, snap->view.nsegments);
	if (snap->workers)
		f.worker_cpu_max = snap->view.worker_cpu_max;
	if (is_one_deep(job))
		f.depth = job->numjobs;
	iob_verdict(&snap->warnings, &f);
	iob_run_warn_of_failures(&snap->warnings, &snap->failures);
}
