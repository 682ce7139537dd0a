/* SPDX-License-Identifier: MIT */
/* Which file the path of a report stands for, so that it can be told from targets and inputs. */
#ifndef IOB_JOB_REPORT_FILE_H
#define IOB_JOB_REPORT_FILE_H

#include <stdbool.h>

#include "job/plan.h"

/* Asks the file system, which may hang.  False for what is no regular file and will not become one:
 * nothing of that is replaced. */
bool iob_report_file(struct iob_plan_report *, const char *path);
bool iob_report_file_is(const struct iob_plan_report *, const struct iob_plan_report *);

#endif
