/* SPDX-License-Identifier: MIT */
/* Any bytes as two readings of /proc/diskstats: refused, or differences and figures that no counter
 * can exceed. */
#include <config.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "measure/hoststat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(int truth)
{
	if (!truth)
		abort();
}

static void check_figures(const struct iob_diskstat *delta)
{
	struct iob_diskstat first, rest, sum = {0};
	struct iob_iostat io;

	iob_iostat_compute(&io, delta, 1000000000);
	demand(isfinite(io.r_s) && isfinite(io.w_s) && isfinite(io.aqu_sz));
	demand(isfinite(io.r_await_ms) && isfinite(io.w_await_ms));
	demand(io.r_s >= 0 && io.w_bytes_s >= 0 && io.util >= 0 && io.util <= 100);
	iob_diskstat_split(&first, &rest, delta, 0.3);
	iob_diskstat_add(&sum, &first);
	iob_diskstat_add(&sum, &rest);
	demand(sum.reads == delta->reads && sum.write_sectors == delta->write_sectors);
}

static void check_pair(const char *text, const char *later, unsigned major, unsigned minor)
{
	struct iob_diskstat a, b, delta;

	if (iob_diskstat_parse(text, major, minor, &a) < 0)
		return;
	check_figures(&a);
	if (iob_diskstat_parse(later, major, minor, &b) < 0)
		return;
	iob_diskstat_delta(&delta, &a, &b);
	demand(delta.in_flight == b.in_flight);
	/* A new start counts from zero; a wrap adds less than half of its range. */
	demand(delta.reads <= b.reads || delta.reads <= INT32_MAX);
	demand(delta.write_ms <= b.write_ms || delta.write_ms <= INT32_MAX);
	check_figures(&delta);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	IOB_FREE char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	/* The second reading follows a form feed. */
	char *later = strchr(text, '\f');
	if (later)
		*later++ = '\0';
	check_pair(text, later ? later : text, 8, 0);
	check_pair(text, later ? later : text, 259, 1);
	return 0;
}
