/* SPDX-License-Identifier: MIT */
/* Where reports go: standard output, or a file per format. */
#ifndef IOB_CLI_OUTPUT_H
#define IOB_CLI_OUTPUT_H

#include <stdbool.h>

#include "cli/format_list.h"
#include "cli/options.h"
#include "job/plan.h"

/* The value of --output.  "-" is what people write for the standard output: NULL, as if nothing was
 * named. */
const char *iob_output_path(const char *value);

/* Would both paths lead to one file?  By what is there, or by where it will be. */
bool iob_output_is_same_file(const char *a, const char *b);

/* Several formats need files: one after the other on standard output they could not be told apart.
 * Usage error. */
int iob_output_check_formats(
	const struct iob_format_list *, const char *output, struct iob_error *);

/* Would one of the files of --output (NULL = none) replace this one, which is read?  what: it is,
 * in words.  Usage error. */
int iob_output_check_input(const struct iob_format_list *, const char *output, const char *input,
	const char *what, struct iob_error *);

/* What a report may not replace, and what it would. */
struct iob_output_files {
	unsigned *count; /* of the reports so far; up to IOB_MAX_REPORTS */
	struct iob_plan_report *report;
	size_t ninputs;
	const char *const *input; /* paths of what was read */
	const char *what;         /* they are, in words: "job file" */
};

/* Can this file be written, and is it neither an input nor another report?  A usage error names the
 * option.  It is added to the reports.  1 = it is no regular file. */
int iob_output_check_file(
	struct iob_output_files *, const char *option, const char *path, struct iob_error *);

/* Can the files of --output and --save be written?  To be asked before a run: afterwards is too
 * late.  Nothing is made or changed; a usage error names the option.  The plan gets to know which
 * files would be replaced, so that none of them is taken as a target. */
int iob_output_check(const struct iob_options *, struct iob_error *);

/*
 * Every format in turn.  output NULL = stdout; with several formats each goes to a file of its own,
 * named output plus the format's suffix.  What cannot be written is said on stderr; if it is the
 * only copy of the figures it goes to the other stream (standard output for a file, standard error
 * for standard output), so that nothing is lost.  Returns the exit status: the given one, or
 * IOB_EXIT_FAILED.
 */
int iob_output_reports(const struct iob_result *, const struct iob_format_list *,
	const char *output, bool only_copy, int status);

/* The two halves of that where output is a file: the first says nothing, for as long as signals are
 * blocked and nobody may read; the second says what could not be written. */
struct iob_output_written {
	struct iob_error error[IOB_MAX_FORMATS];
};

void iob_output_write_files(const struct iob_result *, const struct iob_format_list *,
	const char *output, struct iob_output_written *);
int iob_output_tell_files(const struct iob_result *, const struct iob_format_list *,
	const struct iob_output_written *, bool only_copy, int status);

#endif
