/* SPDX-License-Identifier: MIT */
/*
 * What fio's logs (write_bw_log, write_iops_log, write_lat_log, write_hist_log) are written from:
 * plain records that a worker keeps, in the order in which they came; src/result/fio_logs.h makes
 * files of them.  Either one record per transfer (log_avg_msec=0) or one per window of the absolute
 * schedule: window k covers [k, k + 1) * log_avg_msec since the start of the measuring (the end of
 * a ramp), also one in which nothing came back.  Times are ns since then.
 *
 * Records are fixed in size and hold no pointers: they may lie in shared memory, and be handed over
 * in chunks.
 */
#ifndef IOB_MEASURE_IO_LOG_H
#define IOB_MEASURE_IO_LOG_H

#include <stdint.h>

#include "base/direction.h"
#include "measure/histogram.h"

/* No slat: the engine does one request at a time, or the kernel takes them by itself. */
#define IOB_IO_NO_SLAT UINT64_MAX

/* A transfer that came back, full or short.  lat = slat + clat, or clat alone without a slat. */
struct iob_io_record {
	uint64_t done_ns;
	uint64_t slat_ns; /* or IOB_IO_NO_SLAT */
	uint64_t clat_ns;
	uint64_t offset;
	uint32_t bytes;    /* really moved */
	uint16_t priority; /* as ioprio_set(2) knows it; 0 = nobody has said one */
	uint8_t dir;       /* enum iob_dir */
	uint8_t high;      /* 1: of the class real time */
};

struct iob_log_sum {
	uint64_t n, sum_ns, max_ns;
};

/* A window of one worker, all directions. */
struct iob_log_window {
	uint64_t index;  /* k: it ends at (k + 1) * log_avg_msec */
	uint64_t end_ns; /* that, but for the last of a run, which ends with the run */
	struct {
		uint64_t ios, bytes;
		struct iob_log_sum slat, clat, lat;
	} dir[IOB_NDIR];
};

/* What came back in a window of log_hist_msec, by clat. */
struct iob_log_hist {
	uint64_t end_ns;
	uint32_t block_size; /* of the newest request */
	uint32_t dir;        /* enum iob_dir */
	uint64_t count[IOB_HIST_BUCKETS + 1];
};

#endif
