/* SPDX-License-Identifier: MIT */
/* fio's coarse distributions: latencies in 32 slots of ns, us and ms, and maps of depths. */
#ifndef IOB_RESULT_FIO_COARSE_H
#define IOB_RESULT_FIO_COARSE_H

#include <stdint.h>

#include "measure/histogram.h"

#define IOB_FIO_LAT_NS 10
#define IOB_FIO_LAT_US 10
#define IOB_FIO_LAT_MS 12
#define IOB_FIO_LEVELS 7

/* Per cent of all I/Os whose latency is below the bound of the name (and not below the one before
 * it). */
struct iob_fio_latencies {
	double ns[IOB_FIO_LAT_NS], us[IOB_FIO_LAT_US], ms[IOB_FIO_LAT_MS];
};

extern const char *const iob_fio_latency_names[IOB_FIO_LAT_MS];
/* Of depths, and of requests per call that submits or takes back. */
extern const char *const iob_fio_depth_names[IOB_FIO_LEVELS];
extern const char *const iob_fio_batch_names[IOB_FIO_LEVELS];

/* Add the shares of a histogram of ns (NULL = empty), out of total I/Os. */
void iob_fio_latencies_add(struct iob_fio_latencies *, const struct iob_hist *, uint64_t total);

#endif
