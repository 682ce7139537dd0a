/* SPDX-License-Identifier: MIT */
/* Composition root: the only file that knows everybody. */
#include <config.h>

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/options.h"
#include "run/run.h"
#include "ui/ui.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *arguments;
	const char *summary;
};

static const struct command commands[] = {
	{"run", iob_cmd_run, "[TARGET] [options]",
		"no screen: progress on stderr, report on stdout"},
	{"report", iob_cmd_report, "RUN.json [options]", "print a saved run again"},
	{"devices", iob_cmd_devices, "[--format=json]",
		"block devices, what is on them, who uses them"},
	{"profiles", iob_cmd_profiles, "[NAME]", "ready-made workloads"},
	{"engines", iob_cmd_engines, "[NAME]", "ways to issue I/O, and whether they work here"},
	{"params", iob_cmd_params, "[NAME]", "every parameter with range and default"},
};
#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static int print_help(void)
{
	puts("iotop-bench - what can this disk really do?  A storage benchmark with a live screen.\n"
	     "\n"
	     "  iotop-bench [TARGET] [options]       live dashboard; setup screen without TARGET");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  iotop-bench %-8s %-18s %s\n", commands[i].name, commands[i].arguments,
			commands[i].summary);
	puts("\n"
	     "TARGET is a block device, a file, or a directory (a scratch file is made in it and\n"
	     "removed).  Without one, `run` makes a scratch file of 1 GiB in $TMPDIR or /var/tmp.\n"
	     "Reading is the default; writing to a device or to an existing file needs\n"
	     "--allow-write=PATH.\n");
	iob_options_print_help();
	puts("\nExit status: 0 done, 1 the run failed, 2 usage, 3 refused for safety, 4 a gate was\n"
	     "missed, 128+n ended by a signal.  More: man iotop-bench");
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}

static int print_version(void)
{
	puts(PACKAGE_NAME " " PACKAGE_VERSION);
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}

/* The report of a dashboard run stays on the normal screen after it. */
static int print_result(struct iob_result *result, int status)
{
	struct iob_error err;
	int rc = iob_report_text(result, stdout, &err);

	if (rc < 0)
		status = iob_cli_error(&err);
	else if (status == IOB_EXIT_OK)
		status = result->exit_status;
	iob_result_free(result);
	return iob_cli_finish_stdout(status);
}

static int dashboard(const struct iob_options *opt)
{
	struct iob_result *result = calloc(1, sizeof(*result));
	IOB_FREE void *owned = result;
	bool have_result = false;
	struct iob_error err = {0};
	struct iob_ui_config config = {
		.plan = opt->plan,
		.setup = !opt->has_target,
		.grace_ns = opt->grace_ns,
		.refresh_ns = opt->refresh_ns,
		.symbols = opt->symbols,
		.color = (int)opt->color,
		.save = opt->save,
		.no_save = opt->no_save,
		.script = opt->script,
	};

	if (!result) {
		iob_fail(&err, -ENOMEM, "starting: %m");
		return iob_cli_error(&err);
	}
	int rc = iob_ui_run(&config, result, &have_result, &err);
	int status = rc < 0 ? iob_cli_error(&err) : rc;
	return have_result ? print_result(result, status) : status;
}

static int default_command(int argc, char **argv)
{
	struct iob_options opt;
	struct iob_error err;
	char why[160];

	if (iob_options_parse(&opt, argc, argv, &err) < 0)
		return iob_cli_error(&err);
	int status;
	if (opt.help) {
		status = print_help();
	} else if (opt.version) {
		status = print_version();
	} else if (iob_ui_possible(why, sizeof(why))) {
		status = dashboard(&opt);
	} else {
		fprintf(stderr, "iotop-bench: no dashboard: %s; running without a screen\n", why);
		status = iob_cmd_run(argc, argv);
	}
	iob_options_free(&opt);
	return status;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	if (argc > 1 && strcmp(argv[1], IOB_LOAD_ARGUMENT) == 0)
		return iob_load_process_main(argc, argv);
	const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;
	return c ? c->run(argc - 1, argv + 1) : default_command(argc, argv);
}
