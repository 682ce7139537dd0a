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

/* Without the suffix of one of the formats: "out.txt" stands for out.txt and out.json. */
static size_t base_of(const struct iob_format_list *formats, const char *output)
{
	size_t n = strlen(output);

	for (unsigned i = 0; i < formats->count; i++) {
		size_t suffix = strlen(formats->item[i]->suffix);

		if (suffix && n > suffix && output[n - suffix - 1] != '/' &&
			strcmp(output + n - suffix, formats->item[i]->suffix) == 0)
			return n - suffix;
	}
	return n;
}

/* The file of one format; to be freed. NULL when memory is short. */
static char *path_of(const struct iob_format_list *formats, unsigned i, const char *output)
{
	bool many = formats->count > 1;
	char *path;

	if (asprintf(&path, "%.*s%s", (int)(many ? base_of(formats, output) : strlen(output)),
		    output, many ? formats->item[i]->suffix : "") < 0)
		return NULL;
	return path;
}

/* Opening a pipe would wait for its reader, and what was sent into it cannot be taken back. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

static void note_replaced(struct iob_plan *plan, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && plan->nreports < IOB_MAX_REPORTS)
		plan->report[plan->nreports++] =
			(struct iob_plan_report){.dev = st.st_dev, .ino = st.st_ino};
}

static int check_file(
	struct iob_plan *plan, const char *option, const char *path, struct iob_error *err)
{
	struct iob_atomic_file file = {0};
	struct iob_error why = {0};

	if (is_pipe(path))
		return 0;
	if (iob_atomic_file_open(&file, path, &why))
		return iob_fail_usage(err, "%s: %s; nothing was started", option, why.text);
	iob_atomic_file_abort(&file);
	note_replaced(plan, path);
	return 0;
}

int iob_output_check_formats(
	const struct iob_format_list *formats, const char *output, struct iob_error *err)
{
	if (formats->count < 2 || output)
		return 0;
	return iob_fail_usage(err,
		"--format: %u reports on standard output would run into each other; give --output=FILE, "
		"which gets a suffix for each",
		formats->count);
}

int iob_output_check(struct iob_plan *plan, const struct iob_format_list *formats,
	const char *output, const char *save, struct iob_error *err)
{
	plan->nreports = 0;
	int rc = iob_output_check_formats(formats, output, err);
	if (rc)
		return rc;
	rc = save ? check_file(plan, "--save", save, err) : 0;

	for (unsigned i = 0; output && i < formats->count && !rc; i++) {
		IOB_FREE char *path = path_of(formats, i, output);

		if (!path)
			return iob_fail(err, -ENOMEM, "write %s: %m", output);
		rc = check_file(plan, "--output", path, err);
	}
	return rc;
}

static int write_file(const struct iob_result *r, const struct iob_format_list *formats, unsigned i,
	const char *output, struct iob_error *err)
{
	IOB_FREE char *path = path_of(formats, i, output);

	if (!path)
		return iob_fail(err, -ENOMEM, "write %s: %m", output);
	return iob_result_write(r, formats->item[i], path, err);
}

/* A file that cannot be written after all: the report must not be lost. */
static int to_files(const struct iob_result *r, const struct iob_format_list *formats,
	const char *output, bool only_copy, int status)
{
	for (unsigned i = 0; i < formats->count; i++) {
		struct iob_error err = {0};

		if (!write_file(r, formats, i, output, &err))
			continue;
		iob_cli_error(&err);
		status = IOB_EXIT_FAILED;
		if (!only_copy)
			continue;
		fputs(PACKAGE_NAME ": the report goes to standard output instead\n", stderr);
		if (formats->item[i]->write(r, stdout, &err))
			iob_cli_error(&err);
	}
	return iob_cli_finish_stdout(status);
}

/* 0, or the errno of what went wrong, with *err set. */
static int to_stdout(
	const struct iob_result *r, const struct iob_format_list *formats, struct iob_error *err)
{
	int rc = 0;

	errno = 0;
	for (unsigned i = 0; i < formats->count && !rc; i++)
		rc = formats->item[i]->write(r, stdout, err);
	if (!rc && !fflush(stdout))
		return 0;
	int cause = errno ? errno : EIO;
	if (!rc)
		iob_fail(err, -cause, "standard output could not be written: %m");
	return cause;
}

int iob_output_reports(const struct iob_result *r, const struct iob_format_list *formats,
	const char *output, bool only_copy, int status)
{
	struct iob_error err = {0};

	if (output)
		return to_files(r, formats, output, only_copy, status);
	int cause = to_stdout(r, formats, &err);
	if (!cause)
		return iob_cli_finish_stdout(status);
	iob_cli_error(&err);
	status = status ? status : IOB_EXIT_FAILED;
	/* A reader that left wants no more. */
	if (cause == EPIPE || !only_copy)
		return status;
	fputs(PACKAGE_NAME ": the report follows here instead\n", stderr);
	for (unsigned i = 0; i < formats->count; i++)
		formats->item[i]->write(r, stderr, &err);
	return status;
}
