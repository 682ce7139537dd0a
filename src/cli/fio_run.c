/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/streams.h"
#include "cli/command.h"
#include "cli/fio_banner.h"
#include "cli/fio_eta.h"
#include "cli/fio_log_writer.h"
#include "cli/fio_output.h"
#include "cli/signals.h"
#include "result/runs.h"
#include "run/fleet.h"
#include "target/target.h"

#define LOOK_EVERY_MS   10
/* After the second signal: long enough to close the books, not to wait for a device. */
#define LEAVE_WITHIN_NS (2 * IOB_NS_PER_S)

struct session {
	const struct iob_fio_args *args;
	struct iob_fleet *fleet;
	struct iob_fio_output output;
	struct iob_fio_said said;
	struct iob_signals signals;
	struct iob_fio_log_writer *logs; /* owned; NULL = there are none */
	struct iob_idle_prof *idle;      /* --idle-prof; owned */
	bool begun;                      /* the first job has been let off */
	int signal;                      /* the first one that came, 0 = none */
	uint64_t leave_ns;               /* 0 = the run may take its time */
	bool wants_report;               /* SIGUSR1 */
	uint64_t next_report_ns, next_eta_ns, next_newline_ns; /* UINT64_MAX = never */
	size_t shown; /* length of the live line that stands there */
};

/* First: drain and report.  Second: do not wait for what is in flight. */
static void take_signals(struct session *s)
{
	int signal;

	while ((signal = iob_signals_take(&s->signals))) {
		if (signal == SIGUSR1) {
			s->wants_report = true;
			continue;
		}
		if (s->signal)
			s->leave_ns = iob_now_ns() + LEAVE_WITHIN_NS;
		else
			s->signal = signal;
		if (iob_stream_takes_more(STDERR_FILENO))
			fprintf(stderr, "\niotop-bench: terminating on signal %d\n", signal);
		iob_fleet_stop(s->fleet);
	}
}

static void erase_line(struct session *s)
{
	if (s->shown)
		printf("%*s\r", (int)s->shown, "");
	s->shown = 0;
	fflush(stdout);
}

static void show_line(struct session *s, uint64_t now)
{
	static struct iob_fio_live live;
	char line[8192];

	iob_fio_live_look(&live, s->fleet, now);
	if (live.running == 0)
		return;
	iob_fio_live_line(line, sizeof(line), &live);
	size_t n = strlen(line);
	int rest = s->shown > n ? (int)(s->shown - n) : 0;
	printf("%s%*s\r", line, rest, "");
	s->shown = n;
	if (now >= s->next_newline_ns) {
		putchar('\n');
		s->shown = 0;
		s->next_newline_ns = now + s->args->eta_newline_ns;
	}
	fflush(stdout);
}

/* Only where a person looks, unless it is asked for; never among lines for programs. */
static bool shows_line(const struct iob_fio_args *args)
{
	if (args->eta == IOB_FIO_ETA_NEVER)
		return false;
	if (args->eta == IOB_FIO_ETA_ALWAYS)
		return args->output || (args->formats & IOB_FIO_NORMAL);
	return args->formats == IOB_FIO_NORMAL && isatty(STDOUT_FILENO);
}

static void set_times(struct session *s, uint64_t now)
{
	const struct iob_fio_args *a = s->args;
	uint64_t interval = a->eta_interval_ns ? a->eta_interval_ns : IOB_NS_PER_S;

	s->next_eta_ns = shows_line(a) ? now + interval : UINT64_MAX;
	s->next_newline_ns = a->eta_newline_ns ? now + a->eta_newline_ns : UINT64_MAX;
	s->next_report_ns = a->status_interval_ns ? now + a->status_interval_ns : UINT64_MAX;
}

static bool has_begun(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].released_ns)
			return true;
	return false;
}

/* A report in between that cannot be written is no reason to end the run. */
static void report_in_between(struct session *s)
{
	struct iob_error err;

	erase_line(s);
	if (iob_fio_output_report(&s->output, s->fleet, true, &err) < 0 ||
		iob_fio_output_pass(&s->output, &err) < 0)
		iob_cli_error(&err);
}

/* The idleness of the CPUs is that of the time in which jobs run. */
static void note_begin(struct session *s)
{
	if (s->begun || !has_begun(s->fleet))
		return;
	s->begun = true;
	if (s->idle)
		iob_idle_prof_start(s->idle);
}

static void say(struct session *s)
{
	uint64_t now = iob_now_ns();
	struct iob_error err;

	if (iob_fio_log_writer_follow(s->logs, &err)) {
		erase_line(s);
		iob_cli_error(&err);
	}
	if (has_begun(s->fleet) && iob_fio_output_show(&s->output, &err) < 0)
		iob_cli_error(&err);
	note_begin(s);
	if (s->output.talk)
		iob_fio_banner_layouts(&s->said, s->fleet, s->output.talk);
	iob_fio_banner_depths(&s->said, s->fleet, s->output.talk ? s->output.talk : stderr);
	if (now >= s->next_eta_ns) {
		s->next_eta_ns +=
			s->args->eta_interval_ns ? s->args->eta_interval_ns : IOB_NS_PER_S;
		if (iob_stream_takes_more(STDOUT_FILENO))
			show_line(s, now);
	}
	if (now >= s->next_report_ns || s->wants_report) {
		if (now >= s->next_report_ns)
			s->next_report_ns += s->args->status_interval_ns;
		s->wants_report = false;
		report_in_between(s);
	}
}

/* A reader that has stopped holds us up until there is a signal, not for ever. */
static void show(struct session *s)
{
	iob_signals_begin_talk(&s->signals);
	say(s);
	iob_signals_end_talk(&s->signals);
	clearerr(stdout);
}

static void follow(struct session *s)
{
	struct pollfd signals = {.fd = s->signals.fd, .events = POLLIN};

	set_times(s, iob_now_ns());
	while (!iob_fleet_step(s->fleet)) {
		poll(&signals, 1, iob_fleet_is_starting(s->fleet) ? 0 : LOOK_EVERY_MS);
		take_signals(s);
		show(s);
		if (s->leave_ns && iob_now_ns() > s->leave_ns)
			break;
	}
	if (s->idle)
		iob_idle_prof_stop(s->idle);
	show(s);
	if (iob_stream_takes_more(STDOUT_FILENO))
		erase_line(s);
}

/* Each job that failed, in words; the first of them is the exit status. */
static int tell_failures(const struct iob_fleet *f)
{
	int status = IOB_EXIT_OK;

	for (unsigned i = 0; i < f->count; i++) {
		struct iob_error err = f->clone[i].error;

		if (!err.code)
			continue;
		iob_error_prefix(&err, "%s: ", f->clone[i].settings.name);
		int this = iob_cli_error(&err);
		if (status == IOB_EXIT_OK)
			status = this;
	}
	return status;
}

static bool has_hung(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].run && iob_run_unfinished(f->clone[i].run) > 0)
			return true;
	return false;
}

/* The report, whole, where it was wanted. */
static int write_report(struct session *s, struct iob_error *err)
{
	struct iob_error later;
	int rc = iob_fio_output_report(&s->output, s->fleet, false, err);

	if (iob_fio_output_finish(&s->output, has_hung(s->fleet), &later) < 0 && rc == 0) {
		*err = later;
		rc = later.code;
	}
	return rc;
}

static int render_kept(const struct session *s, FILE *f, struct iob_error *err)
{
	struct iob_fio_args args = *s->args;

	args.formats = IOB_FIO_JSON;
	struct iob_fio_output o = {.args = &args, .stream = f};
	return iob_fio_output_report(&o, s->fleet, false, err);
}

static int write_text(const void *text, FILE *f, struct iob_error *err)
{
	return fputs(text, f) == EOF ? iob_fail(err, -errno, "write: %m") : 0;
}

/* In memory first: a process that writes a file for us has no threads of ours. */
static char *text_to_keep(const struct session *s, struct iob_error *err)
{
	IOB_FREE char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		iob_fail(err, -errno, "making the report: %m");
		return NULL;
	}
	int rc = render_kept(s, f, err);
	if (fclose(f) != 0 && rc == 0)
		rc = iob_fail(err, -ENOMEM, "making the report: %m");
	if (rc < 0)
		return NULL;
	char *kept = text;
	text = NULL;
	return kept;
}

/* In the state directory, or with the temporary files; path: where it went.  Says nothing: nobody
 * may read. */
static int keep(const struct session *s, char *path, size_t n, struct iob_error *err)
{
	IOB_FREE char *text = text_to_keep(s, err);
	const struct iob_runs_document d = {
		.name = "fio",
		.started_s = (time_t)(iob_wall_ms() / 1000),
		.document = {.write = write_text, .what = text, .hurry = has_hung(s->fleet)},
	};
	return text ? iob_runs_rescue_document(&d, path, n, err) : err->code;
}

static void tell_rescued(int rc, const char *path, const struct iob_error *err)
{
	if (rc < 0)
		iob_cli_error(err);
	else
		fprintf(stderr, PACKAGE_NAME ": the run is kept in %s\n", path);
}

/* It could not be written there after all, and must not be lost. */
static void report_elsewhere(struct session *s, const struct iob_error *why)
{
	bool to_stdout = s->args->output != NULL;
	char path[IOB_PATH_MAX];
	struct iob_error err;

	iob_cli_error(why);
	/* A reader that left wants no more. */
	if (!to_stdout && why->code == -EPIPE)
		return;
	fputs(to_stdout ? "iotop-bench: the report goes to standard output instead\n"
			: "iotop-bench: the report follows here instead\n",
		stderr);
	s->output = (struct iob_fio_output){
		.args = s->args,
		.stream = to_stdout ? stdout : stderr,
		.idle = s->idle,
	};
	if (iob_fio_output_report(&s->output, s->fleet, false, &err) < 0) {
		iob_cli_error(&err);
		if (to_stdout)
			tell_rescued(keep(s, path, sizeof(path), &err), path, &err);
	}
	s->output = (struct iob_fio_output){0};
}

/* Nothing began, but files may have been made. */
static void tell_kept(struct iob_fleet *f)
{
	IOB_FREE struct iob_snapshot *first = calloc(1, sizeof(*first));
	struct iob_fleet_layout one;
	unsigned files = 0;

	for (unsigned i = 0; first && i < f->count; i++) {
		const struct iob_fleet_clone *c = &f->clone[i];

		if (c->error.code || !c->run || !iob_fleet_layout(f, i, &one))
			continue;
		if (files == 0)
			iob_run_snapshot(c->run, first);
		files += one.files;
	}
	if (files)
		fprintf(stderr, "iotop-bench: %u file%s laid out before that, and stay%s: %s%s\n",
			files, files == 1 ? " was" : "s were", files == 1 ? "s" : "",
			first->target.path, files == 1 ? "" : ", ...");
}

/* Was a job refused since the report would replace its target? */
static bool is_output_a_target(const struct iob_fleet *f)
{
	for (unsigned i = 0; i < f->count; i++)
		if (f->clone[i].error.code == IOB_TARGET_IS_REPORT)
			return true;
	return false;
}

/* To somebody who may have stopped reading: a signal ends that, and comes again once the logs are
 * there and it ends the program. */
static int write_to_stream(struct session *s, struct iob_error *err)
{
	int came = 0, signal;

	iob_signals_begin_talk(&s->signals);
	int rc = write_report(s, err);
	fflush(stdout);
	iob_signals_end_talk(&s->signals);
	while ((signal = iob_signals_take(&s->signals)))
		if (signal != SIGUSR1)
			came = signal;
	if (came)
		raise(came);
	return rc;
}

static int tell_of_log(const struct iob_error *err)
{
	return iob_stream_takes_more(STDERR_FILENO) ? iob_cli_error(err) : IOB_EXIT_FAILED;
}

static int report(struct session *s)
{
	/* With create_only nothing begins, and the report says so. */
	bool begun = has_begun(s->fleet) || !iob_fleet_failure(s->fleet);
	/* The terminal is gone, and a report that went there with it.  A file has it anyway. */
	bool hung_up = begun && s->signal == SIGHUP && !s->args->output;
	char path[IOB_PATH_MAX];
	struct iob_error not_kept, err = {0};
	int kept = hung_up ? keep(s, path, sizeof(path), &not_kept) : 0;
	int rc = 0;

	if (is_output_a_target(s->fleet))
		iob_fio_output_spare(&s->output);
	if (begun)
		rc = s->output.in_memory ? write_report(s, &err) : write_to_stream(s, &err);
	/* The report is there before; and signals can still say that it is not to take long. */
	int logs = iob_fio_log_writer_finish(s->logs, tell_of_log);
	iob_signals_release(&s->signals);
	if (hung_up)
		tell_rescued(kept, path, &not_kept);
	if (begun)
		iob_fio_output_warn(s->fleet);
	if (rc < 0)
		report_elsewhere(s, &err);
	int status = tell_failures(s->fleet);
	if (!begun)
		tell_kept(s->fleet);
	if (s->signal)
		status = IOB_EXIT_SIGNAL + s->signal;
	if (rc < 0 || logs < 0)
		return IOB_EXIT_FAILED;
	return iob_cli_finish_stdout(status);
}

/* Options that would change nothing are refused rather than ignored. */
static int check_commands(const struct iob_fio_jobs *jobs, struct iob_error *err)
{
	for (size_t i = 0; i < jobs->njobs; i++)
		if (jobs->job[i].needs_exec)
			return iob_fail_place(err, &jobs->job[i].place,
				"[%.60s] names a command (exec_prerun, exec_postrun): to run it is not "
				"supported yet; run it before or after the program",
				jobs->job[i].jobname);
	return 0;
}

static int start_idle_prof(struct session *s, struct iob_error *err)
{
	int rc = 0;

	if (s->args->idle_prof != IOB_FIO_IDLE_NONE)
		rc = iob_idle_prof_new(&s->idle, err);
	s->output.idle = s->idle;
	return rc;
}

int iob_cli_fio_run(const struct iob_fio_args *args, const struct iob_fio_jobs *jobs)
{
	struct session s = {.args = args, .signals.fd = -1};
	struct iob_fleet_config config = {.readonly = args->readonly, .grace_ns = args->grace_ns};
	struct iob_error err = {0};
	int status;

	if (args->consent)
		config.consent = *args->consent;
	iob_clock_init();
	int is_stream = iob_fio_output_check(args, &config, &err);
	if (is_stream < 0 || check_commands(jobs, &err) < 0 ||
		iob_fleet_new(&s.fleet, jobs, &config, &err) < 0 ||
		iob_fio_log_writer_start(
			&s.logs, s.fleet, args->bandwidth_log, args->output, &err) < 0 ||
		iob_fio_output_open(&s.output, args, is_stream, &err) < 0 ||
		iob_signals_catch(&s.signals, &err) < 0 || start_idle_prof(&s, &err) < 0) {
		status = iob_cli_error(&err);
	} else {
		iob_signals_begin_talk(&s.signals);
		if (s.output.talk)
			iob_fio_banner(s.fleet, s.output.talk);
		iob_signals_end_talk(&s.signals);
		follow(&s);
		status = report(&s);
	}
	iob_fio_output_free(&s.output);
	iob_idle_prof_free(s.idle);
	iob_fio_log_writer_free(s.logs);
	iob_fleet_free(s.fleet);
	iob_signals_close(&s.signals);
	return status;
}
