/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "run/private.h"

#define DEFAULT_GRACE_NS (10 * IOB_NS_PER_S)

static void init_lock(struct iob_run *run)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&run->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&run->changed, &attr);
	pthread_condattr_destroy(&attr);
}

static int set_up(struct iob_run *run, const struct iob_plan *plan,
	const struct iob_run_config *config, struct iob_error *err)
{
	IOB_FD int fd = -1;

	run->params = calloc(IOB_MAX_EVENTS, sizeof(*run->params));
	if (!run->params)
		return iob_fail(err, -ENOMEM, "starting a run: %m");
	int rc = iob_shared_create(&run->shared, &fd, plan, err);
	if (rc < 0)
		return rc;
	if (plan->detail && (plan->log.transfers || plan->log.hist_ns)) {
		run->log_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (run->log_fd < 0)
			return iob_fail(err, -errno, "memory for I/O logs: %m");
	}
	struct iob_recorder_config rec = {
		.rings = iob_shared_rings(run->shared),
		.nrings = run->shared->nslots,
		.window = config->window,
		.tick = iob_run_watch,
		.arg = run,
		.root = "",
	};
	rc = iob_recorder_new(&run->recorder, &rec, err);
	if (rc < 0)
		return rc;
	run->started_ns = run->life_ns = iob_now_ns();
	rc = iob_run_spawn(run, config->program, fd, err);
	if (rc < 0)
		return rc;
	/* While the process loads its program. */
	iob_clock_init();
	iob_clock_look(); /* since the run before the machine may have slept */
	run->shared->clock = iob_clock_scale;
	if (!config->wait_turn)
		iob_gate_open(run->shared, config->hold ? IOB_GATE_PREPARED : IOB_GATE_LEAVE);
	return iob_recorder_start(run->recorder, err);
}

int iob_run_start(struct iob_run **out, const struct iob_plan *plan,
	const struct iob_run_config *config, struct iob_error *err)
{
	struct iob_run *run = calloc(1, sizeof(*run));

	if (!run)
		return iob_fail(err, -ENOMEM, "starting a run: %m");
	init_lock(run);
	run->log_fd = -1;
	run->sweep = plan->sweep;
	run->grace_ns = config->grace_ns ? config->grace_ns : DEFAULT_GRACE_NS;
	int rc = set_up(run, plan, config, err);
	if (rc < 0) {
		iob_run_free(run);
		return rc;
	}
	*out = run;
	return 0;
}

const struct iob_plan *iob_run_plan(const struct iob_run *run)
{
	return &run->shared->plan;
}

void iob_run_note_sweep(struct iob_run *run, const struct iob_sweep *sweep)
{
	run->sweep = *sweep;
}

const struct iob_sweep *iob_run_sweep(const struct iob_run *run)
{
	return &run->sweep;
}

void iob_run_note_marks(struct iob_run *run, const struct iob_marks *marks)
{
	run->marks = *marks;
}

const struct iob_marks *iob_run_marks(const struct iob_run *run)
{
	return &run->marks;
}

struct iob_recorder *iob_run_recorder(struct iob_run *run)
{
	return run->recorder;
}

/* A process that has said its last word leaves within moments; one that was killed in a hung call
 * may not.  Locked. */
static void wait_for_exit(struct iob_run *run)
{
	int status;

	for (int i = 0; i < 100 && run->pid > 0 && !iob_run_reap(run, &status); i++)
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
}

/* Once nothing more will come: one last drain, then the figures are final. */
static void finish(struct iob_run *run)
{
	pthread_mutex_lock(&run->lock);
	bool ready = run->over && !run->done;
	pthread_mutex_unlock(&run->lock);
	if (!ready)
		return;
	iob_recorder_stop(run->recorder);
	pthread_mutex_lock(&run->lock);
	if (atomic_load(&run->shared->gate) >= IOB_GATE_LEAVE)
		wait_for_exit(run);
	run->done = true;
	pthread_mutex_unlock(&run->lock);
}

bool iob_run_wait(struct iob_run *run, int timeout_ms)
{
	uint64_t until = timeout_ms < 0 ? UINT64_MAX
					: iob_monotonic_ns() + (uint64_t)timeout_ms * IOB_NS_PER_MS;
	struct timespec ts = {(time_t)(until / IOB_NS_PER_S), (long)(until % IOB_NS_PER_S)};
	int rc = 0;

	pthread_mutex_lock(&run->lock);
	while (!run->over && rc == 0)
		rc = timeout_ms < 0 ? pthread_cond_wait(&run->changed, &run->lock)
				    : pthread_cond_timedwait(&run->changed, &run->lock, &ts);
	bool over = run->over;
	pthread_mutex_unlock(&run->lock);
	if (over)
		finish(run);
	return over;
}

void iob_run_stop(struct iob_run *run)
{
	pthread_mutex_lock(&run->lock);
	if (run->stop_requested) {
		run->leave_at_once = true;
	} else {
		run->stop_requested = true;
		run->stop_ns = iob_now_ns();
		atomic_store(&run->shared->stop, 1);
		iob_gate_open(run->shared, IOB_GATE_START);
	}
	pthread_mutex_unlock(&run->lock);
}

/* The load process reads it once the next gate is open. */
static void tell_family(struct iob_shared *sh, const struct iob_run_family *family)
{
	sh->plan.ncreated = family->ncreated;
	memcpy(sh->plan.created, family->created, family->ncreated * sizeof(family->created[0]));
	iob_kin_set(&sh->kin_before, &family->kin);
}

void iob_run_survey(struct iob_run *run, const struct iob_run_family *family)
{
	tell_family(run->shared, family);
	iob_gate_open(run->shared, IOB_GATE_SURVEY);
}

bool iob_run_is_surveyed(struct iob_run *run, int timeout_ms)
{
	return iob_gate_is_reached(run->shared, IOB_GATE_SURVEYED, timeout_ms);
}

void iob_run_join_survey(struct iob_run *run, struct iob_kin *kin)
{
	if (iob_run_is_surveyed(run, 0))
		iob_kin_add_promises(kin, &run->shared->kin);
}

void iob_run_prepare(struct iob_run *run, const struct iob_run_family *family)
{
	tell_family(run->shared, family);
	iob_gate_open(run->shared, IOB_GATE_PREPARED);
}

static bool is_over(struct iob_run *run)
{
	pthread_mutex_lock(&run->lock);
	bool over = run->over;
	pthread_mutex_unlock(&run->lock);
	return over;
}

static void join_file(struct iob_run_family *family, const struct iob_plan_report *file)
{
	for (unsigned i = 0; i < family->ncreated; i++)
		if (family->created[i].dev == file->dev && family->created[i].ino == file->ino)
			return;
	if (family->ncreated < IOB_MAX_CREATED)
		family->created[family->ncreated++] = *file;
}

void iob_run_join(struct iob_run *run, struct iob_run_family *family)
{
	struct iob_shared *sh = run->shared;

	if (!iob_gate_is_reached(sh, IOB_GATE_PREPARED, 0))
		return;
	for (unsigned i = 0; i < sh->ncreated && i < IOB_MAX_CREATED; i++)
		join_file(family, &sh->created[i]);
	iob_kin_add_devices(&family->kin, &sh->kin);
	if (!is_over(run))
		iob_kin_add_promises(&family->kin, &sh->kin);
}

const struct iob_kin *iob_run_kin_at_end(struct iob_run *run)
{
	return atomic_load(&run->shared->finished) ? &run->shared->kin_at_end : NULL;
}

bool iob_run_is_prepared(struct iob_run *run, int timeout_ms)
{
	return iob_gate_is_reached(run->shared, IOB_GATE_PREPARED, timeout_ms);
}

bool iob_run_is_ready(struct iob_run *run)
{
	return iob_gate_is_reached(run->shared, IOB_GATE_START, 0);
}

void iob_run_release(struct iob_run *run)
{
	iob_gate_open(run->shared, IOB_GATE_START);
}

void iob_run_let_leave(struct iob_run *run)
{
	iob_gate_open(run->shared, IOB_GATE_LEAVE);
}

void iob_run_wait_left(struct iob_run *run)
{
	pthread_mutex_lock(&run->lock);
	wait_for_exit(run);
	pthread_mutex_unlock(&run->lock);
}

size_t iob_run_timeline(struct iob_run *run, size_t from, struct iob_interval *out, size_t n)
{
	return iob_recorder_timeline(run->recorder, from, out, n);
}

size_t iob_run_heat(struct iob_run *run, size_t from, struct iob_heat *out, size_t n)
{
	return iob_recorder_heat(run->recorder, from, out, n);
}

void iob_run_recent(struct iob_run *run, size_t intervals, struct iob_segment_figures *out)
{
	iob_recorder_recent(run->recorder, intervals, out);
}

unsigned iob_run_workers(struct iob_run *run, struct iob_run_worker *out, unsigned n)
{
	unsigned have = atomic_load(&run->shared->workers);
	unsigned count = have < n ? have : n;
	IOB_FREE struct iob_worker_view *view = calloc(count ? count : 1, sizeof(*view));

	if (!view)
		return 0;
	iob_recorder_workers(run->recorder, view, count);
	for (unsigned i = 0; i < count; i++) {
		out[i].view = view[i];
		out[i].in_flight = iob_slot_in_flight(&run->shared->slot[i]);
	}
	return have;
}

const struct iob_detail_priorities *iob_run_priorities(struct iob_run *run, unsigned worker)
{
	return iob_shared_priorities(run->shared, worker);
}

bool iob_run_detail(struct iob_run *run, unsigned worker, struct iob_detail *out)
{
	const struct iob_detail *detail = iob_shared_detail(run->shared, worker);

	if (detail)
		*out = *detail;
	return detail != NULL;
}

int iob_run_log_fd(const struct iob_run *run)
{
	return run->log_fd;
}

bool iob_run_segment(struct iob_run *run, uint32_t id, struct iob_segment_figures *figures,
	struct iob_segment_params *params)
{
	pthread_mutex_lock(&run->lock);
	bool known = id < run->nsegments;
	if (known)
		*params = run->params[id];
	pthread_mutex_unlock(&run->lock);
	return known && iob_recorder_segment_figures(run->recorder, id, figures);
}

void iob_run_error(struct iob_run *run, struct iob_error *err)
{
	pthread_mutex_lock(&run->lock);
	*err = run->error;
	pthread_mutex_unlock(&run->lock);
}

uint64_t iob_run_unfinished(struct iob_run *run)
{
	pthread_mutex_lock(&run->lock);
	uint64_t n = run->unfinished;
	pthread_mutex_unlock(&run->lock);
	return n;
}

void iob_run_usage(struct iob_run *run, struct iob_run_usage *usage)
{
	pthread_mutex_lock(&run->lock);
	*usage = run->usage;
	pthread_mutex_unlock(&run->lock);
}

void iob_run_free(struct iob_run *run)
{
	if (!run)
		return;
	/* The recorder's thread may be reaping it. */
	pthread_mutex_lock(&run->lock);
	if (run->pid > 0)
		kill(run->pid, SIGKILL);
	pthread_mutex_unlock(&run->lock);
	if (run->recorder) {
		iob_recorder_stop(run->recorder);
		iob_recorder_free(run->recorder);
	}
	wait_for_exit(run);
	pthread_cond_destroy(&run->changed);
	pthread_mutex_destroy(&run->lock);
	iob_shared_unmap(run->shared);
	if (run->log_fd >= 0)
		close(run->log_fd);
	free(run->params);
	free(run);
}
