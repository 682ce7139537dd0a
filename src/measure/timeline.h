/* SPDX-License-Identifier: MIT */
/*
 * The run on its absolute grid: entry k covers [t0 + k d, t0 + (k + 1) d), d = IOB_INTERVAL_NS.  An
 * interval in which nothing completed is an entry of zeros.  Owned by the recorder.
 */
#ifndef IOB_MEASURE_TIMELINE_H
#define IOB_MEASURE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/direction.h"
#include "measure/hoststat.h"

struct iob_interval_dir {
	uint64_t ios, bytes;
	uint64_t sum_ns;
	uint64_t p50_ns, p99_ns, p999_ns, max_ns; /* 0 when ios is 0 */
};

enum iob_interval_flag {
	IOB_INTERVAL_LATE = 1,       /* counts arrived after its percentiles were closed */
	IOB_INTERVAL_SPREAD = 2,     /* a sample over several intervals was divided evenly */
	IOB_INTERVAL_DISK = 4,       /* disk is valid */
	IOB_INTERVAL_IDLE = 8,       /* no stage was running (between stages, paused, layout) */
	IOB_INTERVAL_DISK_LATE = 32, /* its share of a reading of the disk over several */
	IOB_INTERVAL_GAP = 16,       /* the load process is said not to have run for some of it */
};

struct iob_interval {
	uint32_t segment; /* the newest segment that was in force in it */
	uint32_t flags;
	uint32_t errors;
	uint32_t syncs;
	struct iob_interval_dir dir[IOB_NDIR];
	struct iob_diskstat disk; /* delta over the interval */
	uint32_t beside[2];       /* sectors that others read and wrote on the rest of the disk of a
				     partition */
};

/* Did it not run at all?  What was said counts only if nothing came back. */
static inline bool iob_interval_is_gap(const struct iob_interval *e)
{
	uint64_t any = e->errors | e->syncs;

	for (int d = 0; d < IOB_NDIR; d++)
		any |= e->dir[d].ios;
	return (e->flags & IOB_INTERVAL_GAP) && any == 0;
}

/* Zeroed = empty. */
struct iob_timeline {
	struct iob_interval *entry;
	size_t count, room;
};

/* Entry k, growing with zeros; NULL when memory is short. */
struct iob_interval *iob_timeline_at(struct iob_timeline *, size_t k);
void iob_timeline_free(struct iob_timeline *);

/* Sum a range of entries into one (percentiles: the largest; exact ones need the histograms). */
void iob_timeline_fold(struct iob_interval *out, const struct iob_interval *entry, size_t n);

#endif
