/* SPDX-License-Identifier: MIT */
/*
 * The UI's own copy of the timeline, at half a second per point, fed incrementally and folded to
 * the columns of a graph on demand.  Ten intervals make a second, so a point is five of them.
 */
#ifndef IOB_UI_HISTORY_H
#define IOB_UI_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "measure/sample.h"
#include "measure/timeline.h"
#include "ui/raster.h"
#include "ui/source.h"

#define IOB_POINT_INTERVALS 5
#define IOB_POINT_MS        (IOB_POINT_INTERVALS * (IOB_INTERVAL_NS / 1000000))

enum iob_metric {
	IOB_METRIC_IOPS,
	IOB_METRIC_MIB,
	IOB_METRIC_P50,
	IOB_METRIC_P99,
	IOB_METRIC_P999,
	IOB_METRIC_MAX,
	IOB_METRIC_DEPTH, /* mean number in flight, by Little's law */
	IOB_METRIC_UTIL,
	IOB_METRIC_HEAT, /* time x latency: no bars, see heatmap.h */
	IOB_NMETRICS,
};

struct iob_point {
	uint64_t ios[IOB_NDIR], bytes[IOB_NDIR];
	uint64_t sum_ns;          /* of all latencies */
	double p50_sum[IOB_NDIR]; /* of the intervals, weighted by ios */
	uint64_t p99_ns[IOB_NDIR], p999_ns[IOB_NDIR], max_ns[IOB_NDIR]; /* largest of them */
	uint64_t busy_ms;
	uint32_t errors;
	uint16_t intervals; /* closed ones in it, 0..IOB_POINT_INTERVALS */
	uint16_t idle;      /* of them, without a running stage */
	uint16_t disk;      /* of them, with the disk's counters */
};

/* Zeroed = empty. */
struct iob_history {
	struct iob_point *point;
	size_t count, room;
	size_t closed; /* intervals taken over */
	unsigned updates;
};

/*
 * Take over what is new; closed = number of closed intervals.  Late samples may still change older
 * ones: the last ten seconds are read again each time, five minutes now and then, all if `all` is
 * set.  When memory is short the graph ends early, nothing else.
 */
void iob_history_update(struct iob_history *, const struct iob_source *, uint64_t closed, bool all);
void iob_history_free(struct iob_history *);

/* Points per bar for a zoom of `seconds` per column and so many samples per column. */
size_t iob_history_fold(unsigned seconds, int samples);
/* One bar: points [from, from + n). */
struct iob_bar iob_history_bar(const struct iob_history *, enum iob_metric, size_t from, size_t n);
struct iob_columns {
	size_t fold;  /* points in a bar */
	size_t group; /* bars in a column */
	size_t back;  /* columns that are newer than the last one shown */
};

/*
 * `n` bars, the last one in bars[n - 1].  Columns begin at multiples of their length, so that a
 * column does not change its members as time goes on.  Returns the index of the first point of
 * bars[0], negative when the run is younger than the graph is wide.
 */
long iob_history_bars(const struct iob_history *, enum iob_metric, struct iob_columns,
	struct iob_bar *bars, size_t n);
/* The first point of n columns, as above. */
long iob_history_first(const struct iob_history *, struct iob_columns, size_t ncolumns);

const char *iob_metric_name(enum iob_metric);
/* The word for it on the command line, and back; IOB_NMETRICS = unknown. */
const char *iob_metric_word(enum iob_metric);
enum iob_metric iob_metric_find(const char *word);

#endif
