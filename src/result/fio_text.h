/* SPDX-License-Identifier: MIT */
/* Pieces of fio's text report: fio_text.c puts them together. */
#ifndef IOB_RESULT_FIO_TEXT_H
#define IOB_RESULT_FIO_TEXT_H

#include "result/fio_entry.h"

/* A direction: its header line, spans, percentiles, bandwidth and IOPS. */
void iob_fio_text_row(const struct iob_fio_entry *, const struct iob_fio_row *, FILE *);
/* "    clat (usec): min=...": nothing if the span is empty. */
void iob_fio_text_span(const char *name, const struct iob_span *, FILE *);
void iob_fio_text_percentiles(
	const struct iob_fio_entry *, const char *name, const struct iob_span *, FILE *);
/* "  lat (usec)   : 2=0.50%, ...". */
void iob_fio_text_latencies(const struct iob_fio_entry *, FILE *);

/* "17.0MiB/s (17.8MB/s)" in the entry's order: the two halves. */
struct iob_fio_pair {
	char first[32], second[32];
};
struct iob_fio_pair iob_fio_pair_bytes(uint64_t bytes, int kb_base, unsigned digits);
struct iob_fio_pair iob_fio_pair_rate(
	double bytes_per_s, int kb_base, int unit_base, unsigned digits);

void iob_fio_text_group(const struct iob_fio_group *, FILE *);
void iob_fio_text_disk(const struct iob_fio_disk *, FILE *);

#define IOB_FIO_IDLE_TITLE "CPU idleness:\n"
/* The line about the unit alone. */
void iob_fio_text_idle_unit(const struct iob_idleness *, FILE *);

#endif
