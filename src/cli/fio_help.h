/* SPDX-License-Identifier: MIT */
/* What `iotop-bench fio` prints instead of running: on standard output.  For the fio_*.c files. */
#ifndef IOB_CLI_FIO_HELP_H
#define IOB_CLI_FIO_HELP_H

#include "cli/fio_args.h"
#include "job/fio_jobs.h"

void iob_fio_print_help(void);
void iob_fio_print_version(void);
/* name: an option, or "all". */
int iob_fio_print_cmdhelp(const char *name, struct iob_error *);
/* what: "" = the list of engines, "ENGINE" or "ENGINE,OPTION". */
int iob_fio_print_enghelp(const char *what, struct iob_error *);
/* The classes of --debug. */
void iob_fio_print_debughelp(void);
/* The jobs as one command line that gives the same jobs. */
void iob_fio_print_showcmd(const struct iob_fio_jobs *);
/* kind: "" = all. */
int iob_fio_print_crctest(const char *kind, struct iob_error *);
/* Returns the exit status. */
int iob_fio_print_cpuclock_test(void);
/* --idle-prof=calibrate: the unit of work. */
int iob_fio_print_idle_unit(struct iob_error *);

#endif
