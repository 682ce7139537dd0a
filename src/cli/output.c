/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "cli/command.h"

const char *iob_output_path(const char *value)
{
	return strcmp(value, "-") == 0 ? NULL : value;
}

static char *path_of(const char *output, const struct iob_format *format, bool with_suffix)
{
	char *path;

	return asprintf(&path, "%s%s", output, with_suffix ? format->suffix : "") < 0 ? NULL : path;
}

static int one_report(const struct iob_result *r, const struct iob_format *format,
	const char *output, bool with_suffix, struct iob_error *err)
{
	IOB_FREE char *path = NULL;

	if (!output)
		return format->write(r, stdout, err);
	path = path_of(output, format, with_suffix);
	if (!path)
		return iob_fail(err, -ENOMEM, "write %s: %m", output);
	return iob_result_write(r, format, path, err);
}

int iob_output_reports(const struct iob_result *r, const struct iob_format_list *formats,
	const char *output, int status)
{
	struct iob_error err;
	int rc = 0;

	for (unsigned i = 0; i < formats->count && !rc; i++)
		rc = one_report(r, formats->item[i], output, formats->count > 1, &err);
	if (rc) {
		iob_cli_error(&err);
		return IOB_EXIT_FAILED;
	}
	return iob_cli_finish_stdout(status);
}

/* Opening a pipe would wait for its reader, and what was sent into it cannot be taken back. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

static int check_file(const char *option, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	struct iob_error why = {0};

	if (is_pipe(path))
		return 0;
	if (iob_atomic_file_open(&file, path, &why))
		return iob_fail_usage(err, "%s: %s; nothing was started", option, why.text);
	iob_atomic_file_abort(&file);
	return 0;
}

int iob_output_check(const struct iob_options *o, struct iob_error *err)
{
	int rc = 0;

	if (o->save && !o->no_save)
		rc = check_file("--save", o->save, err);
	for (unsigned i = 0; o->output && i < o->formats.count && !rc; i++) {
		IOB_FREE char *path = path_of(o->output, o->formats.item[i], o->formats.count > 1);

		if (!path)
			return iob_fail(err, -ENOMEM, "write %s: %m", o->output);
		rc = check_file("--output", path, err);
	}
	return rc;
}

/* A file that cannot be written after all: the report must not be lost. */
static int to_files(const struct iob_result *r, const struct iob_options *o, int status)
{
	for (unsigned i = 0; i < o->formats.count; i++) {
		struct iob_error err = {0};

		if (!one_report(r, o->formats.item[i], o->output, o->formats.count > 1, &err))
			continue;
		iob_cli_error(&err);
		fputs(PACKAGE_NAME ": the report goes to standard output instead\n", stderr);
		status = IOB_EXIT_FAILED;
		if (one_report(r, o->formats.item[i], NULL, false, &err))
			iob_cli_error(&err);
	}
	return iob_cli_finish_stdout(status);
}

int iob_output_deliver(const struct iob_result *r, const struct iob_options *o, int status)
{
	struct iob_error err = {0};
	int rc = 0;

	if (o->output)
		return to_files(r, o, status);
	errno = 0;
	for (unsigned i = 0; i < o->formats.count && !rc; i++)
		rc = one_report(r, o->formats.item[i], NULL, false, &err);
	bool written = !rc && !fflush(stdout);
	int cause = errno;

	if (written)
		return iob_cli_finish_stdout(status);
	if (!rc)
		iob_fail(&err, cause ? -cause : -EIO, "standard output could not be written: %m");
	iob_cli_error(&err);
	/* A reader that left wants no more. */
	if (cause == EPIPE)
		return status ? status : IOB_EXIT_FAILED;
	fputs(PACKAGE_NAME ": the report follows here instead\n", stderr);
	for (unsigned i = 0; i < o->formats.count; i++)
		o->formats.item[i]->write(r, stderr, &err);
	return status ? status : IOB_EXIT_FAILED;
}
