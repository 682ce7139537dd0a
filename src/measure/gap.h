/* SPDX-License-Identifier: MIT */
/*
 * A gap: time in which the load process as a whole did not run although it had something to do.
 * It was stopped or frozen, the machine slept, or others had all of its CPUs.  A timer that is due
 * each few milliseconds shows it: a device that hangs cannot make a thread late that never touches
 * it.  A gap says nothing of the device.
 */
#ifndef IOB_MEASURE_GAP_H
#define IOB_MEASURE_GAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* Two intervals of the grid: one of them lies in it whole. */
#define IOB_GAP_LEAST_NS (200 * IOB_NS_PER_MS)
/* Those beyond are not kept: they count as time of the load. */
#define IOB_MAX_GAPS     256

struct iob_gap {
	uint64_t from_ns, to_ns; /* iob_now_ns scale */
	uint64_t asleep_ns;      /* that the machine slept, of which that scale may know nothing */
};

/* Of the load segments, and when the machine slept. */
struct iob_gap_view {
	unsigned count;
	uint64_t ns;        /* that belong to no load */
	uint64_t asleep_ns; /* that the machine slept */
};

/* One thread writes, anybody reads. */
struct iob_gap_list {
	_Atomic uint32_t count; /* announces item[] */
	struct iob_gap item[IOB_MAX_GAPS];
};

/* Of the thread with the timer; zeroed = new. */
struct iob_gap_watch {
	uint64_t due_ns;    /* when it is to look again; 0 = that was not said */
	uint64_t asleep_ns; /* iob_asleep_ns of the last look */
	bool looked;
};

/* The timer's thread runs again; true with a gap if that was late.  asleep_ns: iob_asleep_ns. */
bool iob_gap_look(struct iob_gap_watch *, uint64_t now_ns, uint64_t asleep_ns, struct iob_gap *out);
/* Later ones are left out when the list is full. */
void iob_gap_list_add(struct iob_gap_list *, const struct iob_gap *);

#endif
