/* SPDX-License-Identifier: MIT */
/*
 * The recorder's books: timeline, segments and totals, kept from samples and disk counters.  Plain
 * sequential code without threads, files or a clock: the time is told.  The recorder holds its lock
 * around every call.
 */
#ifndef IOB_MEASURE_LEDGER_H
#define IOB_MEASURE_LEDGER_H

#include "measure/gap.h"
#include "measure/heat.h"
#include "measure/recorder.h"
#include "measure/window.h"

/* What is known of one worker (ring). */
struct iob_ledger_worker {
	bool delivered;  /* ever */
	bool ended;      /* its last sample was read; one that starts anew in the ring clears it */
	bool silent;     /* was waited for in vain: not again before it delivers */
	size_t complete; /* intervals before this one are fully reported */
	uint64_t cpu_ns; /* in load segments */
	struct iob_worker_seconds seconds;
};

/* Search for the longest stretch without a completion: done up to, but not including, `next`. */
struct iob_stall_scan {
	size_t next;
	uint64_t run, longest; /* intervals */
};

/* What the disk did in (from_ns, to_ns]. */
struct iob_ledger_disk {
	struct iob_diskstat delta;
	struct iob_diskstat beside; /* on the rest of the disk of a partition */
	uint64_t from_ns, to_ns;
	size_t k;      /* the interval of to_ns; 0 before the origin is known */
	bool complete; /* k is now covered to its end */
};

/* A segment is announced within that many readings, or it begins with a later one. */
#define IOB_LEDGER_LOOSE 32

struct iob_ledger {
	uint64_t t0_ns; /* 0 = not begun */
	struct iob_timeline timeline;
	size_t closed;    /* entries whose percentiles have been made */
	size_t idle_from; /* entries from here on belong to no running stage */
	struct iob_window window;
	struct iob_heat_ring heat;
	struct iob_segment *segment; /* room of them, zeroed until used */
	size_t announced, room;
	struct iob_segment total; /* of the load segments, whose times do not follow each other */
	struct iob_ledger_worker *worker;
	unsigned nworkers;
	unsigned expected; /* workers that an interval is kept open for: the first so many */
	uint64_t late;
	struct iob_stall_scan stall;
	struct iob_ledger_disk loose[IOB_LEDGER_LOOSE]; /* a circle */
	size_t nloose;                                  /* ever put in since the last segment */
	struct iob_gap gap[IOB_MAX_GAPS];
	size_t ngaps;
};

int iob_ledger_init(struct iob_ledger *, unsigned nworkers);
void iob_ledger_free(struct iob_ledger *);

/* See iob_recorder_begin, _segment, _close_segment. */
void iob_ledger_begin(struct iob_ledger *, uint64_t t0_ns);
int iob_ledger_segment(struct iob_ledger *, uint32_t id, uint32_t stage, enum iob_segment_kind kind,
	uint64_t from_ns);
void iob_ledger_close_segment(struct iob_ledger *, uint64_t to_ns);
/* Is a segment in force? */
bool iob_ledger_is_open(const struct iob_ledger *);

/* Enter a sample of a worker.  Nothing that it says leads out of bounds: an interval in the future
 * is taken as the current one, a segment far beyond those known as the newest. */
void iob_ledger_sample(
	struct iob_ledger *, unsigned worker, const struct iob_popped *, uint64_t now_ns);

/* Enter it into the timeline up to entry k, and into the segments in force in that time, by share
 * of time.  What is in none is kept for one that is announced later than it begins. */
void iob_ledger_disk(struct iob_ledger *, const struct iob_ledger_disk *);

/* The load process did not run.  Gaps before the origin, and more than are kept, are left out. */
void iob_ledger_gap(struct iob_ledger *, const struct iob_gap *, uint64_t now_ns);

/* The clock went on: the timeline grows, and intervals that everybody has reported (or should have,
 * a second ago) are closed. */
void iob_ledger_advance(struct iob_ledger *, uint64_t now_ns);
/* Nothing more will come: close all. */
void iob_ledger_finish(struct iob_ledger *, uint64_t now_ns);

/* Reading; the fields of the view that concern disk and CPU of the machine are left alone. */
void iob_ledger_view(struct iob_ledger *, uint64_t now_ns, struct iob_recorder_view *);
void iob_ledger_totals(struct iob_ledger *, int stage, uint64_t now_ns,
	struct iob_segment_figures *, struct iob_hist *hist, struct iob_diskstat *disk);
/* Of a segment that is announced. */
void iob_ledger_segment_figures(
	const struct iob_ledger *, size_t id, uint64_t now_ns, struct iob_segment_figures *);
uint64_t iob_ledger_longest_stall_ns(struct iob_ledger *);
/* The newest `n` closed intervals as if they were a segment. */
void iob_ledger_recent(const struct iob_ledger *, size_t n, struct iob_segment_figures *);
/* See iob_recorder_heat, _workers. */
size_t iob_ledger_heat(const struct iob_ledger *, size_t from, struct iob_heat *out, size_t n);
void iob_ledger_workers(const struct iob_ledger *, struct iob_worker_view *out, unsigned n);

/* For the ledger's own files: */

static inline size_t iob_ledger_interval_of(const struct iob_ledger *l, uint64_t ns)
{
	return ns > l->t0_ns ? (size_t)((ns - l->t0_ns) / IOB_INTERVAL_NS) : 0;
}

static inline uint64_t iob_ledger_start_of(const struct iob_ledger *l, size_t k)
{
	return l->t0_ns + k * IOB_INTERVAL_NS;
}

/* First interval that begins at or after the time. */
static inline size_t iob_ledger_after(const struct iob_ledger *l, uint64_t ns)
{
	size_t k = iob_ledger_interval_of(l, ns);

	return iob_ledger_start_of(l, k) < ns ? k + 1 : k;
}

/* The part of a segment up to to_ns that lies in gaps: its gap_ns grows by that time, and what the
 * disk did then is taken out of its sums. */
void iob_ledger_leave_out_gaps(
	const struct iob_ledger *, struct iob_segment *, uint64_t from_ns, uint64_t to_ns);
void iob_ledger_view_gaps(const struct iob_ledger *, uint64_t now_ns, struct iob_gap_view *);

/* Entry k, labelled if it is new.  Without memory for it the newest one takes its counts, so that
 * the sums stay exact; NULL if there is none at all. */
struct iob_interval *iob_ledger_entry(struct iob_ledger *, size_t k);
/* Room for a segment's slot; false when memory is short. */
bool iob_ledger_make_room(struct iob_ledger *, size_t id);
/* Make the percentiles of the entry `closed`, which must exist. */
void iob_ledger_close_next(struct iob_ledger *);
/* Entry k changed: what was found out about stalls from there on no longer holds. */
void iob_ledger_scan_again(struct iob_ledger *, size_t k);
/* Spread the latencies of a slot of the window over its interval of the heat. */
void iob_ledger_heat_up(struct iob_ledger *, const struct iob_window_slot *, size_t k);
void iob_ledger_merge(struct iob_segment *to, const struct iob_segment *from);

#endif
