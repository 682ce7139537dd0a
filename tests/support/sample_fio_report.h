/* SPDX-License-Identifier: MIT */
/*
 * A report as two jobs in one group leave it: "mix" (libaio, 1000 reads of 4 KiB and 500 writes of
 * 8 KiB in a second, 50 fsyncs, two members) and "lone" (2000 synchronous trims of 64 KiB in two
 * seconds); a volume over one disk.
 */
#ifndef IOB_TESTS_SAMPLE_FIO_REPORT_H
#define IOB_TESTS_SAMPLE_FIO_REPORT_H

#include "result/fio_report.h"

/* To be freed with iob_fio_report_free. */
void iob_sample_fio_report(struct iob_fio_report *);

/* n times value. */
void iob_sample_span(struct iob_span *, uint64_t value, uint64_t n);

/* Of the CPUs 0 and 2. */
extern const struct iob_idleness iob_sample_idleness;

#endif
