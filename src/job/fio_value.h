/* SPDX-License-Identifier: MIT */
/*
 * Values as fio means them, written anew as the parameter table takes them: kb means 1024, numbers
 * may be hex, have units anywhere (iodepth=1k) and be arithmetic in parentheses.  What fio would
 * misread (fractions, "sec", "KiB", blanks) is read right, with one warning of each kind; what has
 * no sense is an error.  For the fio_*.c files alone.
 */
#ifndef IOB_JOB_FIO_VALUE_H
#define IOB_JOB_FIO_VALUE_H

#include "job/jobfile.h"
#include "job/param.h"

struct iob_fio_value_context {
	unsigned kb_base; /* 1024 or 1000 */
	const struct iob_place *place;
	char ***warning;
	size_t *nwarnings;
	unsigned *said; /* which kinds of warning were given already */
};

/* text: not NULL.  *out is to be freed by the caller; NULL on failure. */
int iob_fio_value(const struct iob_fio_value_context *, const struct iob_param *, const char *text,
	char **out, struct iob_error *);

#endif
