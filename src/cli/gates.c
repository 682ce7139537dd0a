/* SPDX-License-Identifier: MIT */
#include "cli/gates.h"

#include <math.h>

#include "base/units.h"

static void say(FILE *f, const char *option, const char *limit, const char *what, const char *is)
{
	fprintf(f, "iotop-bench: %s=%s was missed: %s %s\n", option, limit, what, is);
}

static unsigned check_iops(double limit, double value, FILE *f)
{
	char want[32], is[32];

	if (limit <= 0 || value >= limit)
		return 0;
	snprintf(want, sizeof(want), "%.0f", limit);
	snprintf(is, sizeof(is), "%.0f", value);
	say(f, "--min-iops", want, "IOPS were", is);
	return 1;
}

static unsigned check_bandwidth(double limit, double value, FILE *f)
{
	char want[48], is[48];

	if (limit <= 0 || value >= limit)
		return 0;
	say(f, "--min-bw", iob_format_size_exact(want, sizeof(want), (uint64_t)llround(limit)),
		"bandwidth was", iob_format_bandwidth(is, sizeof(is), value));
	return 1;
}

static unsigned check_latency(
	const char *option, const char *what, uint64_t limit, uint64_t value, FILE *f)
{
	char want[32], is[32];

	if (limit == 0 || value <= limit)
		return 0;
	say(f, option, iob_format_time_exact(want, sizeof(want), limit), what,
		iob_format_latency(is, sizeof(is), value));
	return 1;
}

/* Fast reads must not hide slow writes: each direction is to keep the limit. */
static uint64_t worst_p99(const struct iob_segment_figures *total)
{
	uint64_t worst = 0;

	for (int d = 0; d < IOB_NDIR; d++)
		if (total->dir[d].lat.n && total->dir[d].lat.percentile_ns[IOB_P99] > worst)
			worst = total->dir[d].lat.percentile_ns[IOB_P99];
	return worst;
}

static uint64_t worst_mean(const struct iob_segment_figures *total)
{
	double worst = 0;

	for (int d = 0; d < IOB_NDIR; d++)
		if (total->dir[d].lat.n && total->dir[d].lat.mean_ns > worst)
			worst = total->dir[d].lat.mean_ns;
	return (uint64_t)ceil(worst);
}

/* A latency of nothing keeps no limit. */
static unsigned check_any(
	const struct iob_gates *g, const struct iob_segment_figures *total, FILE *f)
{
	if (total->all.ios || (!g->max_lat_ns && !g->max_p99_ns))
		return 0;
	fputs("iotop-bench: a latency limit was missed: no I/O was measured\n", f);
	return 1;
}

unsigned iob_gates_check(
	const struct iob_gates *g, const struct iob_segment_figures *total, FILE *f)
{
	return check_any(g, total, f) + check_iops(g->min_iops, total->all.iops, f) +
	       check_bandwidth(g->min_bw, total->all.bw, f) +
	       check_latency("--max-lat", "mean latency was", g->max_lat_ns, worst_mean(total), f) +
	       check_latency("--max-p99", "p99 latency was", g->max_p99_ns, worst_p99(total), f);
}
