/* SPDX-License-Identifier: MIT */
/* One value of the table: between its text and its field.  For the param_*.c files alone. */
#ifndef IOB_JOB_PARAM_VALUE_H
#define IOB_JOB_PARAM_VALUE_H

#include "job/param.h"

static inline const void *iob_param_field(const struct iob_job *job, const struct iob_param *p)
{
	return (const char *)job + p->offset;
}

static inline void *iob_param_field_rw(struct iob_job *job, const struct iob_param *p)
{
	return (char *)job + p->offset;
}

static inline int64_t *iob_param_suffix(struct iob_job *job, const struct iob_param *p)
{
	return (int64_t *)(void *)((char *)job + p->suffix);
}

/* Of rows of type IOB_P_CHOICE. */
int iob_param_parse_choice(
	struct iob_job *, const struct iob_param *, const char *text, struct iob_error *);
char *iob_param_get_choice(const struct iob_job *, const struct iob_param *, char *buf, size_t n);

/* Somebody has set it, not its default. */
void iob_param_mark_given(struct iob_job *, const struct iob_param *);

/* Parse text (not NULL) into the field; a usage error leaves the field alone. */
int iob_param_parse(
	struct iob_job *, const struct iob_param *, const char *text, struct iob_error *);

#endif
