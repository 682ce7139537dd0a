/* SPDX-License-Identifier: MIT */
/*
 * The course of one segment: its throughput in 16 to 32 windows of equal length, which grow with
 * it, so that an hour costs what a second does.  Pure.
 */
#ifndef IOB_MEASURE_STEADY_H
#define IOB_MEASURE_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#define IOB_STEADY_WINDOWS 32

/* Zeroed = empty. */
struct iob_steady {
	uint32_t span;  /* intervals of a window, a power of two */
	uint32_t count; /* full windows */
	uint32_t part;  /* intervals in the one after them */
	struct iob_steady_window {
		double ios, bytes;
	} window[IOB_STEADY_WINDOWS + 1];
};

/* The next interval of the grid (IOB_INTERVAL_NS). */
void iob_steady_add(struct iob_steady *, double ios, double bytes);

struct iob_steady_verdict {
	bool known;           /* at least ten windows with enough I/Os to tell */
	double seconds;       /* that the windows cover */
	double window_s;      /* length of one */
	double mean_iops;     /* over all of them */
	double cv;            /* standard deviation of the windows / mean */
	double drift;         /* fitted change from first to last window / mean */
	bool fell;            /* a step down: fast first, slower for the rest */
	double step_s;        /* when */
	double before, after; /* I/Os per second */
	double before_bw, after_bw;
};

void iob_steady_judge(struct iob_steady_verdict *, const struct iob_steady *);

#endif
