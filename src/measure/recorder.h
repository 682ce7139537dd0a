/* SPDX-License-Identifier: MIT */
/*
 * The recorder: a thread of the front that drains the rings, reads the disk's counters on the same
 * grid, and owns timeline and segments.  Nobody else holds a pointer into them: readers copy.
 * It knows nothing of processes, parameters or terminals.
 */
#ifndef IOB_MEASURE_RECORDER_H
#define IOB_MEASURE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/diskwatch.h"
#include "measure/gap.h"
#include "measure/heat.h"
#include "measure/ring.h"
#include "measure/segment.h"
#include "measure/timeline.h"
#include "measure/worker_view.h"

struct iob_recorder;

struct iob_recorder_config {
	struct iob_ring *rings; /* nrings of them in shared memory, stay valid until free */
	unsigned nrings;
	/* Called on the recorder's thread about every 20 ms, before draining; must not block.  For
	 * the owner to watch its load process. NULL = none. */
	void (*tick)(void *arg);
	void *arg;
	const char *root; /* "" = the real /proc */
	unsigned window; /* intervals whose histograms are kept for percentiles of late samples, 0 =
			    all that there is room for; 11 at least */
	unsigned drain_every_ms; /* 0 = default (20); tests make the reader late with it */
};

int iob_recorder_new(
	struct iob_recorder **, const struct iob_recorder_config *, struct iob_error *);
/* Starts the thread (all signals blocked in it). */
int iob_recorder_start(struct iob_recorder *, struct iob_error *);

/* From any thread: */

/* The grid's origin; before it is set nothing is recorded.  Once. */
void iob_recorder_begin(struct iob_recorder *, uint64_t t0_ns);
/* Watch this disk from now on (may come before or after begin), or none (NULL).  A disk that cannot
 * be read is not an error: has_disk stays false.  before: what was read of it earlier, or ns = 0;
 * what it did since then counts.  The same disk as before is just watched on. */
void iob_recorder_watch_disk(struct iob_recorder *, const struct iob_diskline *,
	const struct iob_diskwatch_point *before);
/* How many workers there are: an interval is kept open for the first so many.  Before that, for all
 * rings. */
void iob_recorder_expect(struct iob_recorder *, unsigned workers);
/* A new segment is in force since `from_ns`; closes the one before it at that time.  Ids count from
 * 0 without gaps: id must be the number of segments so far.  Samples of a segment that was not
 * announced yet are kept for it. */
int iob_recorder_segment(struct iob_recorder *, uint32_t id, uint32_t stage,
	enum iob_segment_kind kind, uint64_t from_ns);
/* The stage is over: closes the open segment; intervals are IDLE until the next segment. */
void iob_recorder_close_segment(struct iob_recorder *, uint64_t to_ns);

/* The load process did not run in this time. */
void iob_recorder_gap(struct iob_recorder *, const struct iob_gap *);

/* Stop the thread after one last drain of all rings (and of the disk's counters).  Idempotent. */
void iob_recorder_stop(struct iob_recorder *);
void iob_recorder_free(struct iob_recorder *);

/* Reading: all copy under the recorder's mutex. */

/* Everything that a live screen shows besides graphs. */
struct iob_recorder_view {
	uint64_t t0_ns; /* 0 = not begun */
	uint64_t now_ns;
	uint64_t intervals; /* closed entries of the timeline */
	unsigned nsegments;
	struct iob_segment_figures segment; /* the current (or last) one, up to now */
	struct iob_segment_figures now;   /* the last second, from its intervals; id = segment's */
	struct iob_segment_figures total; /* all load segments together */
	struct iob_iostat disk;           /* the last second */
	uint64_t disk_in_flight;
	bool has_disk;
	unsigned disk_paths;    /* the disk's figures are the sum of so many paths; 0 = its own */
	uint64_t beside[2];     /* sectors that others read and wrote on the rest of the disk of a
				   partition, over the load segments */
	double host_cpu;        /* busy share of the whole machine over the last second, 0..1 */
	double host_cpu_in_all; /* the same since the measuring began */
	double worker_cpu_max;  /* busiest worker: share of a CPU over the load segments, 0..1 */
	double worker_cpu_sum;  /* all workers: CPUs, likewise */
	uint64_t longest_stall_ns; /* longest run of load intervals without any completion */
	struct iob_gap_view gap;
	uint64_t late;          /* samples that came after their interval was closed */
	unsigned workers_ended; /* whose last sample has been read */
};

void iob_recorder_view(struct iob_recorder *, struct iob_recorder_view *);

/* Copy up to n timeline entries beginning at `from`; returns how many. The newest entries may still
 * grow. */
size_t iob_recorder_timeline(
	struct iob_recorder *, size_t from, struct iob_interval *out, size_t n);
/* The last `intervals` closed ones (at most 128) as if they were a segment: dearer than a view. */
void iob_recorder_recent(struct iob_recorder *, size_t intervals, struct iob_segment_figures *);
/* The spread of latencies in up to n closed intervals from `from` on; returns how many.  Those that
 * are no longer kept are empty. */
size_t iob_recorder_heat(struct iob_recorder *, size_t from, struct iob_heat *out, size_t n);
/* The last full second of each of the first n workers. */
void iob_recorder_workers(struct iob_recorder *, struct iob_worker_view *out, unsigned n);
/* Figures of a segment; false if there is none with this id. */
bool iob_recorder_segment_figures(struct iob_recorder *, uint32_t id, struct iob_segment_figures *);
/* Copy of the histogram of a segment and direction (empty if nothing came). */
bool iob_recorder_segment_hist(struct iob_recorder *, uint32_t id, enum iob_dir, struct iob_hist *);
/* Totals of all load segments of a stage (-1: of all stages) with their merged histograms (hist may
 * be NULL; else IOB_NDIR of them) and the sum of the disk's deltas over them (disk may be NULL). */
void iob_recorder_totals(struct iob_recorder *, int stage, struct iob_segment_figures *,
	struct iob_hist *hist, struct iob_diskstat *disk);

#endif
