/* SPDX-License-Identifier: MIT */
/*
 * fio's logs: lines "time, value, direction, block size, priority", one file for each worker and
 * kind.  The functions make the lines of records (src/measure/io_log.h) as text, without a '\0'
 * behind it; who writes the files sees to it that only whole lines stand in them.
 */
#ifndef IOB_RESULT_FIO_LOGS_H
#define IOB_RESULT_FIO_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/io_log.h"

enum iob_fio_log {
	IOB_FIO_LOG_BW,
	IOB_FIO_LOG_IOPS,
	IOB_FIO_LOG_SLAT,
	IOB_FIO_LOG_CLAT,
	IOB_FIO_LOG_LAT,
	IOB_FIO_LOG_HIST,
	IOB_FIO_NLOGS,
};

enum iob_fio_log_value { IOB_FIO_LOG_MEAN, IOB_FIO_LOG_MAX, IOB_FIO_LOG_BOTH };

/* Bins of a hist row before they are made coarser; all that is slower lies in the last. */
#define IOB_FIO_HIST_BINS      1856
#define IOB_FIO_MAX_COARSENESS 6

struct iob_fio_log_options {
	uint64_t epoch_ms;  /* added to all times (log_unix_epoch); 0 = since the start */
	uint64_t window_ns; /* log_avg_msec; 0 = a line for each transfer */
	enum iob_fio_log_value value;
	bool offset;         /* log_offset: a column for it */
	bool priority;       /* log_prio: the whole priority, in hex */
	unsigned coarseness; /* log_hist_coarseness, 0 to 6 */
	unsigned directions; /* bit d: the worker does it, and each window has a line for it */
};

/* "PREFIX_bw.1.log"; worker 0: "PREFIX_bw.log", all of them in one (per_job_logs=0).  0 or
 * -ENAMETOOLONG. */
int iob_fio_log_path(char *buf, size_t n, const char *prefix, enum iob_fio_log, unsigned worker);

/* More than the text of a record ever takes, in bytes; and that of a histogram. */
#define IOB_FIO_LOG_ROOM      ((size_t)512)
#define IOB_FIO_LOG_HIST_ROOM ((size_t)(IOB_FIO_HIST_BINS + 4) * 22)

/* Each returns where the text ends; `at` has room for it.  kind: any but HIST.  A transfer without
 * a slat has no line in that log. */
char *iob_fio_log_record(char *at, enum iob_fio_log kind, const struct iob_fio_log_options *,
	const struct iob_io_record *);
char *iob_fio_log_window(char *at, enum iob_fio_log kind, const struct iob_fio_log_options *,
	const struct iob_log_window *);
char *iob_fio_log_hist(char *at, const struct iob_fio_log_options *, const struct iob_log_hist *);

#endif
