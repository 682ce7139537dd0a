/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_own_options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/choose.h"
#include "cli/fio_debug.h"
#include "cli/output.h"
#include "job/fio_foreign.h"
#include "job/param.h"

#define APPLY(name_)                                                                               \
	static int apply_##name_(struct iob_fio_args *a, const struct iob_fio_own_option *o,       \
		const char *value, struct iob_error *err)

#define UNUSED3(x, y, z) (void)(x), (void)(y), (void)(z)

/* Accepted: it changes nothing here. */
static int note(struct iob_fio_args *a, const struct iob_fio_own_option *o, const char *words)
{
	iob_messages_add(&a->note, &a->nnotes, NULL, "--%s: accepted: %s", o->name, words);
	return 0;
}

/* A switch, and an option with a default for its value: each sets the field of its name. */
#define APPLY_SWITCH(name_)                                                                        \
	APPLY(name_)                                                                               \
	{                                                                                          \
		UNUSED3(o, value, err);                                                            \
		a->name_ = true;                                                                   \
		return 0;                                                                          \
	}
#define APPLY_OPTIONAL(name_, default_)                                                            \
	APPLY(name_)                                                                               \
	{                                                                                          \
		UNUSED3(o, value, err);                                                            \
		a->name_ = value ? value : (default_);                                             \
		return 0;                                                                          \
	}

APPLY_SWITCH(help)
APPLY_SWITCH(version)
APPLY_SWITCH(parse_only)
APPLY_SWITCH(showcmd)
APPLY_SWITCH(cpuclock_test)
APPLY_SWITCH(readonly)
APPLY_SWITCH(warnings)
APPLY_SWITCH(warnings_fatal)
APPLY_SWITCH(allow_exec)
APPLY_OPTIONAL(crctest, "")
APPLY_OPTIONAL(cmdhelp, "all")
APPLY_OPTIONAL(enghelp, "")
APPLY_OPTIONAL(bandwidth_log, "agg")

APPLY(output)
{
	UNUSED3(o, value, err);
	a->output = iob_output_path(value);
	return 0;
}

static int add_format(unsigned *formats, const char *name, size_t n)
{
	static const struct {
		const char *name;
		enum iob_fio_format format;
	} words[] = {
		{"normal", IOB_FIO_NORMAL},
		{"terse", IOB_FIO_TERSE},
		{"minimal", IOB_FIO_TERSE},
		{"json", IOB_FIO_JSON},
		{"json+", IOB_FIO_JSON_PLUS},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].name) == n && strncmp(words[i].name, name, n) == 0) {
			*formats |= words[i].format;
			return 0;
		}
	}
	return -EINVAL;
}

APPLY(output_format)
{
	unsigned formats = 0;
	const char *at = value;

	for (;;) {
		size_t n = strcspn(at, ",");

		if (add_format(&formats, at, n) < 0)
			return iob_fail_usage(err,
				"--%s=%.64s: %.*s is none of normal, terse, json, json+", o->name,
				value, (int)(n < 40 ? n : 40), at);
		if (at[n] == '\0')
			break;
		at += n + 1;
	}
	a->formats = formats;
	return 0;
}

APPLY(minimal)
{
	UNUSED3(o, value, err);
	a->formats = IOB_FIO_TERSE;
	return 0;
}

/* fio takes a value, and does nothing with it. */
APPLY(append_terse)
{
	(void)err;
	a->formats |= IOB_FIO_TERSE;
	return value ? note(a, o, "its value has no effect") : 0;
}

static int parse_count(const struct iob_fio_own_option *o, const char *value, uint64_t low,
	uint64_t high, uint64_t *out, struct iob_error *err)
{
	const char *why = "";

	if (iob_parse_uint(value, out, &why) == 0 && *out >= low && *out <= high)
		return 0;
	return iob_fail_usage(err, "--%s=%.64s: write a whole number from %llu to %llu", o->name,
		value, (unsigned long long)low, (unsigned long long)high);
}

APPLY(terse_version)
{
	uint64_t version = 0;
	int rc = parse_count(o, value, 2, 5, &version, err);

	if (rc == 0)
		a->terse_version = (unsigned)version;
	return rc;
}

APPLY(max_jobs)
{
	uint64_t most = 0;
	int rc = parse_count(o, value, 1, 1000000, &most, err);

	if (rc == 0)
		a->max_jobs = (unsigned)most;
	return rc;
}

static int parse_time(const struct iob_fio_own_option *o, const char *value, uint64_t unit,
	uint64_t *out, struct iob_error *err)
{
	const char *why = "";

	if (iob_parse_time(value, unit, out, &why) == 0)
		return 0;
	return iob_fail_usage(
		err, "--%s=%.64s: %s; write a time such as 500ms, 2s or 1m", o->name, value, why);
}

static int parse_interval(const struct iob_fio_own_option *o, const char *value, uint64_t least_ms,
	uint64_t *out, struct iob_error *err)
{
	uint64_t ns = 0;
	int rc = parse_time(o, value, IOB_NS_PER_S, &ns, err);

	if (rc == 0 && ns < least_ms * IOB_NS_PER_MS)
		return iob_fail_usage(err, "--%s=%.64s: at least %llums", o->name, value,
			(unsigned long long)least_ms);
	if (rc == 0)
		*out = ns;
	return rc;
}

APPLY(eta_newline)
{
	return parse_interval(o, value, 1, &a->eta_newline_ns, err);
}

APPLY(status_interval)
{
	return parse_interval(o, value, 1, &a->status_interval_ns, err);
}

APPLY(eta_interval)
{
	return parse_interval(o, value, 250, &a->eta_interval_ns, err);
}

APPLY(eta)
{
	static const char *const words[] = {
		[IOB_FIO_ETA_AUTO] = "auto",
		[IOB_FIO_ETA_ALWAYS] = "always",
		[IOB_FIO_ETA_NEVER] = "never",
		NULL,
	};
	int i = iob_choose(o->name, value, words, err);

	if (i < 0)
		return i;
	a->eta = (enum iob_fio_eta)i;
	return 0;
}

APPLY(idle_prof)
{
	static const char *const words[] = {"system", "percpu", "calibrate", NULL};
	int i = iob_choose(o->name, value, words, err);

	if (i < 0)
		return i;
	a->idle_prof = (enum iob_fio_idle)(i + 1);
	return 0;
}

APPLY(section)
{
	if (a->nsections == IOB_FIO_MAX_SECTIONS)
		return iob_fail_usage(err, "--%s=%.64s: at most %d of them", o->name, value,
			IOB_FIO_MAX_SECTIONS);
	a->section[a->nsections++] = value;
	return 0;
}

APPLY(grace)
{
	uint64_t ns = 0;
	int rc = parse_time(o, value, IOB_NS_PER_S, &ns, err);

	if (rc == 0 && (ns < 100 * IOB_NS_PER_MS || ns > 3600 * IOB_NS_PER_S))
		return iob_fail_usage(err, "--%s=%.64s: from 100ms to 1h", o->name, value);
	if (rc == 0)
		a->grace_ns = ns;
	return rc;
}

APPLY(allow_write)
{
	if (!a->consent)
		a->consent = calloc(1, sizeof(*a->consent));
	if (!a->consent)
		return iob_fail(err, -ENOMEM, "--%s: %m", o->name);
	return iob_consent_add(a->consent, value, err);
}

APPLY(alloc_size)
{
	(void)value;
	(void)err;
	return note(a, o, "memory grows as needed");
}

APPLY(aux_path)
{
	(void)value;
	(void)err;
	return note(a, o, "no files of state are made here; logs go where fio has them");
}

APPLY(debug)
{
	if (strcmp(value, "help") == 0 || strcmp(value, "?") == 0) {
		a->debughelp = true;
		return 0;
	}
	int rc = iob_fio_debug_check(value, err);
	if (rc < 0)
		return rc;
	iob_messages_add(&a->jobs.warning, &a->jobs.nwarnings, NULL,
		"--%s=%s: there are no such messages here; --warnings says how the jobs were read, "
		"and strace -f what they do",
		o->name, value);
	return 0;
}

APPLY(refuse)
{
	(void)a;
	(void)value;
	return iob_fail_usage(err, "--%s: not here: %s", o->name, o->help);
}

#define NETWORK                                                                                    \
	"one program measures one machine; start it on each (over ssh) and compare the reports"
#define TRIGGER                                                                                    \
	"triggers cut the power under a verifying job, and verification is not supported yet"

#define NONE     IOB_FIO_VALUE_NONE
#define OPTIONAL IOB_FIO_VALUE_OPTIONAL
#define NEEDED   IOB_FIO_VALUE_NEEDED

const struct iob_fio_own_option iob_fio_own_options[] = {
	{"output", NEEDED, "FILE", "Write the report to FILE.", apply_output},
	{"output-format", NEEDED, "LIST", "normal, terse, json, json+; several with commas.",
		apply_output_format},
	{"minimal", NONE, "", "Terse output.", apply_minimal},
	{"append-terse", OPTIONAL, "", "Terse output after the normal one.", apply_append_terse},
	{"terse-version", NEEDED, "N", "Version of the terse output: 2, 3, 4 or 5.",
		apply_terse_version},
	{"eta", NEEDED, "WHEN", "The line of progress: auto, always or never.", apply_eta},
	{"eta-newline", NEEDED, "TIME", "Begin a new line of progress so often.",
		apply_eta_newline},
	{"eta-interval", NEEDED, "TIME", "Renew the line of progress so often.",
		apply_eta_interval},
	{"status-interval", NEEDED, "TIME", "A full report so often.", apply_status_interval},
	{"bandwidth-log", OPTIONAL, "PREFIX", "Logs of the bandwidth of all jobs together.",
		apply_bandwidth_log},
	{"idle-prof", NEEDED, "HOW", "Idleness of the CPUs: system, percpu or calibrate.",
		apply_idle_prof},
	{"section", NEEDED, "NAME", "Only this section of the job file; may be repeated.",
		apply_section},
	{"readonly", NONE, "", "Refuse jobs that write or trim.", apply_readonly},
	{"allow-write", NEEDED, "PATH", "Consent to overwrite this device or existing file.",
		apply_allow_write},
	{"allow-exec", NONE, "", "Let job files name commands, which a run cannot run yet.",
		apply_allow_exec},
	{"grace", NEEDED, "TIME", "How long to wait at the end for I/O that does not return.",
		apply_grace},
	{"max-jobs", NEEDED, "N", "Refuse more jobs than this.", apply_max_jobs},
	{"aux-path", NEEDED, "DIR", "Where files of state would go; there are none.",
		apply_aux_path},
	{"parse-only", NONE, "", "Read everything, run nothing.", apply_parse_only},
	{"showcmd", NONE, "", "Print the jobs as a command line.", apply_showcmd},
	{"warnings", NONE, "", "Say what is accepted without effect.", apply_warnings},
	{"warnings-fatal", NONE, "", "What would only be warned of is an error.",
		apply_warnings_fatal},
	{"cmdhelp", OPTIONAL, "OPTION", "Explain an option of a job, or all.", apply_cmdhelp},
	{"enghelp", OPTIONAL, "ENGINE[,OPTION]", "List engines, or the options of one.",
		apply_enghelp},
	{"crctest", OPTIONAL, "KIND", "Speed of checksums.", apply_crctest},
	{"cpuclock-test", NONE, "", "Is the clock of the CPUs good enough?", apply_cpuclock_test},
	{"help", NONE, "", "This text.", apply_help},
	{"version", NONE, "", "The version.", apply_version},
	{"alloc-size", NEEDED, NULL, "", apply_alloc_size},
	{"debug", NEEDED, "LIST", "Classes of messages, of which there are none; help lists them.",
		apply_debug},
	{"server", OPTIONAL, NULL, NETWORK, apply_refuse},
	{"daemonize", NEEDED, NULL, NETWORK, apply_refuse},
	{"client", OPTIONAL, NULL, NETWORK, apply_refuse},
	{"remote-config", NEEDED, NULL, NETWORK, apply_refuse},
	{"trigger", NEEDED, NULL, TRIGGER, apply_refuse},
	{"trigger-file", NEEDED, NULL, TRIGGER, apply_refuse},
	{"trigger-timeout", NEEDED, NULL, TRIGGER, apply_refuse},
	{"trigger-remote", NEEDED, NULL, TRIGGER, apply_refuse},
	{"inflate-log", NEEDED, NULL, "logs are written as they are", apply_refuse},
	{"merge-blktrace-only", NONE, NULL, "replaying a log is not supported yet", apply_refuse},
	{NULL, NONE, NULL, NULL, NULL},
};

const struct iob_fio_own_option *iob_fio_own_option_find(const char *name)
{
	for (const struct iob_fio_own_option *o = iob_fio_own_options; o->name; o++) {
		if (strcmp(o->name, name) == 0)
			return o;
	}
	return NULL;
}

const char *iob_fio_own_option_suggest(const char *name)
{
	struct iob_nearest nearest = {.typed = name};

	for (const struct iob_fio_own_option *o = iob_fio_own_options; o->name; o++)
		iob_nearest_offer(&nearest, o->name);
	for (size_t i = 0; i < iob_param_count(); i++)
		iob_nearest_offer(&nearest, iob_param_at(i)->name);
	for (const struct iob_fio_foreign *f = iob_fio_foreign; f->name; f++)
		iob_nearest_offer(&nearest, f->name);
	return nearest.best;
}
