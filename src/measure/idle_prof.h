/* SPDX-License-Identifier: MIT */
/*
 * How idle the CPUs are, as fio's --idle-prof has it: on each CPU a thread of the lowest priority
 * does units of work whenever nothing else wants the CPU.  A unit is one pass over the bytes of a
 * page of 4096; how long it takes is measured at first, in the thread's own CPU time, so that a
 * busy machine does not make it longer.  The work that was done is the idleness, or the CPU time
 * that the thread got, if that is less.
 * The threads keep all CPUs awake, and in a control group with a quota they use it up.
 */
#ifndef IOB_MEASURE_IDLE_PROF_H
#define IOB_MEASURE_IDLE_PROF_H

#include <stdint.h>

#include "base/error.h"

struct iob_idle_cpu {
	unsigned number;
	double idle; /* per cent, at most 100 */
};

struct iob_idleness {
	double system;                       /* per cent, mean of the CPUs */
	double unit_mean_us, unit_stddev_us; /* of a unit of work, over the CPUs */
	unsigned ncpus;
	const struct iob_idle_cpu *cpu; /* those that this process may use */
};

struct iob_idle_prof;

/* Start the threads and measure the unit, about 20 ms on an idle machine.  Call iob_clock_init
 * before.  A run error names what failed; pair with iob_idle_prof_free. */
int iob_idle_prof_new(struct iob_idle_prof **, struct iob_error *);
/* Stops it, too.  NULL is legal. */
void iob_idle_prof_free(struct iob_idle_prof *);
/* From here on work is done and counted; once. */
void iob_idle_prof_start(struct iob_idle_prof *);
/* Up to here; nothing happens unless it counts. */
void iob_idle_prof_stop(struct iob_idle_prof *);
/* From the start until the stop, or now; before the start only the unit.  Valid until the next
 * call. */
const struct iob_idleness *iob_idle_prof_read(struct iob_idle_prof *);

#endif
