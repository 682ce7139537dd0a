/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/gates.h"
#include "cli/keep.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "run/budget.h"
#include "run/sweep.h"

#define LOOK_EVERY_MS   50
/* After the second signal: long enough to close the books, not to wait for a device. */
#define LEAVE_WITHIN_NS (2 * IOB_NS_PER_S)

struct session {
	struct iob_options opt;
	struct iob_run *run;
	struct iob_progress progress;
	struct iob_signals signals;
	int signal; /* the first one that came, 0 = none */
	bool sweep_refused;
	bool to_file;      /* asked before the run: afterwards the place may hang */
	uint64_t leave_ns; /* 0 = the run may take its time */
};

/* First: drain and report.  Second: do not wait for what is in flight. */
static void take_signals(struct session *s)
{
	int signal;

	while ((signal = iob_signals_take(&s->signals))) {
		if (signal == SIGUSR1) {
			iob_progress_hurry(&s->progress);
			continue;
		}
		if (s->signal)
			s->leave_ns = iob_now_ns() + LEAVE_WITHIN_NS;
		else
			s->signal = signal;
		iob_run_stop(s->run);
	}
}

/* Once the measuring is over a signal ends the program as usual: it may be writing to somebody who
 * does not read. */
static void release_signals(struct session *s)
{
	take_signals(s);
	iob_signals_release(&s->signals);
}

/* A step that is refused ends the run: its figures would be those of the step before. */
static void follow_sweep(struct session *s, const struct iob_snapshot *snap)
{
	struct iob_error err = {0};

	if (s->sweep_refused || iob_sweep_follow(s->run, snap, &err) == 0)
		return;
	s->sweep_refused = true;
	iob_error_prefix(&err, "the sweep ends here: ");
	iob_cli_error(&err);
	iob_run_stop(s->run);
}

static void follow(struct session *s, struct iob_snapshot *snap)
{
	bool over = false;

	while (!over) {
		over = iob_run_wait(s->run, LOOK_EVERY_MS);
		take_signals(s);
		iob_run_snapshot(s->run, snap);
		follow_sweep(s, snap);
		iob_progress_show(&s->progress, snap, iob_now_ns());
		if (s->leave_ns && iob_now_ns() > s->leave_ns)
			break;
	}
	iob_progress_end(&s->progress);
}

/* A file takes what it is given, and must not be left half-made by a signal. */
static bool goes_to_file(const struct session *s)
{
	struct stat st;

	return s->opt.output && (stat(s->opt.output, &st) < 0 || S_ISREG(st.st_mode));
}

/* What ended the run weighs more than what it measured. */
static int judge(const struct session *s, const struct iob_result *r)
{
	if (s->signal)
		return IOB_EXIT_SIGNAL + s->signal;
	if (r->error.code)
		return iob_error_exit_status(&r->error);
	if (r->exit_status)
		return r->exit_status;
	if (iob_gates_check(&s->opt.gates, &r->total, stderr))
		return IOB_EXIT_GATE;
	return IOB_EXIT_OK;
}

static int report(struct session *s)
{
	struct iob_result result = {0};
	struct iob_error err = {0};
	int written = IOB_EXIT_OK;
	bool early = s->to_file;

	if (iob_result_build(&result, s->run, &err))
		return iob_cli_error(&err);
	int saved = iob_cli_keep(&s->opt, &result, s->signal);
	if (early)
		written = iob_output_reports(
			&result, &s->opt.formats, s->opt.output, true, IOB_EXIT_OK);
	release_signals(s);
	if (result.error.code)
		iob_cli_error(&result.error);
	int status = judge(s, &result);
	if (saved < 0 || written != IOB_EXIT_OK)
		status = IOB_EXIT_FAILED;
	if (!early)
		status = iob_output_reports(&result, &s->opt.formats, s->opt.output, true, status);
	iob_result_free(&result);
	return status;
}

static bool text_on_stdout(const struct iob_options *opt)
{
	for (unsigned i = 0; i < opt->formats.count && !opt->output; i++)
		if (opt->formats.item[i]->write == iob_report_text)
			return true;
	return false;
}

static int not_begun(struct session *s, const struct iob_snapshot *snap)
{
	struct iob_error err = snap->error;

	release_signals(s);
	if (!err.code && snap->outcome == IOB_OUTCOME_COMPLETE) {
		fprintf(stderr,
			"iotop-bench: the files are there (create_only); nothing was measured\n");
		return 0;
	}
	if (!err.code)
		iob_fail(&err, -ECANCELED, "stopped before anything was measured");
	int status = iob_cli_error(&err);
	return s->signal ? IOB_EXIT_SIGNAL + s->signal : status;
}

/* What takes much memory is said before it is taken. */
static int tell_memory(const struct session *s, struct iob_error *err)
{
	struct iob_budget budget;
	char words[160];
	int rc = iob_budget_check(&budget, s->opt.plan, err);

	if (rc == 0 && !s->opt.quiet && budget.bytes > IOB_BUDGET_WORTH_TELLING)
		fprintf(stderr, "%s\n", iob_budget_words(&budget, words, sizeof(words)));
	return rc;
}

static int run_session(struct session *s)
{
	IOB_FREE struct iob_snapshot *snap = calloc(1, sizeof(*snap));
	struct iob_run_config config = {.grace_ns = s->opt.grace_ns};
	struct iob_error err = {0};

	if (!snap)
		return iob_fail(&err, -ENOMEM, "start: %m"), iob_cli_error(&err);
	if (tell_memory(s, &err) || iob_signals_catch(&s->signals, &err) ||
		iob_run_start(&s->run, s->opt.plan, &config, &err))
		return iob_cli_error(&err);
	s->to_file = goes_to_file(s);
	iob_progress_init(&s->progress, s->opt.quiet ? NULL : stderr);
	/* The report has them as well; once is enough. */
	s->progress.warnings = text_on_stdout(&s->opt) ? IOB_MAX_WARNINGS : 0;
	follow(s, snap);
	/* It never began: there is nothing to report but why. */
	if (snap->view.nsegments == 0)
		return not_begun(s, snap);
	return report(s);
}

static int print_help(void)
{
	puts("usage: iotop-bench run [TARGET] [options]\n"
	     "\n"
	     "Measures without a screen: progress on standard error, the report on standard\n"
	     "output.  TARGET is a block device, a file or a directory; without one a scratch\n"
	     "file is made and removed.\n");
	iob_options_print_help();
	return iob_cli_finish_stdout(IOB_EXIT_OK);
}

int iob_cmd_run(int argc, char **argv)
{
	struct session s = {.signals.fd = -1};
	struct iob_error err = {0};
	int status;

	if (iob_options_parse(&s.opt, argc, argv, &err)) {
		status = iob_cli_error(&err);
	} else if (s.opt.help) {
		status = print_help();
	} else if (s.opt.version) {
		puts(PACKAGE_STRING);
		status = iob_cli_finish_stdout(IOB_EXIT_OK);
	} else if (iob_output_check(s.opt.plan, &s.opt.formats, s.opt.output,
			   s.opt.no_save ? NULL : s.opt.save, &err)) {
		status = iob_cli_error(&err);
	} else {
		status = run_session(&s);
	}
	iob_run_free(s.run);
	iob_signals_close(&s.signals);
	iob_options_free(&s.opt);
	return status;
}
