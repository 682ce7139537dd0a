/* SPDX-License-Identifier: MIT */
#include "ui/fmt.h"

#include <math.h>
#include <stdio.h>

/* Three digits and a letter; the limits are where %.2f and %.1f would round up to another digit. */
static char *three(char *buf, size_t n, double v, const char *unit)
{
	int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;

	snprintf(buf, n, "%.*f%s", decimals, v, unit);
	return buf;
}

char *iob_fmt_micros(char *buf, size_t n, uint64_t ns)
{
	double v = (double)ns;

	if (ns == 0) {
		snprintf(buf, n, "-");
		return buf;
	}
	if (v < 999.5e3)
		return three(buf, n, v / 1e3, "");
	if (v < 999.5e6)
		return three(buf, n, v / 1e6, "m");
	if (v < 999.5e9)
		return three(buf, n, v / 1e9, "s");
	snprintf(buf, n, "%.0fmin", v / 60e9);
	return buf;
}

char *iob_fmt_three(char *buf, size_t n, double v)
{
	return three(buf, n, v, "");
}

char *iob_fmt_mib(char *buf, size_t n, double bytes_per_s)
{
	double v = bytes_per_s / (1 << 20);

	if (v < 9999.5)
		return three(buf, n, v, "");
	if (v < 999.5e3)
		return three(buf, n, v / 1e3, "k");
	return three(buf, n, v / 1e6, "M");
}

char *iob_fmt_change(char *buf, size_t n, double from, double to)
{
	double percent = from > 0 ? (to - from) / from * 100 : 0;

	if (!(from > 0))
		snprintf(buf, n, "-");
	else if (percent >= 999.5)
		snprintf(buf, n, "x%.0f", to / from);
	else
		snprintf(buf, n, "%+.*f%%", fabs(percent) < 9.95 ? 1 : 0, percent);
	return buf;
}
