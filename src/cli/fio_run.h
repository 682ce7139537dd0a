/* SPDX-License-Identifier: MIT */
/* Runs the jobs of `iotop-bench fio` and prints what fio prints. */
#ifndef IOB_CLI_FIO_RUN_H
#define IOB_CLI_FIO_RUN_H

#include "cli/fio_args.h"
#include "job/fio_jobs.h"

/* Returns the exit status; errors are said on stderr. */
int iob_cli_fio_run(const struct iob_fio_args *, const struct iob_fio_jobs *);

#endif
