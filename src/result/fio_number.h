/* SPDX-License-Identifier: MIT */
/*
 * Numbers as fio's text report writes them: a number of digits that fits into a width, with a
 * prefix of 1000 or 1024, and times in a unit that suits the whole row.
 */
#ifndef IOB_RESULT_FIO_NUMBER_H
#define IOB_RESULT_FIO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IOB_FIO_NUMBER_MAX 32

enum iob_fio_unit {
	IOB_FIO_PLAIN,     /* "14.6k" */
	IOB_FIO_BYTES,     /* "17.1MiB" */
	IOB_FIO_BYTE_RATE, /* "17.0MiB/s" */
	IOB_FIO_BIT_RATE,  /* value in bytes per second: "7296Mbit/s" */
};

/*
 * At most `digits` digits, a fraction included (0 = 4); binary: steps of 1024 and Ki, Mi, else of
 * 1000 and k, M.  The value is divided until its whole part fits; what is left of the width becomes
 * decimals.  Returns buf.
 */
char *iob_fio_number(
	char *buf, size_t n, uint64_t value, unsigned digits, bool binary, enum iob_fio_unit unit);

/* A unit for all the times of a row, by its extremes. */
struct iob_fio_time_unit {
	const char *name; /* "nsec", "usec", "msec" */
	uint64_t ns;
};

/* For a row of min, max, avg and stdev. */
struct iob_fio_time_unit iob_fio_row_unit(uint64_t min_ns, uint64_t max_ns, double stddev_ns);
/* For a block of percentiles. */
struct iob_fio_time_unit iob_fio_percentile_unit(uint64_t min_ns, uint64_t max_ns);
/* A percentile in that unit: rounded up at each step of 1000, so that none reads too good. */
uint64_t iob_fio_percentile_in(struct iob_fio_time_unit, uint64_t ns);

#endif
