/* SPDX-License-Identifier: MIT */
/* Saving a run when it is over, so that its figures are not lost. */
#ifndef IOB_CLI_KEEP_H
#define IOB_CLI_KEEP_H

#include "cli/options.h"
#include "result/result.h"

/* As --save says.  Where that file cannot be written after all, and after a hang-up (signal:
 * SIGHUP) that nobody had prepared for, the run is kept in the state directory, else with the
 * temporary files, else the JSON goes to standard error; which of them is said there.  0, or the
 * negative errno of the file that was asked for. */
int iob_cli_keep(const struct iob_options *, const struct iob_result *, int signal);

/* The file could not be written, as *why says: the second half of the above. */
void iob_cli_rescue(const struct iob_result *, const struct iob_error *why);

#endif
