/* SPDX-License-Identifier: MIT */
/* What all writers of fio's reports compute from an entry. */
#ifndef IOB_RESULT_FIO_ENTRY_H
#define IOB_RESULT_FIO_ENTRY_H

#include "result/fio_coarse.h"
#include "result/fio_report.h"

/* Readers look for a version of fio ("fio-", major, minor), and choose by it how to read the rest;
 * which program wrote it is said elsewhere. */
#define IOB_FIO_VERSION "fio-3.33"

/* Bytes per second, whole, and requests per second, over the time of the direction. */
uint64_t iob_fio_bw(const struct iob_fio_dir_report *);
double iob_fio_iops(const struct iob_fio_dir_report *);

/* The spans of a direction that are to be shown: an empty one for what is switched off. */
struct iob_fio_spans {
	const struct iob_span *slat, *clat, *lat;
};
struct iob_fio_spans iob_fio_spans(const struct iob_fio_entry *, const struct iob_detail_dir *);

/* What there is of a span; fio shows no extremes of nothing. */
uint64_t iob_fio_min(const struct iob_span *);
uint64_t iob_fio_max(const struct iob_span *);
/* The values of e->percentile[], which need not be in order; out holds e->npercentiles. */
void iob_fio_percentiles(const struct iob_fio_entry *, const struct iob_span *, uint64_t *out);

/* Bandwidth as a share (per cent) of what the group moved, both in KiB/s, at most 100; 0 without
 * samples. */
double iob_fio_share_of_group(const struct iob_fio_samples *, double mean, double aggregate);

/* Rows of an entry: read, write, trim, or what unified asks for. */
struct iob_fio_row {
	const char *name; /* "read", "mixed" */
	const struct iob_fio_dir_report *dir;
	const struct iob_fio_group_dir *group; /* NULL if the group is not known */
	bool resets;                           /* zone resets belong to it */
};
#define IOB_FIO_MAX_ROWS (IOB_NDIR + 1)
unsigned iob_fio_rows(const struct iob_fio_report *, const struct iob_fio_entry *,
	struct iob_fio_row rows[IOB_FIO_MAX_ROWS]);

/* Requests of all directions, which distributions are shares of. */
uint64_t iob_fio_issued(const struct iob_fio_entry *);
/* Shares of total in per cent; what is not 0 is shown as 0.1 at least (latencies: 0.01). */
void iob_fio_levels(
	const uint64_t count[IOB_DETAIL_LEVELS], uint64_t total, double share[IOB_FIO_LEVELS]);
/* Of a map of calls: how many there were. */
uint64_t iob_fio_calls(const uint64_t count[IOB_DETAIL_LEVELS]);
void iob_fio_entry_latencies(const struct iob_fio_entry *, struct iob_fio_latencies *);

#endif
