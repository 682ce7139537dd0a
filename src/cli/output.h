/* SPDX-License-Identifier: MIT */
/* Where reports go: stdout, or a file that is replaced as a whole. */
#ifndef IOB_CLI_OUTPUT_H
#define IOB_CLI_OUTPUT_H

#include "result/result.h"

/* Every format in turn.  output NULL = stdout (flushed and checked by iob_cli_finish_stdout); with
 * several formats each goes to a file of its own, named output plus the format's suffix. */
int iob_output_reports(const struct iob_result *, const char *const *formats, unsigned nformats,
	const char *output, struct iob_error *);

#endif
