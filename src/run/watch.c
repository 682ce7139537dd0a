/* SPDX-License-Identifier: MIT */
/* What the recorder's thread does for the run: carry events over, and notice when the load process
 * is gone or stuck. */
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "run/private.h"

/* Opening, syncing and closing may take their time, in which nothing is heard; nobody waits for
 * ever.  In times of the grace time. */
#define SILENCE_GRACES 6
/* A process that goes on gives one more often. */
#define SIGN_WITHIN_NS (IOB_NS_PER_S / 2)
/* We look fifty times a second; who looks so late did not run, and maybe nobody did. */
#define AWAY_NS        (IOB_NS_PER_S / 4)
/* The kernel counts ticks for the limit, and tells the time that was really used. */
#define LIMIT_REACHED  0.7

unsigned iob_run_stage(const struct iob_run *run)
{
	unsigned stage = atomic_load(&run->shared->stage);

	return stage < IOB_MAX_STAGES ? stage : 0;
}

bool iob_run_knows_target(const struct iob_run *run)
{
	const struct iob_shared *sh = run->shared;

	return atomic_load_explicit(&sh->target_known, memory_order_acquire) ==
	       atomic_load(&sh->stage) + 1;
}

static void take_event(struct iob_run *run, const struct iob_event *e)
{
	if (e->type == IOB_EVENT_END) {
		iob_recorder_close_segment(run->recorder, e->at_ns);
		run->stage_open = false;
		run->last_event_ns = e->at_ns;
		return;
	}
	if (e->id >= IOB_MAX_EVENTS)
		return;
	run->params[e->id] = (struct iob_segment_params){
		.stage = e->stage,
		.kind = (enum iob_segment_kind)e->kind,
		.live = e->live,
	};
	run->nsegments = e->id + 1;
	run->stage_open = true;
	run->last_event_ns = e->at_ns;
	iob_recorder_segment(
		run->recorder, e->id, e->stage, (enum iob_segment_kind)e->kind, e->at_ns);
}

static void take_gaps(struct iob_run *run)
{
	const struct iob_gap_list *gaps = &run->shared->steer.gaps;
	uint32_t n = atomic_load_explicit(&gaps->count, memory_order_acquire);

	while (run->gaps_seen < n && run->gaps_seen < IOB_MAX_GAPS)
		iob_recorder_gap(run->recorder, &gaps->item[run->gaps_seen++]);
}

/* Each stage may have another target. */
static void watch_disk(struct iob_run *run)
{
	const struct iob_shared *sh = run->shared;
	struct iob_diskline line;

	run->disk_watched = iob_run_stage(run) + 1;
	iob_shared_diskline(&sh->target, &line);
	iob_recorder_watch_disk(
		run->recorder, sh->target.has_disk ? &line : NULL, &sh->disk_before);
}

static void take_news(struct iob_run *run)
{
	struct iob_shared *sh = run->shared;
	uint64_t t0 = atomic_load(&sh->steer.t0_ns);
	unsigned workers = atomic_load(&sh->workers);

	if (workers)
		iob_recorder_expect(run->recorder, workers);
	if (!run->begun && t0) {
		run->begun = true;
		iob_recorder_begin(run->recorder, t0);
	}
	if (run->disk_watched != iob_run_stage(run) + 1 && iob_run_knows_target(run))
		watch_disk(run);
	take_gaps(run);
	uint32_t n = atomic_load_explicit(&sh->nevents, memory_order_acquire);
	while (run->events_seen < n && run->events_seen < IOB_MAX_EVENTS)
		take_event(run, &sh->event[run->events_seen++]);
}

static void conclude(struct iob_run *run, enum iob_outcome outcome)
{
	run->outcome = outcome;
	run->over = true;
	pthread_cond_broadcast(&run->changed);
}

/* The time up to which figures of a run that was cut off count: not the time spent waiting for it.
 */
static uint64_t cut_off_at(const struct iob_run *run, uint64_t now)
{
	uint64_t deadline = atomic_load(&run->shared->steer.stop_at_ns);
	uint64_t at = now;

	if (run->stop_requested && run->stop_ns < at)
		at = run->stop_ns;
	if (deadline < at)
		at = deadline;
	return at > run->last_event_ns ? at : run->last_event_ns;
}

void iob_run_give_up(struct iob_run *run, enum iob_outcome outcome, uint64_t now)
{
	if (run->over)
		return;
	uint64_t beat = atomic_load(&run->shared->heartbeat_ns);
	if (now > beat + SIGN_WITHIN_NS && run->begun) {
		/* Whatever holds it up: the device cannot, while requests are out. */
		struct iob_gap gap = {.from_ns = beat, .to_ns = now};

		iob_recorder_gap(run->recorder, &gap);
	}
	if (run->stage_open)
		iob_recorder_close_segment(run->recorder, cut_off_at(run, now));
	run->stage_open = false;
	run->unfinished = iob_shared_in_flight(run->shared);
	if (run->pid > 0)
		kill(run->pid, SIGKILL); /* not waited for: it may never die */
	conclude(run, outcome);
}

static double seconds_since_start(const struct iob_run *run, uint64_t now)
{
	uint64_t t0 = atomic_load(&run->shared->steer.t0_ns);

	return (double)(now - (t0 && t0 < now ? t0 : run->started_ns)) / 1e9;
}

/* In words, of what is likely. */
static const char *who_kills(const struct iob_run *run, int sig)
{
	double used = run->usage.user_s + run->usage.system_s;
	struct rlimit cpu;

	if (sig != SIGKILL && sig != SIGXCPU)
		return "";
	if (getrlimit(RLIMIT_CPU, &cpu) == 0 && cpu.rlim_cur != RLIM_INFINITY &&
		used >= LIMIT_REACHED * (double)cpu.rlim_cur)
		return "; its CPU time is limited, see `ulimit -t`";
	return sig == SIGKILL ? ", perhaps out of memory" : "";
}

static void child_died(struct iob_run *run, int status, uint64_t now)
{
	double after = seconds_since_start(run, now);
	uint64_t open = iob_shared_in_flight(run->shared);

	if (WIFSIGNALED(status)) {
		int sig = WTERMSIG(status);

		iob_fail(&run->error, -ECHILD,
			"the load process was killed by signal %d (%s%s) after %.1f s with %llu I/Os in "
			"flight; the figures up to then are kept",
			sig, sigdescr_np(sig) ? sigdescr_np(sig) : "unknown", who_kills(run, sig),
			after, (unsigned long long)open);
	} else {
		iob_fail(&run->error, -ECHILD,
			"the load process ended unexpectedly with status %d after %.1f s",
			WEXITSTATUS(status), after);
	}
	iob_run_give_up(run, IOB_OUTCOME_LOST, now);
}

static void finished(struct iob_run *run)
{
	run->error = run->shared->error;
	run->asked = run->shared->asked;
	run->unfinished = iob_shared_in_flight(run->shared);
	iob_run_note_gone_disk(run);
	if (run->error.code)
		conclude(run, IOB_OUTCOME_FAILED);
	else
		conclude(run, run->stop_requested ? IOB_OUTCOME_STOPPED : IOB_OUTCOME_COMPLETE);
	iob_run_fail_by_requests(run);
}

/* In a sync, of which its process cannot tell the progress: at the end, or of a file that was just
 * laid out. */
static bool is_syncing(const struct iob_run *run)
{
	const struct iob_shared *sh = run->shared;
	uint32_t phase = atomic_load_explicit(&sh->phase, memory_order_acquire);
	uint64_t total = atomic_load(&sh->layout.total);

	return phase == IOB_PHASE_FLUSH ||
	       (phase == IOB_PHASE_STARTING && total > 0 && atomic_load(&sh->layout.done) >= total);
}

/* A memory full of dirty pages takes a slow disk minutes: as long as it gets less, or the disk
 * completes writes, that is no reason to leave. */
static bool sync_goes_on(struct iob_run *run)
{
	struct iob_recorder_view view;

	iob_recorder_view(run->recorder, &view);
	return iob_writeback_goes_on(&run->writeback, "") || (view.has_disk && view.disk.w_s > 0);
}

static void look_for_life(struct iob_run *run, uint64_t now)
{
	struct iob_shared *sh = run->shared;
	uint64_t beat = atomic_load(&sh->heartbeat_ns);
	uint64_t laid_out = atomic_load(&sh->layout.done);

	if (beat > run->life_ns)
		run->life_ns = beat;
	if (is_syncing(run) && now > run->sync_looked_ns + IOB_NS_PER_S) {
		run->sync_looked_ns = now;
		if (sync_goes_on(run))
			run->life_ns = now;
	}
	if (laid_out != run->layout_seen) {
		run->layout_seen = laid_out;
		run->life_ns = now;
	}
}

/* Since when I/O is to be over; 0 = it need not be yet. */
static uint64_t due_since(const struct iob_run *run, uint64_t now)
{
	const struct iob_shared *sh = run->shared;
	uint64_t deadline = atomic_load(&sh->steer.stop_at_ns);
	uint32_t phase = atomic_load_explicit(&sh->phase, memory_order_acquire);
	uint64_t since = 0;

	if (run->stop_requested)
		since = run->stop_ns;
	if (phase < IOB_PHASE_FLUSH && deadline != UINT64_MAX && run->stage_open &&
		now > deadline && (!since || deadline < since))
		since = deadline;
	return since;
}

/* What the load process was last known to be at. */
static const char *where_stuck(const struct iob_run *run)
{
	uint32_t phase = atomic_load_explicit(&run->shared->phase, memory_order_acquire);

	if (phase == IOB_PHASE_FLUSH)
		return "in the sync or close at the end: what was written may not be on the device";
	if (is_syncing(run))
		return "in the sync of the file that was laid out";
	if (phase == IOB_PHASE_STARTING && atomic_load(&run->shared->layout.total) > 0)
		return "while laying out the file";
	if (phase == IOB_PHASE_STARTING)
		return "while opening the target";
	return "stopped, or stuck in a call on the target";
}

static void explain_leaving(struct iob_run *run, uint64_t now)
{
	unsigned long long open = iob_shared_in_flight(run->shared);

	if (run->leave_at_once)
		iob_fail(&run->error, -EINTR, "left at once; %llu I/Os were still in flight", open);
	else if (now > run->life_ns + SIGN_WITHIN_NS && !run->begun)
		iob_fail(&run->error, -ETIMEDOUT,
			"the load process has given no sign of life for %.1f s (%s); nothing was measured",
			(double)(now - run->life_ns) / 1e9, where_stuck(run));
	else if (now > run->life_ns + SIGN_WITHIN_NS)
		iob_fail(&run->error, -ETIMEDOUT,
			"the load process has given no sign of life for %.1f s (%s); %llu I/Os "
			"never came back; the figures up to then are kept",
			(double)(now - run->life_ns) / 1e9, where_stuck(run), open);
	else
		iob_fail(&run->error, -ETIMEDOUT,
			"%llu I/Os did not come back within %.3g s; the device stays busy with "
			"them (--grace=SECONDS waits longer)",
			open, (double)run->grace_ns / 1e9);
}

static void check_patience(struct iob_run *run, uint64_t now)
{
	uint64_t since = due_since(run, now);
	bool silent = now > run->life_ns + SILENCE_GRACES * run->grace_ns;
	bool overdue = since && now > since + run->lost_ns + run->grace_ns;

	if (!overdue && !silent && !run->leave_at_once)
		return;
	explain_leaving(run, now);
	iob_run_give_up(run, IOB_OUTCOME_ABANDONED, now);
}

/* We were stopped or frozen, and the load process perhaps with us: that was no time of waiting.
 * What was waited before it counts, or who is late again and again would wait for ever. */
static void look_at_ourselves(struct iob_run *run, uint64_t now)
{
	uint64_t since = due_since(run, now), looked = run->looked_ns;

	run->looked_ns = now;
	if (since == 0)
		run->lost_ns = 0;
	if (looked == 0 || now <= looked + AWAY_NS)
		return;
	run->life_ns += now - looked;
	if (since)
		run->lost_ns += now - (looked > since ? looked : since);
}

void iob_run_watch(void *arg)
{
	struct iob_run *run = arg;
	int status;

	pthread_mutex_lock(&run->lock);
	iob_clock_look();
	uint64_t now = iob_now_ns();
	if (!run->over) {
		look_at_ourselves(run, now);
		look_for_life(run, now);
		/* Order: a process that is seen dead here said its last words before. */
		bool died = iob_run_reap(run, &status);
		bool last = atomic_load_explicit(&run->shared->finished, memory_order_acquire) != 0;

		take_news(run);
		if (last)
			finished(run);
		else if (died)
			child_died(run, status, now);
		else
			check_patience(run, now);
	}
	pthread_mutex_unlock(&run->lock);
}
