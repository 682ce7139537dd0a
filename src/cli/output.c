/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "job/profile.h"
#include "job/report_file.h"
#include "result/save.h"

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

/* What was read for the run, and would be gone. */
static int check_input(const struct iob_plan_report *file, const char *option, const char *input,
	const char *what, struct iob_error *err)
{
	struct iob_plan_report in;

	if (!input || !iob_report_file(&in, input) || !iob_report_file_is(file, &in))
		return 0;
	return iob_fail_usage(err,
		"%s: %.200s is the %s, which the report would replace; name another file", option,
		input, what);
}

int iob_output_check_input(const struct iob_format_list *formats, const char *output,
	const char *input, const char *what, struct iob_error *err)
{
	int rc = 0;

	for (unsigned i = 0; output && i < formats->count && rc == 0; i++) {
		IOB_FREE char *path = path_of(formats, i, output);
		struct iob_plan_report file;

		if (!path)
			return iob_fail(err, -ENOMEM, "write %s: %m", output);
		if (iob_report_file(&file, path))
			rc = check_input(&file, "--output", input, what, err);
	}
	return rc;
}

int iob_output_check_file(
	struct iob_output_files *files, const char *option, const char *path, struct iob_error *err)
{
	struct iob_error why = {0};
	struct iob_plan_report file;
	int rc = iob_document_check(path, &file, &why);

	if (rc < 0)
		return iob_fail_usage(err, "%s: %s; nothing was started", option, why.text);
	if (file.ino == 0)
		return rc;
	for (size_t i = 0; i < files->ninputs; i++)
		if (check_input(&file, option, files->input[i], files->what, err) < 0)
			return err->code;
	for (unsigned i = 0; i < *files->count; i++)
		if (iob_report_file_is(&files->report[i], &file))
			return iob_fail_usage(err,
				"%s: %.200s is the file of --save as well, and one would replace "
				"the other; name two",
				option, path);
	if (*files->count < IOB_MAX_REPORTS)
		files->report[(*files->count)++] = file;
	return rc;
}

bool iob_output_is_same_file(const char *a, const char *b)
{
	struct iob_plan_report x, y;

	return iob_report_file(&x, a) && iob_report_file(&y, b) && iob_report_file_is(&x, &y);
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

static int check_all(
	const struct iob_options *o, struct iob_output_files *files, struct iob_error *err)
{
	int rc = 0;

	if (o->save && !o->no_save)
		rc = iob_output_check_file(files, "--save", o->save, err);
	for (unsigned i = 0; o->output && i < o->formats.count && rc >= 0; i++) {
		IOB_FREE char *path = path_of(&o->formats, i, o->output);

		if (!path)
			return iob_fail(err, -ENOMEM, "write %s: %m", o->output);
		rc = iob_output_check_file(files, "--output", path, err);
	}
	return rc < 0 ? rc : 0;
}

int iob_output_check(const struct iob_options *o, struct iob_error *err)
{
	struct iob_profile_entry profile = {0};
	const char *input[3];
	struct iob_output_files files = {
		.count = &o->plan->nreports,
		.report = o->plan->report,
		.input = input,
		.what = "profile, job file or script of this run",
	};

	o->plan->nreports = 0;
	if (o->profile && iob_profile_find(&profile, o->profile, NULL) == 0)
		input[files.ninputs++] = profile.path;
	if (o->jobfile)
		input[files.ninputs++] = o->jobfile;
	if (o->script)
		input[files.ninputs++] = o->script;
	int rc = iob_output_check_formats(&o->formats, o->output, err);
	return rc < 0 ? rc : check_all(o, &files, err);
}

static int write_file(const struct iob_result *r, const struct iob_format_list *formats, unsigned i,
	const char *output, struct iob_error *err)
{
	IOB_FREE char *path = path_of(formats, i, output);

	if (!path)
		return iob_fail(err, -ENOMEM, "write %s: %m", output);
	return iob_result_write(r, formats->item[i], path, err);
}

void iob_output_write_files(const struct iob_result *r, const struct iob_format_list *formats,
	const char *output, struct iob_output_written *files)
{
	memset(files, 0, sizeof(*files));
	for (unsigned i = 0; i < formats->count; i++)
		(void)write_file(r, formats, i, output, &files->error[i]);
}

/* A file that cannot be written after all: the report must not be lost. */
int iob_output_tell_files(const struct iob_result *r, const struct iob_format_list *formats,
	const struct iob_output_written *files, bool only_copy, int status)
{
	for (unsigned i = 0; i < formats->count; i++) {
		struct iob_error err = files->error[i];

		if (!err.code)
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
	struct iob_output_written files;

	if (output) {
		iob_output_write_files(r, formats, output, &files);
		return iob_output_tell_files(r, formats, &files, only_copy, status);
	}
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
