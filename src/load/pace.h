/* SPDX-License-Identifier: MIT */
/*
 * When the next request is to go out: for each direction with a rate a schedule of intended times,
 * fixed when it starts and not moved by what the device does (open loop).  A slot that was missed
 * stays due until it is taken.  With rw=trimwrite only the trims have one: each write follows its
 * trim.  Pure: the clock is told.
 */
#ifndef IOB_LOAD_PACE_H
#define IOB_LOAD_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "job/job.h"

/* One direction's schedule: start + what went before / rate, without drift. */
struct iob_pace_line {
	uint64_t rate;               /* I/Os, or bytes, per second; 0 = none */
	bool bytes;                  /* a request takes as long as its length at that rate */
	uint64_t next_ns;            /* the next intended time */
	uint64_t step_ns, step_rest; /* of one I/O */
	uint64_t rest;               /* of a nanosecond, in parts of 1 / rate */
};

struct iob_pace {
	struct iob_pace_line line[IOB_NDIR];
	uint32_t process; /* enum iob_rate_process */
	bool does[IOB_NDIR];
	bool on; /* any direction has a rate */
	struct iob_rng rng;
};

/* No rate yet.  The same seed and stream give the same gaps. */
void iob_pace_init(struct iob_pace *, const struct iob_job *, uint64_t seed, uint64_t stream);

/* Start the schedules anew at now_ns.  Worker i of n starts i / n of a gap later, so that many
 * workers do not go off together; random gaps need no such help. */
struct iob_pace_share {
	unsigned worker, workers;
};
void iob_pace_start(
	struct iob_pace *, const struct iob_live *, struct iob_pace_share, uint64_t now_ns);

/* Whose turn it is: of the directions with a slot that is due the longest waiting one, else one
 * that has no rate; IOB_NDIR while nothing is due. */
enum iob_dir iob_pace_due(const struct iob_pace *, uint64_t now_ns);
/* Take the slot of a direction for a request so long: its intended time, 0 when the direction has
 * no rate. */
uint64_t iob_pace_take(struct iob_pace *, enum iob_dir, uint32_t length);

/* The earliest slot that was not taken; UINT64_MAX without a rate. */
uint64_t iob_pace_next_ns(const struct iob_pace *);
/* How long that slot has been due. */
uint64_t iob_pace_behind_ns(const struct iob_pace *, uint64_t now_ns);

#endif
