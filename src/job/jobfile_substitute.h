/* SPDX-License-Identifier: MIT */
/* ${VARIABLE}, $pagesize, $mb_memory and $ncpus in a line of a job file.  For the jobfile_*.c files
 * alone. */
#ifndef IOB_JOB_JOBFILE_SUBSTITUTE_H
#define IOB_JOB_JOBFILE_SUBSTITUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct iob_substitution {
	char *text;      /* owned by the caller */
	bool keyword;    /* one of the three was there: arithmetic is possible */
	char unset[128]; /* the first variable that is not set, "" = none */
};

/* text[0..n): 0, or -ENOMEM or -EINVAL (a variable without an end) with words in *why. */
int iob_substitute(struct iob_substitution *, const char *text, size_t n, const char **why);

#endif
