/* SPDX-License-Identifier: MIT */
/* Where reports go: stdout, or a file that is replaced as a whole. */
#ifndef IOB_CLI_OUTPUT_H
#define IOB_CLI_OUTPUT_H

#include "cli/format_list.h"
#include "cli/options.h"

/* The value of --output.  "-" is what people write for the standard output: NULL, as if nothing was
 * named. */
const char *iob_output_path(const char *value);

/* Every format in turn.  output NULL = stdout; with several formats each goes to a file of
 * its own, named output plus the format's suffix.  Says on stderr what went wrong and returns the
 * exit status: the given one, if all was written. */
int iob_output_reports(
	const struct iob_result *, const struct iob_format_list *, const char *output, int status);

/* Can the files of --output and --save be written?  To be asked before a run: afterwards is too
 * late.  Nothing is made or changed; a usage error names the option. */
int iob_output_check(const struct iob_options *, struct iob_error *);

/* The reports after a run, as the options want them: like iob_output_reports, but what cannot be
 * written goes to the other stream (standard output for a file, standard error for standard
 * output), so that nothing is lost. */
int iob_output_deliver(const struct iob_result *, const struct iob_options *, int status);

#endif
