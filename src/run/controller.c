/* SPDX-License-Identifier: MIT */
/*
 * The controller: main thread of the load process while workers run.  It alone publishes parameter
 * sets (generations) and announces segments; the front only asks.  The number of a generation is
 * the id of its segment, so each generation that was published is announced, in order.
 */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/budget.h"
#include "run/snapshot.h"
#include "run/stage.h"

#define TICK_NS (5 * IOB_NS_PER_MS)

struct controller {
	struct iob_stage *stage;
	struct iob_shared *shared;
	struct iob_live live;     /* in force, or on its way */
	struct iob_live previous; /* to go back to when a set is refused */
	enum iob_segment_kind kind;
	uint32_t awaited;      /* generation on its way, if waiting */
	uint64_t published_ns; /* when it went out */
	bool waiting;
	bool growing;     /* workers for `request` are being made */
	uint32_t request; /* number of the front's request that it stands for, 0 = ours */
	uint64_t ramp_end_ns, deadline_ns; /* moved on by pauses; UINT64_MAX = none */
	uint64_t paused_since_ns;          /* 0 = running */
	struct iob_gap_watch watch;
	bool stopping;
};

static void announce(struct iob_shared *sh, const struct iob_event *event)
{
	uint32_t n = atomic_load_explicit(&sh->nevents, memory_order_relaxed);

	if (n >= IOB_MAX_EVENTS)
		return;
	sh->event[n] = *event;
	/* The front reads the event after it has seen the count. */
	atomic_store_explicit(&sh->nevents, n + 1, memory_order_release);
}

static void announce_segment(
	struct controller *c, uint32_t generation, const struct iob_live *live, uint64_t at_ns)
{
	struct iob_event e = {
		.type = IOB_EVENT_SEGMENT,
		.id = generation,
		.stage = c->stage->number,
		.kind = (uint32_t)c->kind,
		.at_ns = at_ns,
		.live = *live,
	};

	announce(c->shared, &e);
}

static void wake_idle(struct iob_steer *steer)
{
	syscall(SYS_futex, &steer->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Make the parameter set visible to the workers. */
static void publish(struct controller *c, uint64_t now)
{
	struct iob_steer *steer = &c->shared->steer;
	uint32_t generation = atomic_load_explicit(&steer->generation, memory_order_relaxed) + 1;

	steer->live = c->live;
	/* Workers copy `live` after they have seen the new number. */
	atomic_store_explicit(&steer->generation, generation, memory_order_release);
	wake_idle(steer);
	c->awaited = generation;
	c->published_ns = now;
	c->waiting = true;
}

static enum iob_segment_kind kind_now(const struct controller *c, uint64_t now)
{
	if (c->live.paused)
		return IOB_SEGMENT_PAUSED;
	return now < c->ramp_end_ns ? IOB_SEGMENT_RAMP : IOB_SEGMENT_LOAD;
}

static void set_stop_at(struct controller *c)
{
	uint64_t at = c->paused_since_ns ? UINT64_MAX : c->deadline_ns;

	atomic_store(&c->shared->steer.stop_at_ns, at);
	atomic_store(&c->shared->measure_from_ns, c->ramp_end_ns);
}

/* A pause stops the clock of ramp and run time: both ends move on by its length, also that of a
 * ramp which is over, since the elapsed time is counted from there. */
static void keep_pause(struct controller *c, uint64_t now)
{
	if (c->live.paused && !c->paused_since_ns) {
		c->paused_since_ns = now;
	} else if (!c->live.paused && c->paused_since_ns) {
		uint64_t pause = now - c->paused_since_ns;

		c->ramp_end_ns += pause;
		if (c->deadline_ns != UINT64_MAX)
			c->deadline_ns += pause;
		c->paused_since_ns = 0;
	}
	set_stop_at(c);
}

/* Nobody reads the parts now: all have acknowledged.  They were divided like this before, or it has
 * been tried. */
static void change(
	struct controller *c, const struct iob_live *live, uint32_t request, uint64_t now)
{
	if (live->numjobs && live->numjobs != c->stage->shared_by)
		iob_crew_share_out(c->stage, (unsigned)live->numjobs, NULL);
	c->previous = c->live;
	c->live = *live;
	keep_pause(c, now);
	c->kind = kind_now(c, now);
	c->request = request;
	publish(c, now);
}

static int refused_by(const struct controller *c)
{
	for (unsigned i = 0; i < c->stage->nworkers; i++) {
		uint32_t code = atomic_load(&c->shared->slot[i].adopt_error);

		if (code)
			return -(int)code;
	}
	return 0;
}

static enum iob_phase phase_of(const struct controller *c)
{
	if (c->live.paused)
		return IOB_PHASE_PAUSED;
	return c->kind == IOB_SEGMENT_RAMP ? IOB_PHASE_RAMP : IOB_PHASE_RUNNING;
}

static void answer(struct controller *c, const struct iob_error *err)
{
	if (!c->request)
		return;
	c->shared->request_error = *err;
	atomic_store_explicit(&c->shared->request_done, c->request, memory_order_release);
	c->request = 0;
}

/* A request that was made for a stage which is over, or that came too late for this one, must not
 * reach the next: it was checked against another target and other workers. */
static void refuse_leftover(struct controller *c)
{
	struct iob_error err = {0};

	c->request = atomic_load_explicit(&c->shared->request_number, memory_order_acquire);
	if (c->request == atomic_load_explicit(&c->shared->request_done, memory_order_relaxed))
		return;
	iob_fail(&err, -ECANCELED, "the stage ended before the change could be made");
	answer(c, &err);
}

/* Some worker could not take the set over: its segment has the old parameters, and so has the next,
 * for the workers that could. */
static void go_back(struct controller *c, int rc, uint64_t at_ns, uint64_t now)
{
	struct iob_live old = c->previous;
	struct iob_error err = {0};

	/* A pause is taken over in any case. */
	old.paused = c->live.paused;
	announce_segment(c, c->awaited, &old, at_ns);
	for (unsigned i = 0; i < c->stage->nworkers; i++)
		atomic_store(&c->shared->slot[i].adopt_error, 0);
	if (rc == -ERANGE)
		iob_fail(&err, rc,
			"a block is larger than a worker's part of the target; the old sizes stay");
	else
		iob_fail(&err, rc,
			"no memory for this depth and block size (%m); the old ones stay");
	answer(c, &err);
	old.paused = c->previous.paused;
	change(c, &old, 0, now);
}

/* Everybody has answered for the set that was on its way: the segment begins. */
static void settle(struct controller *c, uint64_t now)
{
	bool alive;
	struct iob_error none = {0};

	if (!c->waiting || !iob_crew_has_adopted(c->stage, c->awaited, &alive))
		return;
	/* Where nobody lived to see it the segment is empty. */
	uint64_t at_ns = alive ? c->published_ns : iob_crew_ended_ns(c->stage);
	c->waiting = false;
	int rc = refused_by(c);
	if (rc < 0) {
		go_back(c, rc, at_ns, now);
		return;
	}
	announce_segment(c, c->awaited, &c->live, at_ns);
	answer(c, &none);
	if (!c->stopping)
		iob_stage_set_phase(c->shared, phase_of(c));
}

/* Buffers are made anew when they grow, by all workers at the same time. */
static int check_memory(
	const struct controller *c, const struct iob_live *live, struct iob_error *err)
{
	const struct iob_stage *st = c->stage;
	bool grows = live->iodepth > c->live.iodepth || live->numjobs > c->live.numjobs;

	for (int d = 0; d < IOB_NDIR; d++)
		grows |= live->bs[d].max > c->live.bs[d].max;
	return grows ? iob_budget_check_live(st->job, st->engine, live, err) : 0;
}

/* More workers than there are: these are made first, and the change waits for them. */
static void grow(struct controller *c, const struct iob_live *live, struct iob_error *err)
{
	struct iob_stage *st = c->stage;
	unsigned n = (unsigned)live->numjobs;

	c->growing = false;
	if (n == st->shared_by)
		return;
	if (n > st->room) {
		iob_fail_usage(err, "numjobs=%u: this run has room for at most %u", n, st->room);
		return;
	}
	unsigned before = st->shared_by;
	if (iob_crew_share_out(st, n, err) == 0)
		c->growing = iob_crew_grow(st, n, err) == 1;
	/* Until all are there the parts are those in force. */
	if (c->growing || err->code)
		iob_crew_share_out(st, before, NULL);
}

/* When we are to be here again; 0 = nobody can tell.  Workers find it moved on only after the gap
 * is in the list, so that those who wake up together with us see one or the other. */
static void promise(struct controller *c, uint64_t due_ns)
{
	c->watch.due_ns = due_ns;
	atomic_store_explicit(&c->shared->steer.due_ns, due_ns, memory_order_release);
}

static void look_at_request(struct controller *c, uint64_t now)
{
	struct iob_shared *sh = c->shared;
	uint32_t number = atomic_load_explicit(&sh->request_number, memory_order_acquire);

	if (number == atomic_load_explicit(&sh->request_done, memory_order_relaxed) || c->waiting)
		return;
	struct iob_live live = sh->request;
	c->request = number;
	struct iob_error err = {0};
	/* Workers that are made open their engines, which takes its time. */
	promise(c, 0);
	if (c->growing)
		grow(c, &live, &err);
	else if (atomic_load(&sh->nevents) + IOB_EVENTS_RESERVE > IOB_MAX_EVENTS)
		iob_fail(&err, -ENOSPC, "this run has too many segments already; start a new one");
	else if (check_memory(c, &live, &err) == 0)
		grow(c, &live, &err);
	if (c->growing)
		return;
	if (err.code)
		answer(c, &err);
	else
		change(c, &live, number, now);
}

static void stop_if_told(struct controller *c, uint64_t now)
{
	struct iob_error err;
	bool told = atomic_load(&c->shared->stop) != 0;
	bool over = !c->paused_since_ns && now >= c->deadline_ns;

	if (c->stopping || !(told || over || iob_crew_error(c->stage, &err) < 0))
		return;
	c->stopping = true;
	atomic_store(&c->shared->steer.stop, 1);
	wake_idle(&c->shared->steer);
	iob_stage_set_phase(c->shared, IOB_PHASE_DRAINING);
}

static void mind_gap(struct controller *c, uint64_t now)
{
	struct iob_gap gap;

	if (iob_gap_look(&c->watch, now, iob_asleep_ns(), &gap))
		iob_gap_list_add(&c->shared->steer.gaps, &gap);
	promise(c, now + TICK_NS);
}

static void sleep_a_tick(struct controller *c)
{
	mind_gap(c, iob_now_ns());
	iob_sleep_until(c->watch.due_ns);
}

static void begin(struct controller *c)
{
	struct iob_shared *sh = c->shared;
	const struct iob_job *job = c->stage->job;
	uint64_t now = iob_now_ns();

	iob_live_from_job(&c->live, job);
	c->previous = c->live;
	c->ramp_end_ns = now + job->ramp_time_ns;
	c->deadline_ns = job->runtime_ns ? c->ramp_end_ns + job->runtime_ns : UINT64_MAX;
	set_stop_at(c);
	if (atomic_load(&sh->steer.t0_ns) == 0)
		atomic_store(&sh->steer.t0_ns, now);
	c->kind = kind_now(c, now);
	c->awaited = atomic_load(&sh->steer.generation);
	c->published_ns = now;
	c->waiting = true;
	c->stage->released = true;
	pthread_barrier_wait(&c->stage->start);
}

void iob_controller_run(struct iob_stage *st)
{
	struct controller c = {.stage = st, .shared = st->shared};

	iob_gate_pass(st->shared, IOB_GATE_START);
	atomic_store(&st->shared->steer.stop, atomic_load(&st->shared->stop));
	refuse_leftover(&c);
	begin(&c);
	while (!iob_crew_has_ended(st)) {
		uint64_t now = iob_now_ns();

		mind_gap(&c, now);
		atomic_store(&st->shared->heartbeat_ns, now);
		stop_if_told(&c, now);
		settle(&c, now);
		if (!c.stopping && !c.waiting) {
			/* A worker that is being made may read the parameters at any time. */
			if (c.kind == IOB_SEGMENT_RAMP && now >= c.ramp_end_ns && !c.growing) {
				struct iob_live same = c.live;

				change(&c, &same, 0, now);
			} else {
				look_at_request(&c, now);
			}
		}
		sleep_a_tick(&c);
		iob_clock_look();
	}
	mind_gap(&c, iob_now_ns());
	promise(&c, 0);
	settle(&c, iob_now_ns());
	refuse_leftover(&c);
	struct iob_event end = {
		.type = IOB_EVENT_END,
		.stage = st->number,
		.at_ns = iob_crew_ended_ns(st),
	};
	announce(st->shared, &end);
	iob_stage_set_phase(st->shared, IOB_PHASE_DRAINING);
}
