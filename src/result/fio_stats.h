/* SPDX-License-Identifier: MIT */
/* What fio's report has that ours does not need: statistics over 500 ms samples, and coarse
 * distributions. */
#ifndef IOB_RESULT_FIO_STATS_H
#define IOB_RESULT_FIO_STATS_H

#include "result/fio_coarse.h"
#include "result/result.h"

/* fio's default for bwavgtime and iopsavgtime. */
#define IOB_FIO_SAMPLE_MS 500

struct iob_fio_series {
	uint64_t samples;
	double min, max, mean, dev;
};

/* Bandwidth in KiB/s and IOPS of one direction of a stage, by samples of 500 ms over its load
 * segments; intervals in which nothing came count.  A stretch shorter than 500 ms in all is one
 * sample. */
void iob_fio_series(const struct iob_result *, unsigned stage, enum iob_dir,
	struct iob_fio_series *bw, struct iob_fio_series *iops);

void iob_fio_latencies(const struct iob_result_stage *, struct iob_fio_latencies *);

/* Per cent of the stage's I/Os by the depth that was in force for each worker. */
void iob_fio_depths(const struct iob_result *, unsigned stage, double share[IOB_FIO_LEVELS]);

#endif
