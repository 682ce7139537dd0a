/* SPDX-License-Identifier: MIT */
/* iotop-bench fio ARGS...: fio's command line and job files. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/fio_args.h"
#include "cli/fio_check.h"
#include "cli/fio_help.h"
#include "cli/fio_run.h"

#define LONGEST_LINE 1024

static void print_lines(const char *kind, char *const *lines, size_t n)
{
	char clean[LONGEST_LINE];

	for (size_t i = 0; i < n; i++)
		fprintf(stderr, PACKAGE_NAME ": %s: %s\n", kind,
			iob_text_clean(clean, sizeof(clean), lines[i]));
}

/* What is told instead of running goes where --output says, too: standard output becomes that. */
static int begin_telling(
	struct iob_atomic_file *file, const struct iob_fio_args *a, struct iob_error *err)
{
	*file = (struct iob_atomic_file){0};
	if (!a->output)
		return 0;
	int rc = iob_atomic_file_open(file, a->output, err);
	if (rc == 0 && dup2(fileno(file->stream), STDOUT_FILENO) < 0)
		rc = iob_fail(err, -errno, "--output=%.200s: %m", a->output);
	return rc;
}

/* Returns the exit status. */
static int end_telling(struct iob_atomic_file *file, int status)
{
	struct iob_error err = {0};

	status = iob_cli_finish_stdout(status);
	if (!file->stream)
		return status;
	if (status != IOB_EXIT_OK)
		iob_atomic_file_abort(file);
	else if (iob_atomic_file_commit(file, &err) < 0)
		status = iob_cli_error(&err);
	return status;
}

static int inform(const struct iob_fio_args *a)
{
	struct iob_atomic_file file;
	struct iob_error err = {0};
	int status = IOB_EXIT_OK;
	int rc = begin_telling(&file, a, &err);

	if (rc < 0)
		return iob_cli_error(&err);
	if (a->help)
		iob_fio_print_help();
	else if (a->version)
		iob_fio_print_version();
	else if (a->debughelp)
		iob_fio_print_debughelp();
	else if (a->cmdhelp)
		rc = iob_fio_print_cmdhelp(a->cmdhelp, &err);
	else if (a->enghelp)
		rc = iob_fio_print_enghelp(a->enghelp, &err);
	else if (a->crctest)
		rc = iob_fio_print_crctest(a->crctest, &err);
	else if (a->idle_prof == IOB_FIO_IDLE_CALIBRATE)
		rc = iob_fio_print_idle_unit(&err);
	else
		status = iob_fio_print_cpuclock_test();
	return end_telling(&file, rc < 0 ? iob_cli_error(&err) : status);
}

static int make_jobs(const struct iob_fio_args *a, struct iob_fio_jobs *jobs, struct iob_error *err)
{
	const struct iob_fio_rules rules = {
		.only = a->section,
		.nonly = a->nsections,
		.max_jobs = a->max_jobs,
		.allow_exec = a->allow_exec,
	};
	int rc = iob_fio_jobs_make(jobs, &a->jobs, &rules, err);

	if (rc == 0)
		rc = iob_fio_check_engines(jobs, err);
	if (rc == 0 && a->readonly)
		rc = iob_fio_check_readonly(jobs, err);
	return rc;
}

static int check_warnings(
	const struct iob_fio_args *a, const struct iob_fio_jobs *jobs, struct iob_error *err)
{
	size_t n = a->jobs.nwarnings + jobs->nwarnings;

	if (!a->warnings_fatal || n == 0)
		return 0;
	return iob_fail_usage(err, "%zu warning%s, and --warnings-fatal makes them an error", n,
		n == 1 ? "" : "s");
}

static int act(const struct iob_fio_args *a, const struct iob_fio_jobs *jobs)
{
	struct iob_error err = {0};

	if (a->showcmd) {
		struct iob_atomic_file file;

		if (begin_telling(&file, a, &err) < 0)
			return iob_cli_error(&err);
		iob_fio_print_showcmd(jobs);
		return end_telling(&file, IOB_EXIT_OK);
	}
	if (a->parse_only)
		return IOB_EXIT_OK;
	if (jobs->njobs == 0) {
		iob_fail_usage(&err,
			"no job is given: name a job file, or give --name=JOB and its options "
			"(--help explains)");
		return iob_cli_error(&err);
	}
	if (iob_fio_check_limits(jobs, &err) < 0 || iob_fio_check_sizes(jobs, &err) < 0)
		return iob_cli_error(&err);
	return iob_cli_fio_run(a, jobs);
}

int iob_cmd_fio(int argc, char **argv)
{
	struct iob_fio_args args;
	struct iob_fio_jobs jobs = {0};
	struct iob_error err = {0};
	int rc = iob_fio_args_parse(&args, argc, argv, &err);
	int status;

	if (rc == 0 && iob_fio_args_inform(&args)) {
		status = inform(&args);
	} else {
		if (rc == 0)
			rc = make_jobs(&args, &jobs, &err);
		print_lines("warning", args.jobs.warning, args.jobs.nwarnings);
		print_lines("warning", jobs.warning, jobs.nwarnings);
		if (args.warnings) {
			print_lines("note", args.note, args.nnotes);
			print_lines("note", jobs.note, jobs.nnotes);
		}
		if (rc == 0)
			rc = check_warnings(&args, &jobs, &err);
		status = rc < 0 ? iob_cli_error(&err) : act(&args, &jobs);
	}
	iob_fio_jobs_free(&jobs);
	iob_fio_args_free(&args);
	return status;
}
