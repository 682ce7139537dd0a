/* SPDX-License-Identifier: MIT */
#include "ui/axis.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"

#define PATIENCE_NS (5 * IOB_NS_PER_S)

double iob_axis_nice(double v)
{
	static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};

	if (!(v > 0) || !isfinite(v))
		return 1;
	double power = pow(10, floor(log10(v)));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		/* The products are inexact: 3 x 0.1 is not 0.3. */
		if (v <= steps[i] * power * (1 + 1e-12))
			return steps[i] * power;
	return 10 * power;
}

double iob_axis_follow(struct iob_axis *axis, double largest, uint64_t now_ns)
{
	double wanted = iob_axis_nice(largest);

	if (wanted > axis->top || axis->top <= 0) {
		axis->top = wanted;
		axis->low_since_ns = 0;
	} else if (largest > axis->top / 2) {
		axis->low_since_ns = 0;
	} else if (axis->low_since_ns == 0) {
		axis->low_since_ns = now_ns ? now_ns : 1;
	} else if (now_ns - axis->low_since_ns >= PATIENCE_NS) {
		axis->top = wanted;
		axis->low_since_ns = 0;
	}
	return axis->top;
}

static const char *const names[IOB_NYAXES] = {"auto", "sticky", "fixed", "log"};

const char *iob_yaxis_name(enum iob_yaxis axis)
{
	return names[axis];
}

enum iob_yaxis iob_yaxis_find(const char *name)
{
	int i = 0;

	while (i < IOB_NYAXES && strcmp(names[i], name) != 0)
		i++;
	return (enum iob_yaxis)i;
}

double iob_axis_log(double value, double top)
{
	if (!(value > 0) || !(top > 0))
		return 0;
	return fmax(0, 1 + log10(value / top) / IOB_LOG_DECADES);
}

double iob_axis_unlog(double height, double top)
{
	return top * pow(10, (height - 1) * IOB_LOG_DECADES);
}
