/* SPDX-License-Identifier: MIT */
/* Saved runs side by side: the headline segment of each, the first run being what the others are
 * compared with; and whether a difference is more than the runs' own noise. */
#ifndef IOB_RESULT_COMPARE_H
#define IOB_RESULT_COMPARE_H

#include <stdbool.h>

#include "result/result.h"

#define IOB_COMPARE_RUNS 8
#define IOB_COMPARE_ROWS 24

enum iob_compare_unit {
	IOB_COMPARE_COUNT,
	IOB_COMPARE_BANDWIDTH, /* bytes per second */
	IOB_COMPARE_LATENCY,   /* ns */
	IOB_COMPARE_PERCENT,
};

struct iob_compare_row {
	char name[32]; /* "IOPS", "read p99" */
	enum iob_compare_unit unit;
	bool low_is_good, neutral;
	double value[IOB_COMPARE_RUNS];
};

struct iob_comparison {
	unsigned nruns;
	const struct iob_result *run[IOB_COMPARE_RUNS];
	const struct iob_result_segment *segment[IOB_COMPARE_RUNS];
	/* Spread of the run's full seconds (coefficient of variation, per cent); negative = too
	 * short, or without a timeline. */
	double spread[IOB_COMPARE_RUNS];
	unsigned nrows;
	struct iob_compare_row row[IOB_COMPARE_ROWS];
};

/* n at most IOB_COMPARE_RUNS; the runs must outlive it.  -1, or the index of a run that has
 * measured nothing. */
int iob_comparison_make(struct iob_comparison *, const struct iob_result *const *runs, unsigned n);

enum iob_compare_verdict {
	IOB_COMPARE_SAME,
	IOB_COMPARE_NOISE, /* less than the spread of either run */
	IOB_COMPARE_BETTER,
	IOB_COMPARE_WORSE,
	IOB_COMPARE_OTHER, /* neither good nor bad */
};

/* Of a run against the first: change in per cent (0 if the first has nothing), the larger spread of
 * the two (negative if none is known), and what it amounts to. */
double iob_comparison_change(const struct iob_compare_row *, unsigned run);
double iob_comparison_noise(const struct iob_comparison *, unsigned run);
enum iob_compare_verdict iob_comparison_judge(
	const struct iob_comparison *, const struct iob_compare_row *, unsigned run);

typedef void iob_compare_report(void *self, const char *what, const char *first, const char *other);

/* Report each parameter, and the engine, in which the run differs from the first; true if none. */
bool iob_comparison_settings(
	const struct iob_comparison *, unsigned run, iob_compare_report *, void *self);
/* The same for target, scheduler, host, kernel and version. */
void iob_comparison_places(
	const struct iob_comparison *, unsigned run, iob_compare_report *, void *self);

#endif
