/* SPDX-License-Identifier: MIT */
/* What of a value counts for fio, where people write more than an option takes.  For fio_value.c
 * alone. */
#ifndef IOB_JOB_FIO_COUNTED_H
#define IOB_JOB_FIO_COUNTED_H

#include "job/param.h"

/* Beside enum iob_fio_said, which is smaller: each kind is said once in a run. */
enum iob_fio_left_out {
	IOB_FIO_LEFT_COMMENT = 1 << 20,
	IOB_FIO_LEFT_SPLIT = 1 << 21,
	IOB_FIO_LEFT_END = 1 << 22,
	IOB_FIO_LEFT_COLON = 1 << 23,
	IOB_FIO_LEFT_MORE = 1 << 24,
	IOB_FIO_LEFT_RANGE = 1 << 25,
};

/* A value of numbers as fio counts it, in words that the row takes; *kind and *words: what there is
 * to be said of the difference, or NULL.  To be freed; NULL = no memory. */
char *iob_fio_counted(
	const struct iob_param *, const char *text, unsigned *kind, const char **words);

#endif
