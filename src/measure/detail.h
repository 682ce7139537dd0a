/* SPDX-License-Identifier: MIT */
/*
 * What fio's reports want to know of one worker and the samples do not carry: the spans slat, clat
 * and lat each for itself, the maps of depths, how long syncs took, what the thread used.  In the
 * shared memory, one per worker, only if the plan asks for it (iob_plan.detail).
 *
 * The worker alone writes.  Readers may look at any time: each number is right for itself, but only
 * when the worker has ended do they all belong together.  Spans are those of fio
 * (doc/measuring.md): slat = issue - start, clat = complete - issue, lat = complete - start, with
 * issue stamped when the call that submitted has returned; an engine that does one request at a
 * time has no slat.
 */
#ifndef IOB_MEASURE_DETAIL_H
#define IOB_MEASURE_DETAIL_H

#include <stdint.h>

#include "base/direction.h"
#include "measure/histogram.h"
#include "measure/latency.h"

#define IOB_DETAIL_LEVELS 7

/* A span's exact moments and its histogram. */
struct iob_span {
	struct iob_moments moments;
	struct iob_hist hist;
};

struct iob_detail_dir {
	struct iob_span slat, clat, lat; /* of transfers, full or short */
	uint64_t issued, issued_bytes;   /* handed to the engine */
	uint64_t ios, bytes;             /* transfers that came back, bytes really moved */
	uint64_t shorts;                 /* of ios */
	uint64_t errors;                 /* negative results, or nothing moved */
};

struct iob_detail {
	struct iob_detail_dir dir[IOB_NDIR];
	struct iob_span sync; /* fsync, fdatasync, sync_file_range: issue to completion */
	uint64_t syncs_issued;
	/* Requests by how many were out when they were submitted, themselves included: 1, 2-3, 4-7,
	 * 8-15, 16-31, 32-63, 64 and more. */
	uint64_t depth[IOB_DETAIL_LEVELS];
	/* Calls that submitted and that took back, by how many requests: 0, 1-4, 5-8, 9-16, 17-32,
	 * 33-64, more. */
	uint64_t submit[IOB_DETAIL_LEVELS];
	uint64_t complete[IOB_DETAIL_LEVELS];
	uint64_t total_errors; /* that were let pass (continue_on_error) */
	int32_t first_error;   /* errno of the first failed request, let pass or not; 0 = none */
	/* Of the worker's thread, from the start barrier to its end (or to the newest boundary). */
	uint64_t user_ns, system_ns;
	uint64_t context_switches, major_faults, minor_faults;
	uint64_t begin_ns, end_ns; /* iob_now_ns scale: of measuring (after a ramp), and its end */
	uint64_t gap_ns;           /* between them, in which the program did not run */
};

/*
 * The latencies once more, by the priority of the request, where requests have priorities of their
 * own: clat, or lat where the report has percentiles of that.  Beside struct iob_detail, since few
 * want it; what has no bit in `seen` was never touched.
 */
#define IOB_DETAIL_PRIORITIES 32
struct iob_detail_priorities {
	uint32_t seen[2]; /* of reads and writes: bit i belongs to span i */
	struct iob_span span[2][IOB_DETAIL_PRIORITIES];
};

void iob_span_add(struct iob_span *to, const struct iob_span *from);
void iob_detail_priorities_add(
	struct iob_detail_priorities *to, const struct iob_detail_priorities *from);

/* Counts, spans and what the threads used are added; times stay as they are, and of the first
 * errors that of `to`. */
void iob_detail_add(struct iob_detail *to, const struct iob_detail *from);
void iob_detail_dir_add(struct iob_detail_dir *to, const struct iob_detail_dir *from);

#endif
