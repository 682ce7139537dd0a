/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/worker.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "load/affinity.h"
#include "load/placement.h"
#include "load/worker_private.h"

/* Most that an engine keeps for each request, with its rings in the kernel. */
#define ENGINE_PER_REQUEST 160

#define MIB(bytes) ((unsigned long long)(((bytes) + (UINT64_C(1) << 20) - 1) >> 20))

/* Whole cache lines, at least one. */
static size_t lines(size_t bytes)
{
	return (bytes / IOB_CACHELINE + 1) * IOB_CACHELINE;
}

/* Zeroed, which also touches it. */
static void *new_lines(size_t count, size_t size)
{
	size_t bytes = lines(count * size);
	void *p = aligned_alloc(IOB_CACHELINE, bytes);

	if (p)
		memset(p, 0, bytes);
	return p;
}

static unsigned capacity_for(
	const struct iob_engine *engine, const struct iob_job *job, unsigned wanted)
{
	unsigned most = iob_engine_max_capacity(engine, job);

	return wanted == 0 ? 1 : wanted < most ? wanted : most;
}

static uint64_t saturated(uint64_t depth, uint64_t block)
{
	uint64_t bytes;

	return __builtin_mul_overflow(depth, block, &bytes) ? UINT64_MAX / 2 : bytes;
}

uint64_t iob_worker_memory(
	const struct iob_job *job, unsigned capacity, const struct iob_engine *engine)
{
	struct iob_live live;
	uint64_t per_request = sizeof(struct iob_req) + 4 * sizeof(struct iob_req *) +
			       sizeof(struct iob_trimmed) + ENGINE_PER_REQUEST;

	iob_live_from_job(&live, job);
	capacity = capacity_for(engine, job, capacity);
	uint64_t depth = live.iodepth < capacity ? live.iodepth : capacity;
	uint64_t block = (iob_worker_block(&live) + 4095) / 4096 * 4096;
	return sizeof(struct iob_worker) + 2 * sizeof(struct iob_accumulator) + engine->state_size +
	       capacity * per_request + saturated(depth, block) + job->lockmem;
}

static int check_capabilities(const struct iob_worker_config *c, struct iob_error *err)
{
	const struct iob_job *job = c->job;
	unsigned caps = iob_engine_caps(c->engine, job);

	if (iob_job_does(job, IOB_TRIM) && !(caps & IOB_ENGINE_TRIM))
		return iob_fail_usage(
			err, "ioengine=%s: it cannot trim; use another engine", c->engine->name);
	if ((job->fsync || job->fdatasync) && !(caps & IOB_ENGINE_SYNC_OPS))
		return iob_fail_usage(err,
			"ioengine=%s: it cannot fsync; leave out fsync and fdatasync, or use another "
			"engine",
			c->engine->name);
	if (job->sync_file_range.every && !(caps & IOB_ENGINE_SYNC_RANGE))
		return iob_fail_usage(err,
			"ioengine=%s: it has no sync_file_range; leave that out, or use another engine",
			c->engine->name);
	return 0;
}

/* Written blocks differ only where the kernel could not know better; zeros stay zeros. */
static void configure(struct iob_worker *w, const struct iob_worker_config *c)
{
	const struct iob_job *job = c->job;

	w->config = *c;
	w->engine = c->engine;
	w->steer = c->steer;
	w->slot = c->slot;
	w->capacity = capacity_for(c->engine, job, c->capacity);
	w->left_ios = job->number_ios ? job->number_ios : UINT64_MAX;
	w->adaptive = job->iodepth_batch == 0;
	w->batch = w->adaptive ? IOB_WORKER_BATCH : job->iodepth_batch;
	w->complete = 1;
	if (job->iodepth_batch_complete > 1)
		w->complete = job->iodepth_batch_complete < w->capacity
				      ? (unsigned)job->iodepth_batch_complete
				      : w->capacity;
	iob_sync_clock_start(&w->syncs, job);
}

static int allocate(struct iob_worker *w)
{
	const struct iob_worker_config *c = &w->config;

	w->state = new_lines(1, c->engine->state_size);
	w->acc = new_lines(2, sizeof(*w->acc));
	w->reqs = new_lines(w->capacity, sizeof(*w->reqs));
	w->idle = new_lines(w->capacity, sizeof(struct iob_req *));
	w->batched = new_lines(w->capacity, sizeof(struct iob_req *));
	w->done = new_lines(w->capacity, sizeof(struct iob_req *));
	w->regions = new_lines(c->nregions, sizeof(*w->regions));
	if (!w->state || !w->acc || !w->reqs || !w->idle || !w->batched || !w->done || !w->regions)
		return -ENOMEM;
	if (c->detail) {
		w->detail.again = new_lines(w->capacity, sizeof(struct iob_req *));
		w->detail.flying = new_lines(w->capacity, sizeof(struct iob_req *));
		w->detail.logs = c->log && (c->log->transfers || c->log->hist_ns);
		if (!w->detail.again || !w->detail.flying ||
			(w->detail.logs && iob_worker_log_init(&w->detail.log, c->log,
						   &c->log_place, c->detail) < 0))
			return -ENOMEM;
	}
	if (iob_cmdprio_is_wanted(c->job)) {
		w->priorities = new_lines(1, sizeof(*w->priorities));
		if (!w->priorities)
			return -ENOMEM;
	}
	memcpy(w->regions, c->regions, c->nregions * sizeof(*w->regions));
	for (unsigned i = 0; i < w->capacity; i++)
		w->reqs[i].index = (uint16_t)i;
	return 0;
}

int iob_worker_new(
	struct iob_worker **out, const struct iob_worker_config *config, struct iob_error *err)
{
	int ret = check_capabilities(config, err);

	if (ret < 0)
		return ret;
	struct iob_worker *w = new_lines(1, sizeof(*w));
	if (!w)
		return iob_fail(err, -ENOMEM, "worker %u: no memory", config->number);
	configure(w, config);
	ret = allocate(w);
	if (ret < 0) {
		iob_worker_free(w);
		return iob_fail(err, ret, "worker %u: no memory for %u requests", config->number,
			config->capacity);
	}
	*out = w;
	return 0;
}

static int lock_memory(struct iob_worker *w, struct iob_error *err)
{
	uint64_t bytes = w->config.job->lockmem;

	if (bytes == 0)
		return 0;
	void *p = mmap(
		NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return iob_fail(err, -errno, "lockmem: mapping %llu MiB: %m; use a smaller value",
			MIB(bytes));
	w->locked = p;
	if (mlock(p, (size_t)bytes) < 0)
		return iob_fail(err, -errno,
			"lockmem: locking %llu MiB: %m; raise `ulimit -l` or use a smaller value",
			MIB(bytes));
	return 0;
}

static int open_engine(struct iob_worker *w, struct iob_error *err)
{
	const struct iob_worker_config *c = &w->config;
	struct iob_engine_env env = {
		.job = c->job,
		.targets = c->targets ? c->targets->item : NULL,
		.ntargets = c->targets ? c->targets->count : 0,
		.capacity = w->capacity,
		.direct = c->targets && c->targets->info.direct,
		.arena = w->arena.base,
		.arena_size = w->arena.size,
	};
	int ret = c->engine->open(w->state, &env, err);

	if (ret < 0)
		return ret;
	w->opened = true;
	c->engine->flags(w->state, w->slot->engine_flags, sizeof(w->slot->engine_flags));
	return 0;
}

void iob_worker_take_live(struct iob_worker *w, const struct iob_live *live)
{
	w->live = *live;
	w->depth = iob_worker_depth(w, live->iodepth);
	w->one_by_one = w->depth == 1 && !iob_rw_does(live->rw, IOB_WRITE);
	w->dry = false;
}

/* The parameters in force at the start; the controller has written them before it made us. */
static int take_initial(struct iob_worker *w)
{
	const struct iob_worker_config *c = &w->config;

	w->generation = atomic_load_explicit(&c->steer->generation, memory_order_acquire);
	struct iob_live live = c->steer->live;
	if (live.iodepth == 0)
		iob_live_from_job(&live, c->job);
	iob_worker_take_live(w, &live);
	w->paused = iob_worker_is_idle(w, &w->live);
	w->parts = w->live.numjobs;
	for (unsigned parity = 0; parity < 2; parity++)
		iob_accumulator_reset(&w->acc[parity], w->generation);
	iob_pace_init(&w->pace, c->job, c->seed, c->number);
	iob_tolerance_init(&w->tolerance, c->job, NULL);
	if (c->detail)
		iob_worker_detail_init(w);
	int ret =
		iob_pattern_init(&w->pattern, c->job, w->regions, c->nregions, c->seed, c->number);
	/* rw can be turned to it. */
	if (ret == 0 && (iob_engine_caps(c->engine, c->job) & IOB_ENGINE_TRIM))
		ret = iob_trimwrite_init(&w->pattern.trimmed, w->capacity);
	return ret;
}

static uint64_t region_bytes(const struct iob_worker_config *c)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < c->nregions; i++)
		sum += c->regions[i].size;
	return sum;
}

static int prepare(struct iob_worker *w, struct iob_error *err)
{
	const struct iob_worker_config *c = &w->config;
	int ret;

	if (c->job->cpus_allowed[0]) {
		bool split = c->job->cpus_policy == IOB_CPUS_SPLIT;

		ret = iob_affinity_bind(
			c->job->cpus_allowed, split ? c->first + c->number : IOB_AFFINITY_ALL, err);
		if (ret < 0)
			return ret;
	}
	ret = iob_placement_apply(c->job, "", err);
	if (ret < 0)
		return ret;
	ret = lock_memory(w, err);
	if (ret < 0)
		return ret;
	if (w->priorities) {
		ret = iob_priorities_init(w->priorities, c->job, c->seed, c->number, err);
		if (ret < 0)
			return ret;
	}
	ret = take_initial(w);
	if (ret < 0)
		return iob_fail(
			err, ret, "worker %u: no memory for %u files", c->number, c->nregions);
	if (!iob_pattern_fits(&w->pattern, &w->live))
		return iob_fail_usage(err,
			"worker %u: its part of the target is smaller than one block; use a smaller "
			"bs, a larger size or fewer numjobs",
			c->number);
	iob_pattern_adopt(&w->pattern, &w->live);
	ret = iob_content_init(&w->content, c->job, c->seed, c->number, region_bytes(c), err);
	if (ret < 0)
		return ret;
	w->stamp = w->content.stamp;
	ret = iob_arena_init(&w->arena, w->depth, iob_worker_block(&w->live), &w->content,
		c->job->mem == IOB_MEM_HUGE, err);
	if (ret < 0)
		return ret;
	iob_worker_assign_buffers(w);
	return open_engine(w, err);
}

static void set_state(struct iob_worker *w, enum iob_worker_state state)
{
	atomic_store_explicit(&w->slot->state, (uint32_t)state, memory_order_release);
}

static void end(struct iob_worker *w)
{
	w->slot->error = w->error;
	set_state(w, IOB_WORKER_ENDED);
}

static void run(struct iob_worker *w)
{
	struct iob_worker_slot *s = w->slot;

	atomic_store_explicit(&s->depth, w->depth, memory_order_relaxed);
	set_state(w, IOB_WORKER_READY);
	if (w->config.start)
		pthread_barrier_wait(w->config.start);
	atomic_store_explicit(&s->acked, w->generation, memory_order_release);
	set_state(w, IOB_WORKER_RUNNING);
	iob_worker_loop(w);
	end(w);
}

/*
 * While threads share a table of descriptors, each system call that takes one must count a
 * reference of the file up and down: 15 ns here, and more where workers on many processors fight
 * for that cache line.  Where the kernel refuses, things work as well.
 */
static void take_own_table(struct iob_worker *w)
{
	if (iob_engine_caps(w->engine, w->config.job) & IOB_ENGINE_OWN_TABLE)
		w->own_table = unshare(CLONE_FILES) == 0;
}

/* The engine is closed by the thread that opened it: an io_uring has a single issuer. */
static void *thread_main(void *arg)
{
	struct iob_worker *w = arg;

	pthread_setname_np(pthread_self(), "iob-worker");
	take_own_table(w);
	if (prepare(w, &w->error) < 0) {
		end(w);
		if (w->config.start)
			pthread_barrier_wait(w->config.start);
	} else {
		run(w);
	}
	if (w->opened)
		w->engine->close(w->state);
	w->opened = false;
	/* A joined thread may keep its table for a moment, and with it a device that the next stage
	 * wants for itself. */
	if (w->own_table)
		close_range(0, UINT_MAX, 0);
	return NULL;
}

int iob_worker_start(struct iob_worker *w, struct iob_error *err)
{
	sigset_t all, old;
	pthread_attr_t attr;

	set_state(w, IOB_WORKER_STARTING);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, IOB_WORKER_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int ret = pthread_create(&w->thread, &attr, thread_main, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (ret != 0)
		return iob_fail(err, -ret,
			"cannot make a thread: %m (limits are ulimit -u, pids.max of the control "
			"group and kernel.threads-max); raise the limit or lower numjobs");
	w->joinable = true;
	return 0;
}

void iob_worker_join(struct iob_worker *w)
{
	if (w->joinable)
		pthread_join(w->thread, NULL);
	w->joinable = false;
}

void iob_worker_free(struct iob_worker *w)
{
	if (!w)
		return;
	/* The kernel may still write into the buffers of requests that were given up. */
	if (w->in_flight == 0)
		iob_arena_free(&w->arena);
	if (w->locked)
		munmap(w->locked, (size_t)w->config.job->lockmem);
	iob_pattern_free(&w->pattern);
	free(w->state);
	free(w->acc);
	free(w->reqs);
	free(w->idle);
	free(w->batched);
	free(w->done);
	free(w->detail.again);
	free(w->detail.flying);
	free(w->priorities);
	iob_worker_log_free(&w->detail.log);
	free(w->regions);
	free(w);
}
