/* SPDX-License-Identifier: MIT */
/* What jobs of `fio` need of engines and targets, checked before anything runs. */
#ifndef IOB_CLI_FIO_CHECK_H
#define IOB_CLI_FIO_CHECK_H

#include "cli/fio_args.h"
#include "job/fio_jobs.h"

/* Is each engine there, with the parameters that are given?  A depth that the engine does not have
 * is set to 1, with a note.  Usage errors name file:line:column. */
int iob_fio_check_engines(struct iob_fio_jobs *, struct iob_error *);
/* --readonly: refused for safety. */
int iob_fio_check_readonly(const struct iob_fio_jobs *, struct iob_error *);
/* Before running: more workers or files than a run has. */
int iob_fio_check_limits(const struct iob_fio_jobs *, struct iob_error *);
/* Before running: a file that is to be made needs a size. */
int iob_fio_check_sizes(const struct iob_fio_jobs *, struct iob_error *);

#endif
