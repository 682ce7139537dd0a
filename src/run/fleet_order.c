/* SPDX-License-Identifier: MIT */
#include "run/fleet_order.h"

static bool job_has_ended(const struct iob_order *o, uint32_t job)
{
	for (unsigned i = 0; i < o->count; i++)
		if (o->member[i].job == job && !iob_order_has_ended(&o->member[i]))
			return false;
	return true;
}

bool iob_order_call(struct iob_order *o, uint64_t since_ns)
{
	bool all_ended = true, any = false;

	for (unsigned i = 0; i < o->count; i++) {
		struct iob_order_member *m = &o->member[i];

		if (m->stonewall && !all_ended && m->state == IOB_ORDER_WAITING)
			break;
		if (m->state == IOB_ORDER_WAITING && since_ns >= m->delay_ns &&
			(m->wait_for == IOB_ORDER_NOBODY || job_has_ended(o, m->wait_for))) {
			m->state = IOB_ORDER_CALLED;
			any = true;
		}
		all_ended &= iob_order_has_ended(m);
	}
	return any;
}

bool iob_order_may_start(const struct iob_order *o)
{
	bool ready = false;

	for (unsigned i = 0; i < o->count; i++) {
		if (o->member[i].state == IOB_ORDER_CALLED)
			return false;
		ready |= o->member[i].state == IOB_ORDER_READY;
	}
	return ready;
}

static void stop(struct iob_order_member *m)
{
	if (m->state == IOB_ORDER_WAITING)
		m->state = IOB_ORDER_CANCELLED;
	m->stop = true;
}

/* First member of the next part of the job file: where a stonewall is. */
static unsigned wall_after(const struct iob_order *o, unsigned i)
{
	for (i++; i < o->count && !o->member[i].stonewall; i++)
		;
	return i;
}

static unsigned wall_before(const struct iob_order *o, unsigned i)
{
	while (i > 0 && !o->member[i].stonewall)
		i--;
	return i;
}

void iob_order_end(struct iob_order *o, unsigned i, bool failed)
{
	const struct iob_order_member *m = &o->member[i];
	unsigned from = 0, to = o->count;

	o->member[i].state = IOB_ORDER_ENDED;
	o->member[i].failed = failed;
	if (!m->exitall && !(m->exitall_on_error && failed))
		return;
	if (m->scope == IOB_ORDER_WALL) {
		from = wall_before(o, i);
		to = wall_after(o, i);
	}
	for (unsigned k = from; k < to; k++)
		if (m->scope != IOB_ORDER_GROUP || o->member[k].group == m->group)
			stop(&o->member[k]);
}

void iob_order_stop(struct iob_order *o)
{
	for (unsigned i = 0; i < o->count; i++)
		stop(&o->member[i]);
}

bool iob_order_is_over(const struct iob_order *o)
{
	for (unsigned i = 0; i < o->count; i++)
		if (!iob_order_has_ended(&o->member[i]))
			return false;
	return true;
}
