/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cli/fio_help.h"

/* What a shell leaves as it is. */
static bool is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_^";

	return *text != '\0' && text[strspn(text, plain)] == '\0';
}

static void print_word(const char *text)
{
	if (is_plain(text)) {
		fputs(text, stdout);
		return;
	}
	putchar('\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
	putchar('\'');
}

static void print_options(const struct iob_option *o, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		/* The display name began the job already. */
		if (strcmp(o[i].key, "name") == 0)
			continue;
		printf(" --%s", o[i].key);
		if (o[i].value) {
			putchar('=');
			print_word(o[i].value);
		}
	}
}

/* A stonewall that stands nowhere: between two job files. */
static bool has_silent_wall(const struct iob_fio_job *j)
{
	return j->job.ctl.stonewall && !iob_fio_job_option(j, "stonewall");
}

static bool is_equal(const struct iob_option *a, const struct iob_option *b)
{
	return strcmp(a->key, b->key) == 0 && !a->value == !b->value &&
	       (!a->value || strcmp(a->value, b->value) == 0);
}

/* How many globals all jobs begin with: they can stand before the first job. */
static size_t common_globals(const struct iob_fio_jobs *jobs)
{
	size_t common = jobs->njobs > 0 ? jobs->job[0].nglobals : 0;

	for (size_t i = 1; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];

		for (size_t k = 0; k < common; k++) {
			if (k == j->nglobals || !is_equal(&j->global[k], &jobs->job[0].global[k]))
				common = k;
		}
	}
	return common;
}

void iob_fio_print_showcmd(const struct iob_fio_jobs *jobs)
{
	size_t common = common_globals(jobs);

	fputs("fio", stdout);
	if (jobs->njobs == 0)
		print_options(jobs->global, jobs->nglobals);
	for (size_t i = 0; i < jobs->njobs; i++) {
		const struct iob_fio_job *j = &jobs->job[i];

		if (i == 0)
			print_options(j->global, common);
		fputs(" --name=", stdout);
		/* Files are named so, whatever name= says. */
		print_word(j->section);
		for (size_t k = common; k < j->nglobals; k++)
			print_options(&j->global[k], 1);
		if (has_silent_wall(j))
			fputs(" --stonewall", stdout);
		print_options(j->option, j->noptions);
	}
	putchar('\n');
}
