/* SPDX-License-Identifier: MIT */
/*
 * Files of clones that start later are laid out before anything starts, as fio does it: what they
 * lack is known then, and their laying out disturbs nobody's measuring.  For each a run that does
 * no more than that, one after another.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "run/fleet.h"
#include "run/private.h"

#define WAIT_MS 5

/* Where a job that appends begins is known when its turn has come. */
static bool is_wanted(const struct iob_fleet *f, unsigned i)
{
	const struct iob_job *job = &f->clone[i].settings;

	return f->order.member[i].state == IOB_ORDER_WAITING && !job->files.file_append &&
	       !iob_job_needs_no_target(job);
}

static int start(struct iob_fleet *f, struct iob_fleet_clone *c)
{
	struct iob_run_config config = {
		.program = f->config.program,
		.grace_ns = f->config.grace_ns,
		.hold = true,
		.wait_turn = true,
	};
	int rc = iob_fleet_plan(f, c, &c->error);

	if (rc < 0)
		return rc;
	f->plan->stage[0].files.create_only = true;
	/* When its turn has come. */
	f->plan->stage[0].files.unlink = f->plan->stage[0].files.unlink_each_loop = false;
	f->plan->stage[0].ioscheduler[0] = '\0';
	rc = iob_run_start(&c->early, f->plan, &config, &c->error);
	if (rc < 0)
		return rc;
	iob_fleet_tell_to_prepare(f, c->early);
	iob_run_release(c->early);
	iob_run_let_leave(c->early);
	return 0;
}

/* What it promised its files holds until they are written, or their clone has failed. */
static int keep_promises(struct iob_fleet_clone *c, struct iob_run *run)
{
	const struct iob_kin *kin = iob_run_kin_at_end(run);

	if (!kin || kin->npromises == 0)
		return 0;
	c->promised = calloc(1, sizeof(*c->promised));
	if (!c->promised)
		return iob_fail(&c->error, -ENOMEM, "laying out files: %m");
	iob_kin_add_promises(c->promised, kin);
	return 0;
}

void iob_fleet_join_early(const struct iob_fleet *f, struct iob_kin *kin)
{
	for (unsigned i = 0; i < f->count; i++) {
		const struct iob_fleet_clone *c = &f->clone[i];

		if (c->promised && !iob_order_has_ended(&f->order.member[i]) &&
			!(c->run && iob_run_is_prepared(c->run, 0)))
			iob_kin_add_promises(kin, c->promised);
	}
}

void iob_fleet_note_filled(struct iob_fleet *f, struct iob_run *run)
{
	const struct iob_kin *ended = iob_run_kin_at_end(run);

	for (unsigned i = 0; ended && i < f->count; i++)
		if (f->clone[i].promised)
			iob_kin_note_end(f->clone[i].promised, ended);
}

/* It is over: what it found out, and that it has given up what it held. */
static int finish(struct iob_fleet *f, struct iob_fleet_clone *c)
{
	struct iob_run *run = c->early;

	iob_run_error(run, &c->error);
	iob_fleet_note_layout(run, c, &c->layout);
	iob_run_join(run, &f->family);
	if (c->error.code == 0)
		keep_promises(c, run);
	iob_run_free(run);
	c->early = NULL;
	return c->error.code;
}

static int do_one(struct iob_fleet *f, unsigned i, bool *pending)
{
	struct iob_fleet_clone *c = &f->clone[i];

	*pending = false;
	if (!c->early) {
		int rc = start(f, c);
		if (rc < 0)
			return rc;
	}
	*pending = !iob_run_wait(c->early, WAIT_MS);
	return *pending ? 0 : finish(f, c);
}

bool iob_fleet_lay_out_early(struct iob_fleet *f)
{
	for (; f->early_next < f->count; f->early_next++) {
		bool pending = false;

		if (!is_wanted(f, f->early_next) && !f->clone[f->early_next].early)
			continue;
		if (do_one(f, f->early_next, &pending) < 0) {
			iob_order_stop(&f->order);
			f->early_next = f->count;
			return true;
		}
		if (pending)
			return false;
	}
	return true;
}
