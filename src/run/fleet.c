/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/fleet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "run/private.h"

/* The front has a screen line and signals to look after. */
#define WAIT_MS 5
/* Percentiles of single intervals are nobody's concern here; memory is. */
#define WINDOW  16

/* --readonly, before anything else happens: nothing is written, and no file is made. */
static int apply_readonly(struct iob_fleet *f, struct iob_error *err)
{
	for (unsigned i = 0; i < f->count && f->config.readonly; i++) {
		struct iob_job *job = &f->clone[i].settings;

		if (iob_job_modifies(job))
			return iob_fail_refused(err,
				"job %s writes or trims, and --readonly was given; leave one of them out",
				job->name);
		job->files.no_file_create = true;
	}
	return 0;
}

int iob_fleet_new(struct iob_fleet **out, const struct iob_fio_jobs *jobs,
	const struct iob_fleet_config *config, struct iob_error *err)
{
	struct iob_fleet *f = calloc(1, sizeof(*f));

	if (!f)
		return iob_fail(err, -ENOMEM, "starting the jobs: %m");
	f->config = *config;
	f->jobs = jobs;
	f->plan = malloc(sizeof(*f->plan));
	while (f->base_seed == 0)
		if (getrandom(&f->base_seed, sizeof(f->base_seed), 0) < 0 && errno != EINTR)
			f->base_seed = iob_monotonic_ns();
	int rc = f->plan ? 0 : iob_fail(err, -ENOMEM, "starting the jobs: %m");
	if (rc == 0)
		rc = iob_fleet_expand(f, err);
	if (rc == 0)
		rc = apply_readonly(f, err);
	if (rc < 0) {
		iob_fleet_free(f);
		return rc;
	}
	*out = f;
	return 0;
}

static void end_clone(struct iob_fleet *f, unsigned i)
{
	struct iob_fleet_clone *c = &f->clone[i];

	c->finished_ms = iob_wall_ms();
	if (c->run)
		iob_fleet_note_filled(f, c->run);
	iob_order_end(&f->order, i, c->error.code != 0);
}

static bool has_transfer_logs(const struct iob_job_control *ctl)
{
	return ctl->write_bw_log[0] || ctl->write_iops_log[0] || ctl->write_lat_log[0];
}

bool iob_fleet_has_logs(const struct iob_job_control *ctl)
{
	return has_transfer_logs(ctl) || ctl->write_hist_log[0];
}

void iob_fleet_logs(
	const struct iob_fleet *f, struct iob_plan_log *log, const struct iob_job_control *ctl)
{
	*log = (struct iob_plan_log){
		.transfers = has_transfer_logs(ctl),
		.window_ns = ctl->log_avg_msec * IOB_NS_PER_MS,
		.hist_ns = ctl->write_hist_log[0] ? ctl->log_hist_msec * IOB_NS_PER_MS : 0,
		.room = f->log_room,
	};
}

int iob_fleet_plan(struct iob_fleet *f, const struct iob_fleet_clone *c, struct iob_error *err)
{
	struct iob_plan *plan = f->plan;

	iob_plan_init(plan);
	plan->stage[0] = c->settings;
	plan->detail = true;
	plan->first_worker = c->thread - 1;
	iob_fleet_logs(f, &plan->log, &c->settings.ctl);
	plan->consent = f->config.consent;
	plan->nreports = f->config.nreports;
	memcpy(plan->report, f->config.report, sizeof(plan->report));
	int rc = iob_plan_finish(plan, err);
	plan->seed = c->seed;
	return rc;
}

static void spawn(struct iob_fleet *f, unsigned i)
{
	struct iob_fleet_clone *c = &f->clone[i];
	struct iob_run_config config = {
		.program = f->config.program,
		.grace_ns = f->config.grace_ns,
		.window = WINDOW,
		.hold = true,
		.wait_turn = true,
	};

	c->started_ms = iob_wall_ms();
	if (iob_fleet_plan(f, c, &c->error) < 0 ||
		iob_run_start(&c->run, f->plan, &config, &c->error) < 0) {
		end_clone(f, i);
		/* With fewer jobs it would be another measurement. */
		iob_order_stop(&f->order);
		return;
	}
	c->pid = c->run->child;
}

static void call_next(struct iob_fleet *f, uint64_t now)
{
	if (!iob_order_call(&f->order, now - f->begun_ns))
		return;
	for (unsigned i = 0; i < f->count; i++)
		if (f->order.member[i].state == IOB_ORDER_CALLED && !f->clone[i].run)
			spawn(f, i);
}

/* What those hold and promise that are at work. */
static void join_family(struct iob_fleet *f)
{
	f->family.kin.ndevices = f->family.kin.npromises = 0;
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].run && !f->clone[i].left)
			iob_run_join(f->clone[i].run, &f->family);
	iob_fleet_join_early(f, &f->family.kin);
}

void iob_fleet_tell_to_prepare(struct iob_fleet *f, struct iob_run *run)
{
	join_family(f);
	iob_run_prepare(run, &f->family);
}

/* Has it been started and is to go on? */
static bool is_called(const struct iob_fleet *f, unsigned i)
{
	const struct iob_order_member *m = &f->order.member[i];

	return m->state == IOB_ORDER_CALLED && !m->stop;
}

/* What all of them will take is known before the first takes any.  True when they have said so; one
 * that cannot go on never does. */
static bool survey_in_turn(struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count && f->count > 1; i++) {
		struct iob_fleet_clone *c = &f->clone[i];

		if (!is_called(f, i) || c->prepare_told || iob_job_needs_no_target(&c->settings))
			continue;
		if (!c->survey_told) {
			join_family(f);
			for (unsigned k = 0; k < i; k++)
				if (is_called(f, k) && !f->clone[k].prepare_told)
					iob_run_join_survey(f->clone[k].run, &f->family.kin);
			iob_run_survey(c->run, &f->family);
		}
		c->survey_told = true;
		if (!iob_run_is_surveyed(c->run, WAIT_MS))
			return false;
	}
	return true;
}

/* One after another opens its target and lays it out: many at once would disturb each other, and
 * clones that share a file shall find it made by the first of them.  True when all are prepared.
 * One that failed at it is not: the next step notes its end, and nobody else begins. */
static bool prepare_in_turn(struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++) {
		struct iob_fleet_clone *c = &f->clone[i];

		if (!is_called(f, i))
			continue;
		if (!c->prepare_told)
			iob_fleet_tell_to_prepare(f, c->run);
		c->prepare_told = true;
		if (!iob_run_is_prepared(c->run, WAIT_MS))
			return false;
	}
	return true;
}

static void note_ready(struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++) {
		struct iob_order_member *m = &f->order.member[i];

		if (m->state == IOB_ORDER_CALLED && iob_run_is_ready(f->clone[i].run))
			m->state = IOB_ORDER_READY;
	}
}

static void release(struct iob_fleet *f)
{
	if (!iob_order_may_start(&f->order))
		return;
	/* Without them the report has no disks. */
	if (!f->disks_before.text)
		iob_diskset_read(&f->disks_before, "");
	for (unsigned i = 0; i < f->count; i++) {
		if (f->order.member[i].state != IOB_ORDER_READY || f->order.member[i].stop)
			continue;
		f->order.member[i].state = IOB_ORDER_RUNNING;
		f->clone[i].started_ms = iob_wall_ms();
		f->clone[i].released_ns = iob_now_ns();
		iob_run_release(f->clone[i].run);
	}
}

static void note_ends(struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++) {
		struct iob_fleet_clone *c = &f->clone[i];
		struct iob_order_member *m = &f->order.member[i];

		if (!c->run || iob_order_has_ended(m))
			continue;
		if (m->stop && !c->stopped)
			iob_run_stop(c->run);
		c->stopped = m->stop;
		if (!iob_run_wait(c->run, 0))
			continue;
		iob_run_error(c->run, &c->error);
		end_clone(f, i);
		/* What cannot even be opened or laid out was not meant: nothing shall start. */
		if (c->error.code && !c->released_ns &&
			!iob_gate_is_reached(c->run->shared, IOB_GATE_PREPARED, 0))
			iob_order_stop(&f->order);
	}
}

/* A device stays held as long as anybody is at work: none of them may lose it to a stranger. */
static void let_leave(struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++) {
		enum iob_order_state state = f->order.member[i].state;

		if (state > IOB_ORDER_WAITING && state < IOB_ORDER_ENDED)
			return;
	}
	for (unsigned i = 0; i < f->count; i++) {
		struct iob_fleet_clone *c = &f->clone[i];

		if (!c->run || c->left)
			continue;
		iob_run_join(c->run, &f->family);
		iob_run_let_leave(c->run);
	}
	for (unsigned i = 0; i < f->count; i++) {
		struct iob_fleet_clone *c = &f->clone[i];

		if (c->run && !c->left)
			iob_run_wait_left(c->run);
		c->left = c->run != NULL;
	}
}

bool iob_fleet_step(struct iob_fleet *f)
{
	uint64_t now = iob_now_ns();

	if (f->begun_ns == 0)
		f->begun_ns = now;
	note_ends(f);
	let_leave(f);
	call_next(f, now);
	if (survey_in_turn(f) && prepare_in_turn(f) && iob_fleet_lay_out_early(f)) {
		note_ready(f);
		release(f);
	}
	f->over = iob_order_is_over(&f->order);
	return f->over;
}

bool iob_fleet_is_starting(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->order.member[i].state == IOB_ORDER_CALLED)
			return true;
	return false;
}

void iob_fleet_stop(struct iob_fleet *f)
{
	if (f->stops++ == 0) {
		iob_order_stop(&f->order);
		for (unsigned i = 0; i < f->count; i++)
			if (f->clone[i].early)
				iob_run_stop(f->clone[i].early);
		note_ends(f);
		return;
	}
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].run && !iob_order_has_ended(&f->order.member[i]))
			iob_run_stop(f->clone[i].run);
}

const struct iob_error *iob_fleet_failure(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].error.code)
			return &f->clone[i].error;
	return NULL;
}

void iob_fleet_free(struct iob_fleet *f)
{
	if (!f)
		return;
	for (unsigned i = 0; f->clone && i < f->count; i++) {
		iob_run_free(f->clone[i].early);
		free(f->clone[i].promised);
		iob_run_free(f->clone[i].run);
	}
	iob_diskset_free(&f->disks_before);
	free(f->clone);
	free(f->order.member);
	free(f->plan);
	free(f);
}
