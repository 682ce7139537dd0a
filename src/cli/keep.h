/* SPDX-License-Identifier: MIT */
/* Saving a run when it is over, so that its figures are not lost. */
#ifndef IOB_CLI_KEEP_H
#define IOB_CLI_KEEP_H

#include <stdbool.h>

#include "cli/options.h"
#include "result/result.h"

/* What became of it. */
struct iob_kept {
	struct iob_error error;   /* of the file that was asked for */
	bool rescued;             /* it was to be kept elsewhere */
	bool somewhere;           /* and is */
	char path[IOB_PATH_MAX];  /* where */
	struct iob_error nowhere; /* why it is not */
};

/* As --save says.  Where that file cannot be written after all, and after a hang-up (signal:
 * SIGHUP) that nobody had prepared for, the run is kept in the state directory, else with the
 * temporary files.  Says nothing: signals may still be blocked, and nobody may read.  0, or the
 * negative errno of the file that was asked for. */
int iob_cli_keep(
	const struct iob_options *, const struct iob_result *, int signal, struct iob_kept *);

/* Say it on standard error; what is kept nowhere follows there as JSON. */
void iob_cli_tell_kept(const struct iob_kept *, const struct iob_result *);

#endif
