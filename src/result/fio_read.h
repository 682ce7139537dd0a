/* SPDX-License-Identifier: MIT */
/*
 * fio's own JSON, of the versions 2 and 3, as a result: a stage for each job, as far as the file
 * tells.  There is no timeline in it; what a version does not write is 0.
 */
#ifndef IOB_RESULT_FIO_READ_H
#define IOB_RESULT_FIO_READ_H

#include "result/json_in.h"
#include "result/result.h"

/* Into a zeroed result with a plan. What is of the wrong type sets the error of the source. */
void iob_fio_read(const struct iob_json_in *root, struct iob_result *);

#endif
