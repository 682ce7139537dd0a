/* SPDX-License-Identifier: MIT */
/* Gathers what the verdict's rules look at. */
#include <config.h>

#include <string.h>
#include <unistd.h>

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

void iob_run_judge(struct iob_run *run, struct iob_snapshot *snap)
{
	const struct iob_job *job = &run->shared->plan.stage[snap->stage];
	struct iob_segment_figures total;
	struct iob_diskstat disk;
	struct iob_verdict_facts f = {
		.total = &total,
		.running = snap->phase != IOB_PHASE_DONE,
		.is_write_run = iob_job_modifies(job),
		.zero_buffers = job->zero_buffers,
		.by_size = !job->time_based,
		.by_number = job->number_ios > 0,
		.ram_bytes = ram_bytes(),
		.stall_ns = snap->view.longest_stall_ns,
		.has_disk = snap->view.has_disk,
		.depth = job->numjobs * snap->live.iodepth,
		.depth_ignored = snap->capacity == 1 && job->iodepth > 1,
	};

	memset(&snap->warnings, 0, sizeof(snap->warnings));
	if (!snap->view.t0_ns)
		return;
	iob_recorder_totals(run->recorder, -1, &total, NULL, &disk);
	from_target(&f, &snap->target);
	f.device_read_bytes = disk.read_sectors * SECTOR;
	f.device_write_bytes = disk.write_sectors * SECTOR;
	if (snap->workers)
		f.worker_cpu_max = snap->view.worker_cpu_max;
	if (f.depth_ignored)
		f.depth = job->numjobs;
	iob_verdict(&snap->warnings, &f);
}
