/* SPDX-License-Identifier: MIT */
/* What is said about the text of a job, and of which place in it. */
#ifndef IOB_JOB_MESSAGES_H
#define IOB_JOB_MESSAGES_H

#include <stddef.h>

#include "base/error.h"

/* Where something stands: "file:line:column"; line 0: the command line, column = number of the
 * argument. */
struct iob_place {
	const char *file; /* owned by the job file */
	unsigned line, column;
};

#define IOB_PLACE_MAX 320
/* "jobs.fio:3:5", or "argument 3" for the command line.  Returns buf. */
char *iob_place_format(char *buf, size_t n, const struct iob_place *);
/* A usage error with the place in front. */
int iob_fail_place(struct iob_error *, const struct iob_place *, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A line is added to the list (zeroed = empty), with the place in front unless that is NULL; when
 * memory is short it is left out. */
void iob_messages_add(char ***lines, size_t *n, const struct iob_place *, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void iob_messages_free(char **lines, size_t n);

#endif
