/* SPDX-License-Identifier: MIT */
/* Subcommands: one file each, a table of them in main.c. */
#ifndef IOB_CLI_COMMAND_H
#define IOB_CLI_COMMAND_H

#include "base/error.h"

enum iob_exit {
	IOB_EXIT_OK = 0,
	IOB_EXIT_FAILED = 1, /* the run failed, or a report could not be written */
	IOB_EXIT_USAGE = 2,
	IOB_EXIT_REFUSED = 3,  /* for safety */
	IOB_EXIT_GATE = 4,     /* a demanded limit was missed */
	IOB_EXIT_SIGNAL = 128, /* + number */
};

/* argv[0] is the subcommand's name.  Return the exit status. */
int iob_cmd_run(int argc, char **argv);
int iob_cmd_check(int argc, char **argv);
int iob_cmd_fio(int argc, char **argv);
int iob_cmd_report(int argc, char **argv);
int iob_cmd_compare(int argc, char **argv);
int iob_cmd_devices(int argc, char **argv);
int iob_cmd_profiles(int argc, char **argv);
int iob_cmd_engines(int argc, char **argv);
int iob_cmd_params(int argc, char **argv);

/* "iotop-bench: TEXT" on stderr, cleaned of control characters; returns the exit status of the
 * error. */
int iob_cli_error(const struct iob_error *);
/* Flush stdout and check it: a report that could not be written is exit status 1 (said on stderr).
 * Returns status if all is well. */
int iob_cli_finish_stdout(int status);

#endif
