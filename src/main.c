/* SPDX-License-Identifier: MIT */
/* Composition root: the only file that knows everybody. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/nearest.h"
#include "base/stack.h"
#include "cli/command.h"
#include "cli/gates.h"
#include "cli/options.h"
#include "cli/output.h"
#include "run/run.h"
#include "ui/ui.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *arguments;
	const char *summary;
};

static const struct command commands[] = {
	{"run", iob_cmd_run, "[TARGET] [options]", "no screen: report on standard output"},
	{"check", iob_cmd_check, "TARGET [options]", "look at a target without touching its data"},
	{"fio", iob_cmd_fio, "ARGS...", "fio's command line, job files and reports"},
	{"report", iob_cmd_report, "RUN.json [options]", "print a saved run again"},
	{"compare", iob_cmd_compare, "FIRST OTHER...", "saved runs side by side"},
	{"devices", iob_cmd_devices, "[--format=json]", "block devices, and what uses them"},
	{"profiles", iob_cmd_profiles, "[NAME]", "ready-made workloads"},
	{"engines", iob_cmd_engines, "[NAME]", "ways to issue I/O; which work here"},
	{"params", iob_cmd_params, "[NAME]", "every parameter: range and default"},
};
#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static int print_help(void)
{
	puts("iotop-bench: what can this disk really do?  A storage benchmark, live.\n"
	     "\n"
	     "  iotop-bench          [TARGET] [options] dashboard; without TARGET setup first");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  iotop-bench %-8s %-18s %s\n", commands[i].name, commands[i].arguments,
			commands[i].summary);
	puts("\n"
	     "TARGET is a block device, a file, or a directory (a scratch file is made in it\n"
	     "and removed).  Without one, `run` makes a scratch file of 1 GiB in $TMPDIR or\n"
	     "/var/tmp.  Reading is the default; writing to a device or to an existing file\n"
	     "needs --allow-write=PATH.\n");
	iob_options_print_help();
	puts("\nExit status: 0 done, 1 the run failed, 2 usage, 3 refused for safety, 4 a limit\n"
	     "was missed, 128+n ended by a signal.  More: man iotop-bench");
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}

static int print_version(void)
{
	puts(PACKAGE_NAME " " PACKAGE_VERSION);
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}

/* The report of a dashboard run stays on the normal screen after it. */
static int print_result(const struct iob_options *opt, struct iob_result *result, int status)
{
	if (status == IOB_EXIT_OK)
		status = result->exit_status;
	if (status == IOB_EXIT_OK && iob_gates_check(&opt->gates, &result->total, stderr))
		status = IOB_EXIT_GATE;
	status = iob_output_reports(result, &opt->formats, opt->output, true, status);
	iob_result_free(result);
	return status;
}

static int replan(
	const void *self, const char *profile, struct iob_plan *plan, struct iob_error *err)
{
	return iob_options_replan(self, profile, plan, err);
}

static int replan_job(const void *self, const char *path, bool options, struct iob_plan *plan,
	struct iob_fio_note *note, struct iob_error *err)
{
	return iob_options_replan_job(self, path, options, plan, note, err);
}

static int dashboard(const struct iob_options *opt)
{
	char words[256];
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
		.replan = replan,
		.replan_job = replan_job,
		.replan_self = opt,
		.jobfile = opt->jobfile,
		.words = words,
		.save = opt->no_save ? NULL : opt->save,
		.no_save = opt->no_save,
		.script = opt->script,
	};

	if (!result) {
		iob_fail(&err, -ENOMEM, "starting: %m");
		return iob_cli_error(&err);
	}
	iob_options_words(opt, words, sizeof(words));
	if (iob_output_check(
		    opt->plan, &opt->formats, opt->output, opt->no_save ? NULL : opt->save, &err))
		return iob_cli_error(&err);
	int rc = iob_ui_run(&config, result, &have_result, &err);
	int status = rc < 0 ? iob_cli_error(&err) : rc;
	return have_result ? print_result(opt, result, status) : status;
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

/* A word that is no file but nearly a command was meant as one. */
static int check_command(const char *word, struct iob_error *err)
{
	struct iob_nearest nearest = {.typed = word};

	for (size_t i = 0; i < NCOMMANDS; i++)
		iob_nearest_offer(&nearest, commands[i].name);
	if (word[0] == '-' || !nearest.best || access(word, F_OK) == 0)
		return 0;
	return iob_fail_usage(err,
		"%s: no such command, and no such file; did you mean %s?  (a new file of that name "
		"is written ./%s)",
		word, nearest.best, word);
}

/* A standard stream that is closed would be the number of the next file to be opened, and a report
 * would go there.  Opened the wrong way round, its use is the error that it should be. */
static void fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	struct iob_error err;

	fill_standard_streams();
	if (iob_stack_ensure(&err) < 0)
		return iob_cli_error(&err);
	/* A limit on file sizes (ulimit -f) shall be an error with words, not a death. */
	signal(SIGXFSZ, SIG_IGN);
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	if (argc > 1 && strcmp(argv[1], IOB_LOAD_ARGUMENT) == 0)
		return iob_load_process_main(argc, argv);
	iob_clock_begin();
	const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;

	if (c)
		return c->run(argc - 1, argv + 1);
	if (argc > 1 && check_command(argv[1], &err))
		return iob_cli_error(&err);
	return default_command(argc, argv);
}
