/* SPDX-License-Identifier: MIT */
/*
 * Which clones of a fleet may start when, and which end when another does: fio's barriers
 * (stonewall, wait_for), delays and exitall, as plain sequential code.  The time is told; nothing
 * is started or stopped here.
 */
#ifndef IOB_RUN_FLEET_ORDER_H
#define IOB_RUN_FLEET_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum iob_order_state {
	IOB_ORDER_WAITING, /* its turn has not come */
	IOB_ORDER_CALLED,  /* is getting ready */
	IOB_ORDER_READY,
	IOB_ORDER_RUNNING,
	IOB_ORDER_ENDED,
	IOB_ORDER_CANCELLED, /* ended without having been called */
};

enum iob_order_scope {
	IOB_ORDER_GROUP, /* those of its group */
	IOB_ORDER_ALL,
	IOB_ORDER_WALL, /* those up to the next stonewall */
};

#define IOB_ORDER_NOBODY UINT32_MAX

/* Members are in the order of the job file. */
struct iob_order_member {
	/* Given. */
	uint32_t job; /* clones of one job have the same */
	uint32_t group;
	bool stonewall;    /* it, and all after it, wait until all before it have ended */
	uint32_t wait_for; /* a job whose clones must have ended, or IOB_ORDER_NOBODY */
	uint64_t delay_ns; /* not before that, since the beginning of all */
	bool exitall, exitall_on_error;
	enum iob_order_scope scope; /* of both */
	/* Kept. */
	enum iob_order_state state;
	bool failed;
	bool stop; /* it is to be stopped */
};

struct iob_order {
	unsigned count;
	struct iob_order_member *member;
};

/* Those whose turn it is go from WAITING to CALLED.  True if there are any. */
bool iob_order_call(struct iob_order *, uint64_t since_ns);
/* May those that are READY start?  All that were called start together. */
bool iob_order_may_start(const struct iob_order *);
/* A member that was called has ended: notes it, and what that means for the others. */
void iob_order_end(struct iob_order *, unsigned i, bool failed);
/* Stop all, and start no more. */
void iob_order_stop(struct iob_order *);
bool iob_order_is_over(const struct iob_order *);

static inline bool iob_order_has_ended(const struct iob_order_member *m)
{
	return m->state >= IOB_ORDER_ENDED;
}

#endif
