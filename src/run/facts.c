/* SPDX-License-Identifier: MIT */
/* Gathers what the verdict's rules look at. */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/engine.h"
#include "run/private.h"

#define SECTOR         512
#define LOOK_EVERY_NS  IOB_NS_PER_S
/* Random gaps of a schedule are that many times the mean once in a billion times. */
#define LONGEST_RANDOM 20
#define MOST_SLOT_S    1000000
/* The controller gives a sign of life more often. */
#define SIGN_WITHIN_NS (IOB_NS_PER_S / 2)

static uint64_t ram_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

static uint64_t smallest_block(const struct iob_job *job)
{
	uint64_t least = UINT64_MAX;

	for (int d = 0; d < IOB_NDIR; d++)
		if (iob_job_uses_bs(job, (enum iob_dir)d) && job->bs[d].min < least)
			least = job->bs[d].min;
	return least == UINT64_MAX ? 0 : least;
}

static void from_disk(struct iob_surroundings *s, const struct iob_target_info *t)
{
	const struct iob_diskfacts *d = &t->facts;

	snprintf(s->scheduler, sizeof(s->scheduler), "%s", t->scheduler);
	snprintf(s->writer, sizeof(s->writer), "%s", t->writer);
	snprintf(s->link, sizeof(s->link), "%s", d->link);
	if (t->in_memory)
		snprintf(s->memory_fs, sizeof(s->memory_fs), "%.15s", t->filesystem);
	snprintf(s->memory_disk, sizeof(s->memory_disk), "%s", t->memory_disk);
	s->cached_loop = t->cached_loop;
	s->is_nvme = strcmp(t->disk_kind, "nvme") == 0;
	s->start_bytes = d->start_bytes;
	s->alignment_bytes = d->alignment_offset;
	s->physical_block = t->has_disk ? t->physical_block_size : 0;
	s->optimal_io = d->optimal_io;
	s->region_offset = t->region_offset;
	s->link_bps = d->link_bps;
	s->link_max_bps = d->link_max_bps;
	s->temp_mc = d->temp_mc;
	s->temp_limit_mc = d->temp_limit_mc;
}

void iob_facts_of_target(
	struct iob_verdict_facts *f, const struct iob_target_info *t, const struct iob_job *job)
{
	f->null_engine = t->kind == IOB_TARGET_NULL;
	f->buffered = !t->direct && !f->null_engine;
	f->direct_refused = t->direct_refused;
	f->rotational = t->rotational;
	/* These say so of whatever is behind them. */
	f->seeks = t->rotational && strcmp(t->disk_kind, "virtio") != 0 &&
		   strcmp(t->disk_kind, "loop") != 0;
	f->region_bytes = t->region_size;
	f->sparse_bytes = t->sparse_bytes;
	f->queue_limit = t->nr_requests;
	f->ram_bytes = ram_bytes();
	f->is_write_run = iob_job_modifies(job);
	f->reads = iob_job_does(job, IOB_READ);
	f->sequential = !iob_rw_is_random(job->rw);
	f->zero_buffers = job->zero_buffers || job->buffer_compress_percentage == 100;
	f->depth = job->numjobs * (iob_engine_is_one_deep(job) ? 1 : job->iodepth);
	f->around.numa_node = -1;
	from_disk(&f->around, t);
	f->cache_kept = t->cache_kept;
	if (t->no_scheduler)
		snprintf(f->around.unused_scheduler, sizeof(f->around.unused_scheduler), "%s",
			job->ioscheduler);
	f->around.smallest_block = smallest_block(job);
	f->around.aio_sync =
		f->buffered && job->iodepth > 1 && strcmp(job->ioengine, "libaio") == 0;
}

void iob_facts_of_cpus(struct iob_verdict_facts *f, const struct iob_cpufacts *cpu, int numa_node)
{
	struct iob_surroundings *s = &f->around;

	s->numa_node = numa_node;
	s->numa_cpus = cpu->cpus;
	s->numa_off = cpu->off_node;
	if (!cpu->saves)
		return;
	snprintf(s->governor, sizeof(s->governor), "%s", cpu->governor);
	s->cpu_khz = cpu->khz;
	s->cpu_max_khz = cpu->max_khz;
}

void iob_facts_of_cgroup(struct iob_verdict_facts *f, const struct iob_cgroup *g)
{
	struct iob_surroundings *s = &f->around;

	s->cpu_quota = g->cpu_quota;
	for (int d = 0; d < 2; d++) {
		s->cap_bps[d] = g->bps[d];
		s->cap_iops[d] = g->iops[d];
	}
}

void iob_facts_follow_cpus(struct iob_run_facts *r, const struct iob_cpufacts *now, bool anew)
{
	/* A CPU that comes or goes takes its count along. */
	if (!anew && now->cpus == r->cpu.cpus && now->throttles > r->cpu.throttles)
		r->throttled += now->throttles - r->cpu.throttles;
	if (anew)
		r->stage_cpus = now->cpus;
	if (r->stage_cpus > now->cpus && r->stage_cpus - now->cpus > r->cpus - r->fewest) {
		r->cpus = r->stage_cpus;
		r->fewest = now->cpus;
	}
	r->cpu = *now;
}

/* What the machine tells is read when a stage or a segment begins, each second, and at the end. */
static void look_around(struct iob_run *run, const struct iob_snapshot *snap)
{
	struct iob_run_facts *r = &run->facts;
	const struct iob_job *job = &run->shared->plan.stage[snap->stage];
	uint64_t now = iob_now_ns();
	bool first = r->read_ns == 0, done = snap->phase == IOB_PHASE_DONE;
	bool anew = first || snap->stage != r->stage;
	struct iob_cpufacts cpu;

	bool changed = anew || snap->view.nsegments != r->nsegments;
	if (!changed && now < r->read_ns + LOOK_EVERY_NS && (r->final || !done))
		return;
	r->read_ns = now;
	r->final = done;
	iob_cpufacts_read(&cpu, "", job->cpus_allowed, snap->target.facts.numa_node);
	uint64_t held_ns = r->cgroup.cpu_held_ns;
	iob_cgroup_read(&r->cgroup, "", snap->target.major, snap->target.minor);
	r->stage = snap->stage;
	r->nsegments = snap->view.nsegments;
	if (r->loading && r->cgroup.cpu_held_ns > held_ns)
		r->held_ns += r->cgroup.cpu_held_ns - held_ns;
	r->loading = snap->phase == IOB_PHASE_RUNNING;
	iob_facts_follow_cpus(r, &cpu, anew);
}

static void from_around(
	struct iob_verdict_facts *f, struct iob_run *run, const struct iob_snapshot *snap)
{
	struct iob_run_facts *r = &run->facts;
	struct iob_surroundings *s = &f->around;
	int32_t temp = atomic_load(&run->shared->temp_mc);

	look_around(run, snap);
	iob_facts_of_cpus(f, &r->cpu, snap->target.facts.numa_node);
	iob_facts_of_cgroup(f, &r->cgroup);
	s->cpus = r->cpus;
	s->cpus_fewest = r->fewest;
	s->cpu_throttles = r->throttled;
	s->cpu_held_ns = r->held_ns;
	if (temp > s->temp_mc)
		s->temp_mc = temp;
}

/* One load segment: what its rates asked for and what was done.  What is missing is owed as far as
 * the schedule is behind: the time in which the last requests came back asked for nothing. */
static double rate_of(
	const struct iob_segment_figures *s, const struct iob_live *live, enum iob_dir dir)
{
	double mean = ((double)live->bs[dir].min + (double)live->bs[dir].max) / 2;

	if (live->rate_iops[dir])
		return (double)live->rate_iops[dir];
	if (s->dir[dir].ios)
		mean = (double)s->dir[dir].bytes / (double)s->dir[dir].ios;
	return mean > 0 ? (double)live->rate_bytes[dir] / mean : 0;
}

/* Longest time in which the schedule alone lets nothing out; 0 if a direction goes as it can. */
static uint64_t longest_slot(
	const struct iob_segment_figures *s, const struct iob_live *live, bool random)
{
	double sum = 0;

	for (int d = 0; d < IOB_NDIR; d++) {
		double rate = rate_of(s, live, (enum iob_dir)d) * (double)live->numjobs;

		if (!iob_rw_does(live->rw, (enum iob_dir)d))
			continue;
		if (rate <= 0)
			return 0;
		sum += rate;
	}
	double seconds = sum > 0 ? (random ? LONGEST_RANDOM : 1) / sum : 0;
	return seconds < MOST_SLOT_S ? (uint64_t)(seconds * 1e9) : MOST_SLOT_S * IOB_NS_PER_S;
}

static void add_rates(struct iob_verdict_facts *f, const struct iob_segment_figures *s,
	const struct iob_live *live)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		double rate = rate_of(s, live, (enum iob_dir)d) * (double)live->numjobs;

		if (rate <= 0 || !iob_rw_does(live->rw, (enum iob_dir)d))
			continue;
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
		if (!iob_live_has_rate(&p.live) ||
			!iob_recorder_segment_figures(run->recorder, id, &s))
			continue;
		add_rates(f, &s, &p.live);
		uint64_t slot_ns = longest_slot(&s, &p.live,
			run->shared->plan.stage[p.stage].rate_process == IOB_RATE_POISSON);
		if (slot_ns > f->slot_ns)
			f->slot_ns = slot_ns;
	}
}

/* The first of the stages so far whose engine ignores its iodepth. */
static void find_one_deep(char *name, size_t n, const struct iob_plan *plan, unsigned last)
{
	for (unsigned i = 0; i <= last && i < plan->nstages; i++)
		if (plan->stage[i].iodepth > 1 && iob_engine_is_one_deep(&plan->stage[i])) {
			const struct iob_job *job = &plan->stage[i];
			const struct iob_engine *engine = iob_engine_find(job->ioengine);

			/* Of a wrapper it is the one inside. */
			snprintf(name, n, "%s",
				engine && engine->inner ? job->fault_engine : job->ioengine);
			return;
		}
}

/* One parameter set for all of the time: only then depth and figures belong together. */
static bool is_one_segment(struct iob_run *run, unsigned nsegments, const struct iob_snapshot *snap)
{
	unsigned loads = 0;

	pthread_mutex_lock(&run->lock);
	for (unsigned i = 0; i < nsegments; i++)
		loads += run->params[i].kind == IOB_SEGMENT_LOAD ? 1 : 0;
	pthread_mutex_unlock(&run->lock);
	return loads == 1 && snap->nstages == 1;
}

/* While it lasts nothing is known of a gap but that there is no sign of life. */
static void from_gaps(
	struct iob_verdict_facts *f, struct iob_run *run, const struct iob_snapshot *snap)
{
	const struct iob_shared *sh = run->shared;
	uint64_t now = iob_now_ns(), beat = atomic_load(&sh->heartbeat_ns);

	f->gap = snap->view.gap;
	/* Before and after it may be at a call on the target. */
	if (snap->phase >= IOB_PHASE_RAMP && snap->phase <= IOB_PHASE_DRAINING &&
		now > beat + SIGN_WITHIN_NS)
		f->silent_ns = now - beat;
	for (uint32_t i = 0; i < sh->nslots && i < IOB_MAX_WORKERS; i++)
		f->gap_ios += atomic_load(&sh->slot[i].astride);
}

/* Sums over stages stand beside sums of one disk's counters only if all of them use it. */
static bool have_one_disk(const struct iob_plan *plan, unsigned last)
{
	const struct iob_job *first = &plan->stage[0];
	const unsigned without = IOB_ENGINE_NO_TARGET | IOB_ENGINE_COMMANDS;

	for (unsigned i = 1; i <= last && i < plan->nstages; i++) {
		const struct iob_job *job = &plan->stage[i];

		if (strcmp(job->filename, first->filename) != 0 ||
			strcmp(job->directory, first->directory) != 0)
			return false;
	}
	for (unsigned i = 0; last > 0 && i <= last && i < plan->nstages; i++) {
		const struct iob_engine *e = iob_engine_find(plan->stage[i].ioengine);

		if (e && iob_engine_caps(e, &plan->stage[i]) & without)
			return false;
	}
	return true;
}

static void from_figures(
	struct iob_verdict_facts *f, struct iob_run *run, const struct iob_snapshot *snap)
{
	const struct iob_job *job = &run->shared->plan.stage[snap->stage];
	struct iob_diskstat disk;

	iob_recorder_totals(run->recorder, -1, f->total, NULL, &disk);
	f->device_read_bytes = disk.read_sectors * SECTOR;
	f->device_write_bytes = disk.write_sectors * SECTOR;
	f->beside_read_bytes = snap->view.beside[IOB_READ] * SECTOR;
	f->beside_write_bytes = snap->view.beside[IOB_WRITE] * SECTOR;
	f->merges[IOB_READ] = disk.read_merges;
	f->merges[IOB_WRITE] = disk.write_merges;
	f->device_ios[IOB_READ] = disk.reads;
	f->device_ios[IOB_WRITE] = disk.writes;
	f->has_disk = snap->view.has_disk && have_one_disk(&run->shared->plan, snap->stage);
	f->stall_ns = snap->view.longest_stall_ns;
	from_gaps(f, run, snap);
	f->host_cpu = f->running ? snap->view.host_cpu : snap->view.host_cpu_in_all;
	if (snap->workers) {
		long cpus = sysconf(_SC_NPROCESSORS_ONLN);

		f->worker_cpu_max = snap->view.worker_cpu_max;
		f->own_cpu = snap->view.worker_cpu_sum / (double)(cpus > 0 ? cpus : 1);
	}
	from_rates(f, run, snap->view.nsegments);
	f->depth = snap->live.numjobs * (iob_engine_is_one_deep(job) ? 1 : snap->live.iodepth);
	/* The wrapper that breaks things is no measure of anything. */
	f->closed_loop = f->asked_ios <= 0 && job->iodepth_batch_complete <= 1 && job->fsync == 0 &&
			 job->fdatasync == 0 && strcmp(job->ioengine, "fault") != 0;
	f->constant = is_one_segment(run, snap->view.nsegments, snap);
	f->stages = snap->nstages > 1;
	iob_course_follow(&run->facts.course, run, snap);
	f->steady = iob_course_longest(&run->facts.course);
}

void iob_run_judge(struct iob_run *run, struct iob_snapshot *snap)
{
	const struct iob_job *job = &run->shared->plan.stage[snap->stage];
	struct iob_segment_figures total;
	struct iob_verdict_facts f = {
		.total = &total,
		.running = snap->phase != IOB_PHASE_DONE,
		.by_size = true,
		.by_number = true,
	};

	memset(&snap->warnings, 0, sizeof(snap->warnings));
	if (!snap->view.t0_ns)
		return;
	for (unsigned i = 0; i < run->shared->plan.nstages; i++) {
		f.by_size &= !run->shared->plan.stage[i].time_based;
		f.by_number &= run->shared->plan.stage[i].number_ios > 0;
	}
	iob_facts_of_target(&f, &snap->target, job);
	from_around(&f, run, snap);
	from_figures(&f, run, snap);
	find_one_deep(f.one_deep, sizeof(f.one_deep), &run->shared->plan, snap->stage);
	iob_verdict(&snap->warnings, &f);
	iob_limit_find(&snap->limit, &f, &snap->warnings);
	iob_run_warn_of_failures(&snap->warnings, &snap->failures);
	if (!f.running)
		return;
	iob_warnings_hold(&run->facts.held, &snap->warnings, iob_now_ns());
	snap->warnings = run->facts.held.shown;
}
