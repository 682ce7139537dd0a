/* SPDX-License-Identifier: MIT */
/* A sweep that is driven from the screen: which value is due when.  The clock is the caller's. */
#ifndef IOB_UI_SWEEP_DRIVE_H
#define IOB_UI_SWEEP_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/sweep.h"

enum iob_sweep_state {
	IOB_SWEEP_OFF,
	IOB_SWEEP_DUE,   /* the value of the step is to be asked for */
	IOB_SWEEP_ASKED, /* it is on its way */
	IOB_SWEEP_HOLD,  /* it is in force until until_ns */
};

/* Zeroed = off. */
struct iob_sweep_drive {
	enum iob_sweep_state state;
	struct iob_sweep sweep;
	unsigned step, steps;
	uint64_t until_ns; /* HOLD */
	uint64_t last_ns;  /* the last look */
};

/* What is known of the run. */
struct iob_sweep_look {
	const struct iob_live *live; /* in force */
	bool pending;                /* a change is on its way */
	uint64_t now_ns;
};

enum iob_sweep_order {
	IOB_SWEEP_WAIT,
	IOB_SWEEP_ASK,     /* for iob_sweep_drive_value, now */
	IOB_SWEEP_DONE,    /* the last step is over */
	IOB_SWEEP_REFUSED, /* the value did not come into force */
};

/* From the first value on; the sweep is copied. */
void iob_sweep_drive_start(struct iob_sweep_drive *, const struct iob_sweep *, uint64_t now_ns);
/* What is to be done.  A step lasts step_ns from when its value came into force; neither a change
 * on its way nor a pause counts. */
enum iob_sweep_order iob_sweep_drive_tick(struct iob_sweep_drive *, const struct iob_sweep_look *);
uint64_t iob_sweep_drive_value(const struct iob_sweep_drive *);
/* "sweep 3/9 iodepth 4, 3 s left". */
char *iob_sweep_drive_text(char *buf, size_t n, const struct iob_sweep_drive *, uint64_t now_ns);

static inline bool iob_sweep_drive_is_on(const struct iob_sweep_drive *d)
{
	return d->state != IOB_SWEEP_OFF;
}

#endif
