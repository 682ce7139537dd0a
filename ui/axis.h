/* SPDX-License-Identifier: MIT */
/* The y axis: round numbers that do not jump about. */
#ifndef IOB_UI_AXIS_H
#define IOB_UI_AXIS_H

#include <stdint.h>

/* Zeroed = not yet used. */
struct iob_axis {
	double top;
	uint64_t low_since_ns; /* since when a smaller top would do; 0 = it would not */
};

/* The smallest round number (1 1.5 2 2.5 3 4 5 6 8 10 x 10^n) that is not below v; 1 for v <= 0. */
double iob_axis_nice(double v);
/*
 * Follow the largest value on the screen: grows at once, shrinks only after the values have stayed
 * below half of it for five seconds.  Returns the top.
 */
double iob_axis_follow(struct iob_axis *, double largest, uint64_t now_ns);

/* `sticky`: never shrinks; `fixed`: stays as it is, and what is higher is cut off; `log`: three
 * decades below the top. */
enum iob_yaxis { IOB_YAXIS_AUTO, IOB_YAXIS_STICKY, IOB_YAXIS_FIXED, IOB_YAXIS_LOG, IOB_NYAXES };

const char *iob_yaxis_name(enum iob_yaxis);
enum iob_yaxis iob_yaxis_find(const char *); /* IOB_NYAXES = unknown */

#define IOB_LOG_DECADES 3
/* Height (0..1) of a value on a logarithmic axis, and the value at a height. */
double iob_axis_log(double value, double top);
double iob_axis_unlog(double height, double top);

#endif
