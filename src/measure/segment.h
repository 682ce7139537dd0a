/* SPDX-License-Identifier: MIT */
/*
 * A segment is a stretch of constant parameters.  An I/O belongs to the segment under whose
 * parameters it was issued.  What the parameters were is known to the owner of the numbers (run/).
 */
#ifndef IOB_MEASURE_SEGMENT_H
#define IOB_MEASURE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/direction.h"
#include "measure/histogram.h"
#include "measure/hoststat.h"
#include "measure/latency.h"

enum iob_segment_kind {
	IOB_SEGMENT_LOAD,
	IOB_SEGMENT_RAMP,   /* before the measuring: shown, not in the totals */
	IOB_SEGMENT_PAUSED, /* no I/O was issued: not in the totals' time */
};

/* Counts of one direction over any stretch: exact. */
struct iob_tally {
	uint64_t ios, bytes;
	uint64_t issued, shorts, zeros, errors;
	struct iob_moments lat;
	struct iob_moments intended; /* from the intended time; n = 0: no rate */
};

void iob_tally_add(struct iob_tally *to, const struct iob_tally *from);

/* How long the oldest slot of the schedule had been due, of the worker that was latest, in the
 * newest interval that told of it. */
struct iob_behind {
	uint32_t interval;
	uint64_t ns;
};

void iob_behind_note(struct iob_behind *to, const struct iob_behind *from);

void iob_thin_note(uint32_t *thin_from, uint32_t interval);

/* Owned by the recorder; readers get struct iob_segment_figures. */
struct iob_segment {
	uint32_t id;
	uint32_t stage; /* of the plan */
	enum iob_segment_kind kind;
	uint64_t from_ns, to_ns; /* iob_now_ns scale; to_ns 0 while it is open */
	struct iob_tally dir[IOB_NDIR];
	struct iob_hist *hist[IOB_NDIR];     /* NULL until something came */
	struct iob_hist *intended[IOB_NDIR]; /* likewise, and without a rate */
	struct iob_behind behind;
	uint64_t syncs, sync_sum_ns, sync_max_ns;
	struct iob_diskstat disk; /* sum of the deltas of its intervals */
	uint64_t beside[2];       /* sectors read and written on the rest of its disk */
	uint64_t disk_ns;         /* time that disk covers */
	uint64_t gap_ns;          /* of its time, belongs to no load: set for the figures alone */
	uint64_t cpu_ns;          /* CPU time of the workers */
	uint32_t thin_from; /* interval in which the first worker ended; 0 = none has, or at once */
};

/* The figures of one direction, as all readers show them.  iops = ios / seconds, bw = bytes /
 * seconds over the same span, which is the segment without its gaps. */
struct iob_figures {
	uint64_t ios, bytes, issued, shorts, zeros, errors;
	double iops, bw; /* per second; bw in bytes */
	struct iob_latency lat;
	struct iob_latency intended; /* from the intended time to the end; n = 0: no rate */
};

struct iob_segment_figures {
	uint32_t id, stage;
	enum iob_segment_kind kind;
	bool open;
	uint64_t from_ms, to_ms; /* since t0 */
	double seconds;
	struct iob_figures dir[IOB_NDIR];
	struct iob_figures all; /* the directions together */
	uint64_t behind_ns;     /* with a rate: how late its schedule was at the end */
	double depth;           /* mean number in flight: sum of latencies / time (Little's law) */
	uint64_t syncs;
	double sync_mean_ns;
	uint64_t sync_max_ns;
	struct iob_iostat disk;
	bool has_disk;
	double cpu; /* CPU seconds of the workers per second */
	/* When the first worker ended, to an interval: from then on fewer did the work; 0 = none
	 * has yet.  Of one segment only. */
	uint64_t thin_ms;
};

/* now_ns closes an open segment for the purpose of the figures. */
void iob_segment_figures(
	struct iob_segment_figures *, const struct iob_segment *, uint64_t t0_ns, uint64_t now_ns);

#endif
