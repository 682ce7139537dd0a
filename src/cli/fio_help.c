/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cli/fio_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/fio_own_options.h"
#include "cli/wrap.h"
#include "job/fio_foreign.h"
#include "job/fio_jobs.h"
#include "job/param.h"
#include "load/engine.h"

#define LABEL_WIDTH  20
#define OPTION_WIDTH 24

/* Scripts look for the version of fio whose options and reports these are. */
#define FIO_VERSION "fio-3.33"

void iob_fio_print_version(void)
{
	puts(FIO_VERSION " (" PACKAGE_NAME " " PACKAGE_VERSION ")");
}

void iob_fio_print_help(void)
{
	puts(PACKAGE_NAME " " PACKAGE_VERSION ", as " FIO_VERSION "\n"
			  "usage: " PACKAGE_NAME " fio [options] [job options] [JOBFILE...]\n");
	for (const struct iob_fio_own_option *o = iob_fio_own_options; o->name; o++) {
		if (!o->shown)
			continue;
		int n = printf("  --%s%s%s", o->name, o->shown[0] != '\0' ? "=" : "", o->shown);

		iob_print_wrapped(stdout, o->help, (size_t)n, OPTION_WIDTH + 4);
	}
	puts("\nJob options are given as --NAME=VALUE after --name=JOB, or before the first one\n"
	     "for all jobs; --cmdhelp=all lists them.  Writing to a device or to a file that\n"
	     "exists needs --allow-write=PATH.");
}

static const char *type_words(const struct iob_param *p)
{
	switch (p->type) {
	case IOB_P_BOOL:
		return "switch (0 or 1; the bare name is 1)";
	case IOB_P_UINT:
		return "number";
	case IOB_P_BYTES:
		return "size (4k, 1m)";
	case IOB_P_RANGE:
		return "size or range of sizes (4k, 4k-64k)";
	case IOB_P_AMOUNT:
		return "size or share (1g, 50%)";
	case IOB_P_TIME:
		return "time (30, 500ms, 2m)";
	case IOB_P_PERCENT:
		return "per cent";
	case IOB_P_CHOICE:
		return "one of the values";
	case IOB_P_TEXT:
		return "text";
	}
	return "text";
}

static void print_label(const char *label, const char *text)
{
	printf("%*s: %s\n", LABEL_WIDTH, label, text);
}

/* That of fio, which is not everywhere that of the table. */
static void print_default(const struct iob_param *p)
{
	IOB_FREE struct iob_job *job = malloc(sizeof(*job));
	char text[IOB_PATH_MAX] = "";

	if (job) {
		iob_fio_defaults(job);
		iob_param_get(job, p, text, sizeof(text));
	}
	print_label("default", text[0] != '\0' ? text : "no default");
}

static void print_param(const struct iob_param *p)
{
	char legal[200];

	int n = printf("%*s:", LABEL_WIDTH, p->name);
	iob_print_wrapped(stdout, p->help, (size_t)n, LABEL_WIDTH + 2);
	if (p->aliases)
		print_label("alias", p->aliases);
	print_label("type", type_words(p));
	print_default(p);
	if (!p->choices && p->type != IOB_P_TEXT && p->type != IOB_P_BOOL)
		print_label("range", iob_param_legal(p, legal, sizeof(legal)));
	for (const struct iob_param_choice *c = p->choices; c && c->name; c++)
		printf("%*s: %-10s %s\n", LABEL_WIDTH, c == p->choices ? "valid values" : "",
			c->name, c->help);
	if (p->flags & IOB_PF_SPLIT)
		print_label("split", p->flags & IOB_PF_NO_TRIM ? "read,write" : "read,write,trim");
}

static const char *kind_words(enum iob_foreign kind)
{
	switch (kind) {
	case IOB_FOREIGN_NOTE:
		return "accepted without effect";
	case IOB_FOREIGN_NOT_YET:
		return "not supported yet";
	case IOB_FOREIGN_NEVER:
		return "not supported";
	case IOB_FOREIGN_COMMAND:
		return "needs --allow-exec";
	case IOB_FOREIGN_CPUMASK:
		return "another way to write an option";
	}
	return "";
}

static void print_foreign(const struct iob_fio_foreign *f)
{
	printf("%*s: %s: %s\n", LABEL_WIDTH, f->name, kind_words(f->kind), f->words);
}

static void print_all(void)
{
	for (size_t i = 0; i < iob_param_count(); i++) {
		int n = printf("%-*s:", OPTION_WIDTH, iob_param_at(i)->name);

		iob_print_wrapped(stdout, iob_param_at(i)->help, (size_t)n, OPTION_WIDTH + 2);
	}
	for (const struct iob_fio_foreign *f = iob_fio_foreign; f->name; f++) {
		if (!iob_param_find(f->name))
			printf("%-*s: %s\n", OPTION_WIDTH, f->name, kind_words(f->kind));
	}
}

int iob_fio_print_cmdhelp(const char *name, struct iob_error *err)
{
	const struct iob_param *p = iob_param_find(name);
	const struct iob_fio_foreign *f = iob_fio_foreign_find(name);
	const char *near;

	if (strcmp(name, "all") == 0) {
		print_all();
	} else if (p) {
		print_param(p);
	} else if (f) {
		print_foreign(f);
	} else {
		near = iob_param_suggest(name);
		if (near)
			return iob_fail_usage(err,
				"--cmdhelp=%.64s: no such option; did you mean %s?", name, near);
		return iob_fail_usage(
			err, "--cmdhelp=%.64s: no such option; --cmdhelp=all lists them", name);
	}
	return 0;
}

static int print_engine(const struct iob_engine *e, const char *option, struct iob_error *err)
{
	const struct iob_fio_foreign *f = option ? iob_fio_foreign_find(option) : NULL;
	bool found = false;

	for (size_t i = 0; e->params && e->params[i]; i++) {
		const struct iob_param *p = iob_param_find(e->params[i]);

		if (!p || (option && iob_param_find(option) != p))
			continue;
		found = true;
		if (option) {
			print_param(p);
			continue;
		}
		int n = printf("%-*s:", OPTION_WIDTH, p->name);
		iob_print_wrapped(stdout, p->help, (size_t)n, OPTION_WIDTH + 2);
	}
	if (f && !found)
		print_foreign(f);
	else if (option && !found)
		return iob_fail_usage(
			err, "--enghelp=%s,%.64s: the engine has no such option", e->name, option);
	else if (!found)
		printf("IO engine %s has no options\n", e->name);
	return 0;
}

int iob_fio_print_enghelp(const char *what, struct iob_error *err)
{
	char name[64];
	const struct iob_engine *e;
	size_t n = strcspn(what, ",");

	if (*what == '\0') {
		puts("Available IO engines:");
		for (size_t i = 0; iob_engines[i]; i++)
			printf("\t%s\n", iob_engines[i]->name);
		return 0;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(n < 63 ? n : 63), what);
	e = iob_engine_find(name);
	if (!e && iob_fio_engine_alias(name))
		e = iob_engine_find(iob_fio_engine_alias(name));
	if (!e)
		return iob_fail_usage(
			err, "--enghelp=%s: no such engine; --enghelp lists them", name);
	return print_engine(e, what[n] == ',' ? what + n + 1 : NULL, err);
}
