/* SPDX-License-Identifier: MIT */
/*
 * The histograms of the newest intervals, so that late samples still count in their percentiles and
 * the last second can be merged exactly.  A slot keeps its histograms when it passes on to another
 * interval: after the first turn nothing is allocated.
 */
#ifndef IOB_MEASURE_WINDOW_H
#define IOB_MEASURE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/ring.h"
#include "measure/segment.h"
#include "measure/timeline.h"

#define IOB_WINDOW_INTERVALS 128 /* 12.8 s */

struct iob_window_slot {
	bool used;
	size_t interval;
	struct iob_tally dir[IOB_NDIR];
	struct iob_hist *hist[IOB_NDIR];     /* owned; NULL until something came */
	struct iob_hist *intended[IOB_NDIR]; /* likewise; from the intended times */
};

/* Zeroed = empty. */
struct iob_window {
	unsigned width; /* slots in use, 0 = all: set before anything comes */
	struct iob_window_slot slot[IOB_WINDOW_INTERVALS];
};

static inline size_t iob_window_width(const struct iob_window *w)
{
	return w->width ? w->width : IOB_WINDOW_INTERVALS;
}

/* The slot of an interval, emptied if an older one held it; NULL if the interval has left the
 * window. */
struct iob_window_slot *iob_window_at(struct iob_window *, size_t interval);
/* The same without changing anything; NULL if nothing came for the interval. */
const struct iob_window_slot *iob_window_find(const struct iob_window *, size_t interval);
void iob_window_free(struct iob_window *);

/* One of `parts` equal parts of a direction's buckets: the latencies are dealt out in turn, so that
 * each part has the shape of the whole, exactly n / parts of them; the last part also takes the
 * remainder. */
struct iob_deal {
	const struct iob_sample_entry *entry;
	uint32_t entries;
	uint64_t n; /* sum of the entries' counts */
	uint32_t part, parts;
};

/* Add what the part gets to a slot's histogram of that direction. */
void iob_window_add(struct iob_window_slot *, enum iob_dir, const struct iob_deal *,
	const struct iob_tally *share);

/* The same for the latencies from the intended times, which are counted with the share. */
void iob_window_add_intended(struct iob_window_slot *, enum iob_dir, const struct iob_deal *);

/* Write the percentiles of a slot into its entry of the timeline. */
void iob_window_close(const struct iob_window_slot *, struct iob_interval *);

/* Add buckets to a histogram that is allocated when first needed.  Without memory the histogram
 * stays as it is: counts and moments do not depend on it. */
void iob_hist_add_entries(
	struct iob_hist **, const struct iob_sample_entry *entry, uint32_t entries);

#endif
