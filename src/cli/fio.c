/* SPDX-License-Identifier: MIT */
/* iotop-bench fio ARGS...: fio's command line and job files. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/fio_args.h"
#include "cli/fio_check.h"
#include "cli/fio_help.h"
#include "cli/fio_output.h"
#include "cli/fio_run.h"
#include "cli/telling.h"
#include "job/report_file.h"
#include "run/fleet.h"
#include "target/names.h"

#define LONGEST_LINE 1024

static void print_lines(const char *kind, char *const *lines, size_t n)
{
	char clean[LONGEST_LINE];

	for (size_t i = 0; i < n; i++)
		fprintf(stderr, PACKAGE_NAME ": %s: %s\n", kind,
			iob_text_clean(clean, sizeof(clean), lines[i]));
}

static int list_files(struct iob_names *names, const struct iob_job *job, struct iob_error *err)
{
	if (job->ctl.opendir[0])
		return iob_names_below(names, job->ctl.opendir, err);
	return job->filename[0] ? iob_names_split(names, job->filename, "", err) : 0;
}

static int check_clone(const struct iob_fleet_clone *c, const struct iob_plan_report *output,
	struct iob_error *err)
{
	struct iob_names names = {0};
	struct iob_plan_report file;
	int rc = list_files(&names, &c->settings, err);

	for (unsigned k = 0; k < names.count && rc == 0; k++)
		if (iob_report_file(&file, names.name[k]) && iob_report_file_is(&file, output))
			rc = iob_fail_usage(err,
				"--output: %s is a file of [%.60s], which this would replace; name "
				"another file",
				names.name[k], c->source->jobname);
	iob_names_free(&names);
	return rc;
}

/* Nothing is read from a target, but a file of the jobs must not be replaced. */
static int check_targets(const struct iob_fio_jobs *jobs, const struct iob_fleet_config *config,
	struct iob_error *err)
{
	struct iob_fleet *fleet = NULL;
	int rc = config->nreports ? iob_fleet_new(&fleet, jobs, config, err) : 0;

	for (unsigned i = 0; rc == 0 && fleet && i < fleet->count; i++)
		rc = check_clone(&fleet->clone[i], &config->report[0], err);
	iob_fleet_free(fleet);
	return rc;
}

/* jobs: NULL = they play no part. */
static int begin_telling(struct iob_telling *t, const struct iob_fio_args *a,
	const struct iob_fio_jobs *jobs, struct iob_error *err)
{
	struct iob_fleet_config config = {0};
	int rc = iob_fio_output_check(a, &config, err);

	if (rc >= 0 && jobs)
		rc = check_targets(jobs, &config, err);
	return rc < 0 ? rc : iob_telling_begin(t, a->output, err);
}

static int inform(const struct iob_fio_args *a)
{
	struct iob_telling telling;
	struct iob_error err = {0};
	int status = IOB_EXIT_OK;
	int rc = begin_telling(&telling, a, NULL, &err);

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
	return iob_telling_end(&telling, rc < 0 ? iob_cli_error(&err) : status);
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
		struct iob_telling telling;

		if (begin_telling(&telling, a, jobs, &err) < 0)
			return iob_cli_error(&err);
		iob_fio_print_showcmd(jobs);
		return iob_telling_end(&telling, IOB_EXIT_OK);
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
