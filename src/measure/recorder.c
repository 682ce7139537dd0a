/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/ledger.h"

#define TICK_MS        20
/* More than a ring can hold, so that one drain empties what was there, and an end in case that
 * something writes faster than we read. */
#define MOST_PER_DRAIN (IOB_RING_BYTES / sizeof(struct iob_sample) * 2)

struct iob_recorder {
	struct iob_recorder_config config;
	char *root;
	pthread_t thread;
	bool started;
	struct iob_popped popped; /* the draining thread's */
	uint64_t next_drain_ns;   /* likewise */
	uint64_t next_boundary_ns;

	pthread_mutex_t lock; /* over all that follows */
	pthread_cond_t wake;
	bool stopping, stopped;
	uint64_t stopped_ns;
	struct iob_ledger ledger;
	struct iob_diskwatch disk;
};

int iob_recorder_new(
	struct iob_recorder **out, const struct iob_recorder_config *config, struct iob_error *err)
{
	struct iob_recorder *r = calloc(1, sizeof(*r));
	pthread_condattr_t attr;

	if (!r)
		return iob_fail(err, -ENOMEM, "start the recorder: %m");
	r->config = *config;
	if (r->config.drain_every_ms == 0)
		r->config.drain_every_ms = TICK_MS;
	r->root = strdup(config->root ? config->root : "");
	if (!r->root || iob_ledger_init(&r->ledger, config->nrings) < 0) {
		free(r->root);
		free(r);
		return iob_fail(err, -ENOMEM, "start the recorder: %m");
	}
	r->ledger.window.width = config->window;
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->wake, &attr);
	pthread_condattr_destroy(&attr);
	*out = r;
	return 0;
}

enum reading {
	READ_EXTRA,    /* in the middle of an interval */
	READ_BOUNDARY, /* the interval before now is complete */
	READ_FINAL,    /* nothing will come after it */
};

/* Under the lock. */
static void read_disk(struct iob_recorder *r, enum reading kind)
{
	struct iob_ledger_disk d = {.to_ns = iob_now_ns(), .complete = kind != READ_EXTRA};
	uint64_t t0_ns = r->ledger.t0_ns;

	if (r->stopped)
		return; /* the books are closed */
	bool have = iob_diskwatch_read(&r->disk, d.to_ns, &d.delta, &d.from_ns);
	if (kind == READ_BOUNDARY)
		iob_diskwatch_keep(&r->disk);
	if (!have)
		return;
	d.beside = r->disk.beside;
	d.k = t0_ns && d.to_ns > t0_ns ? (size_t)((d.to_ns - t0_ns) / IOB_INTERVAL_NS) : 0;
	if (kind == READ_BOUNDARY && d.k > 0)
		d.k--;
	iob_ledger_disk(&r->ledger, &d);
}

/* Take one sample of each ring in turn, so that the workers' intervals go forward together. */
static void drain(struct iob_recorder *r)
{
	bool more = true;

	for (size_t round = 0; more && round < MOST_PER_DRAIN; round++) {
		more = false;
		for (unsigned i = 0; i < r->config.nrings; i++) {
			if (!iob_ring_pop(&r->config.rings[i], &r->popped))
				continue;
			more = true;
			pthread_mutex_lock(&r->lock);
			iob_ledger_sample(&r->ledger, i, &r->popped, iob_now_ns());
			pthread_mutex_unlock(&r->lock);
		}
	}
}

static uint64_t origin(struct iob_recorder *r)
{
	pthread_mutex_lock(&r->lock);
	uint64_t t0_ns = r->ledger.t0_ns;
	pthread_mutex_unlock(&r->lock);
	return t0_ns;
}

/* First boundary of the grid after now. */
static uint64_t boundary_after(uint64_t t0_ns, uint64_t now_ns)
{
	if (now_ns < t0_ns)
		return t0_ns;
	return t0_ns + ((now_ns - t0_ns) / IOB_INTERVAL_NS + 1) * IOB_INTERVAL_NS;
}

static void turn(struct iob_recorder *r)
{
	uint64_t t0_ns = origin(r);
	uint64_t now_ns = iob_now_ns();
	bool boundary = t0_ns && r->next_boundary_ns && now_ns >= r->next_boundary_ns;

	if (t0_ns)
		r->next_boundary_ns = boundary_after(t0_ns, now_ns);
	/* First the disk: its counters are wanted as of the boundary. */
	pthread_mutex_lock(&r->lock);
	if (boundary || !iob_ledger_is_open(&r->ledger))
		read_disk(r, boundary ? READ_BOUNDARY : READ_EXTRA);
	iob_diskwatch_read_cpu(&r->disk, r->root, now_ns);
	pthread_mutex_unlock(&r->lock);
	if (t0_ns == 0)
		return;
	if (now_ns >= r->next_drain_ns) {
		drain(r);
		r->next_drain_ns = now_ns + r->config.drain_every_ms * IOB_NS_PER_MS;
	}
	pthread_mutex_lock(&r->lock);
	iob_ledger_advance(&r->ledger, iob_now_ns());
	pthread_mutex_unlock(&r->lock);
}

/* Wait for the next tick or boundary; false when it is time to end. */
static bool pause_until_next(struct iob_recorder *r)
{
	uint64_t now_ns = iob_now_ns();
	uint64_t until_ns = now_ns + TICK_MS * IOB_NS_PER_MS;
	int rc = 0;

	if (r->next_boundary_ns > now_ns && r->next_boundary_ns < until_ns)
		until_ns = r->next_boundary_ns;
	/* Our clock drifts against the kernel's by parts per million: only the difference counts.
	 */
	uint64_t kernel_ns = iob_monotonic_ns() + (until_ns - now_ns);
	struct timespec ts = {(time_t)(kernel_ns / IOB_NS_PER_S), (long)(kernel_ns % IOB_NS_PER_S)};
	pthread_mutex_lock(&r->lock);
	while (!r->stopping && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&r->wake, &r->lock, &ts);
	bool go_on = !r->stopping;
	pthread_mutex_unlock(&r->lock);
	return go_on;
}

static void *run(void *arg)
{
	struct iob_recorder *r = arg;

	do {
		if (r->config.tick)
			r->config.tick(r->config.arg);
		turn(r);
	} while (pause_until_next(r));
	return NULL;
}

int iob_recorder_start(struct iob_recorder *r, struct iob_error *err)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int rc = pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc)
		return iob_fail(err, -rc,
			"start the recorder's thread: %m (limits are ulimit -u, -d and -v, pids.max "
			"of the control group and kernel.threads-max)");
	r->started = true;
	return 0;
}

void iob_recorder_begin(struct iob_recorder *r, uint64_t t0_ns)
{
	pthread_mutex_lock(&r->lock);
	iob_ledger_begin(&r->ledger, t0_ns);
	iob_diskwatch_begin_cpu(&r->disk);
	pthread_mutex_unlock(&r->lock);
}

void iob_recorder_watch_disk(struct iob_recorder *r, const struct iob_diskline *line,
	const struct iob_diskwatch_point *before)
{
	pthread_mutex_lock(&r->lock);
	if (!line)
		iob_diskwatch_leave(&r->disk);
	else if (iob_diskwatch_open(&r->disk, r->root, line, iob_now_ns()) && before->ns)
		iob_diskwatch_begin_at(&r->disk, before);
	pthread_mutex_unlock(&r->lock);
}

int iob_recorder_segment(struct iob_recorder *r, uint32_t id, uint32_t stage,
	enum iob_segment_kind kind, uint64_t from_ns)
{
	pthread_mutex_lock(&r->lock);
	int rc = iob_ledger_segment(&r->ledger, id, stage, kind, from_ns);
	/* Read now, so that little time is left to be divided between the two segments. */
	read_disk(r, READ_EXTRA);
	pthread_mutex_unlock(&r->lock);
	return rc;
}

void iob_recorder_close_segment(struct iob_recorder *r, uint64_t to_ns)
{
	pthread_mutex_lock(&r->lock);
	bool open = iob_ledger_is_open(&r->ledger);
	iob_ledger_close_segment(&r->ledger, to_ns);
	if (open)
		read_disk(r, READ_EXTRA);
	pthread_mutex_unlock(&r->lock);
}

void iob_recorder_gap(struct iob_recorder *r, const struct iob_gap *gap)
{
	pthread_mutex_lock(&r->lock);
	iob_ledger_gap(&r->ledger, gap, iob_now_ns());
	pthread_mutex_unlock(&r->lock);
}

void iob_recorder_stop(struct iob_recorder *r)
{
	pthread_mutex_lock(&r->lock);
	bool first = !r->stopping;
	r->stopping = true;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
	if (!first)
		return;
	if (r->started)
		pthread_join(r->thread, NULL);
	/* The thread is gone: its part of the state is ours. */
	if (origin(r))
		drain(r);
	pthread_mutex_lock(&r->lock);
	read_disk(r, READ_FINAL);
	r->stopped_ns = iob_now_ns();
	if (r->ledger.t0_ns)
		iob_ledger_finish(&r->ledger, r->stopped_ns);
	r->stopped = true;
	pthread_mutex_unlock(&r->lock);
}

void iob_recorder_free(struct iob_recorder *r)
{
	if (!r)
		return;
	iob_recorder_stop(r);
	iob_ledger_free(&r->ledger);
	iob_diskwatch_close(&r->disk);
	pthread_cond_destroy(&r->wake);
	pthread_mutex_destroy(&r->lock);
	free(r->root);
	free(r);
}

/* Under the lock: time stands still once the recorder has stopped. */
static uint64_t time_of(const struct iob_recorder *r)
{
	return r->stopped ? r->stopped_ns : iob_now_ns();
}

void iob_recorder_view(struct iob_recorder *r, struct iob_recorder_view *v)
{
	memset(v, 0, sizeof(*v));
	pthread_mutex_lock(&r->lock);
	iob_ledger_view(&r->ledger, time_of(r), v);
	v->has_disk = r->disk.valid;
	v->disk_in_flight = r->disk.last.stat.in_flight;
	v->disk_paths = iob_diskwatch_paths(&r->disk);
	v->now.has_disk = iob_diskwatch_figures(&r->disk, &v->disk);
	v->now.disk = v->disk;
	v->host_cpu = iob_diskwatch_cpu(&r->disk);
	v->host_cpu_in_all = iob_diskwatch_cpu_in_all(&r->disk);
	pthread_mutex_unlock(&r->lock);
}

size_t iob_recorder_timeline(
	struct iob_recorder *r, size_t from, struct iob_interval *out, size_t n)
{
	pthread_mutex_lock(&r->lock);
	size_t have = r->ledger.timeline.count > from ? r->ledger.timeline.count - from : 0;
	if (n > have)
		n = have;
	if (n)
		memcpy(out, r->ledger.timeline.entry + from, n * sizeof(*out));
	pthread_mutex_unlock(&r->lock);
	return n;
}

void iob_recorder_recent(struct iob_recorder *r, size_t intervals, struct iob_segment_figures *out)
{
	pthread_mutex_lock(&r->lock);
	iob_ledger_recent(&r->ledger, intervals, out);
	pthread_mutex_unlock(&r->lock);
}

size_t iob_recorder_heat(struct iob_recorder *r, size_t from, struct iob_heat *out, size_t n)
{
	pthread_mutex_lock(&r->lock);
	n = iob_ledger_heat(&r->ledger, from, out, n);
	pthread_mutex_unlock(&r->lock);
	return n;
}

void iob_recorder_workers(struct iob_recorder *r, struct iob_worker_view *out, unsigned n)
{
	pthread_mutex_lock(&r->lock);
	iob_ledger_workers(&r->ledger, out, n);
	pthread_mutex_unlock(&r->lock);
}

void iob_recorder_expect(struct iob_recorder *r, unsigned workers)
{
	pthread_mutex_lock(&r->lock);
	r->ledger.expected = workers;
	pthread_mutex_unlock(&r->lock);
}

bool iob_recorder_segment_figures(
	struct iob_recorder *r, uint32_t id, struct iob_segment_figures *out)
{
	pthread_mutex_lock(&r->lock);
	bool found = id < r->ledger.announced;
	if (found)
		iob_ledger_segment_figures(&r->ledger, id, time_of(r), out);
	pthread_mutex_unlock(&r->lock);
	return found;
}

bool iob_recorder_segment_hist(
	struct iob_recorder *r, uint32_t id, enum iob_dir d, struct iob_hist *out)
{
	memset(out, 0, sizeof(*out));
	pthread_mutex_lock(&r->lock);
	bool found = id < r->ledger.announced;
	if (found && r->ledger.segment[id].hist[d])
		*out = *r->ledger.segment[id].hist[d];
	pthread_mutex_unlock(&r->lock);
	return found;
}

void iob_recorder_totals(struct iob_recorder *r, int stage, struct iob_segment_figures *out,
	struct iob_hist *hist, struct iob_diskstat *disk)
{
	pthread_mutex_lock(&r->lock);
	iob_ledger_totals(&r->ledger, stage, time_of(r), out, hist, disk);
	pthread_mutex_unlock(&r->lock);
}
