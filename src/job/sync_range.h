/* SPDX-License-Identifier: MIT */
/* The row sync_file_range: its check, and what follows from its text. */
#ifndef IOB_JOB_SYNC_RANGE_H
#define IOB_JOB_SYNC_RANGE_H

struct iob_job;

/* 0, or -EINVAL with *why. */
int iob_sync_range_check(const char *text, const char **why);
/* job->sync_file_range as the text says. */
void iob_sync_range_settle(struct iob_job *);

#endif
