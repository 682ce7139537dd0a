/* SPDX-License-Identifier: MIT */
/* Where reports go: stdout, or a file that is replaced as a whole. */
#ifndef IOB_CLI_OUTPUT_H
#define IOB_CLI_OUTPUT_H

#include "cli/options.h"
#include "result/result.h"

/* Every format in turn.  output NULL = stdout (flushed and checked by iob_cli_finish_stdout); with
 * several formats each goes to a file of its own, named output plus the format's suffix. */
int iob_output_reports(const struct iob_result *, const char *const *formats, unsigned nformats,
	const char *output, struct iob_error *);

/* Can the files of --output and --save be written?  To be asked before a run: afterwards is too
 * late.  Nothing is made or changed; a usage error names the option. */
int iob_output_check(const struct iob_options *, struct iob_error *);

/*
 * The reports after a run, as the options want them.  What cannot be written goes to the other
 * stream (standard output for a file, standard error for standard output), so that nothing is lost.
 * Returns the exit status: `status`, or IOB_EXIT_FAILED when something could not be written.
 */
int iob_output_deliver(const struct iob_result *, const struct iob_options *, int status);

#endif
