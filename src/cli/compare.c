/* SPDX-License-Identifier: MIT */
/* iotop-bench compare FIRST OTHER...: headline figures side by side. */
#include <config.h>

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "result/compare.h"

#define NAME_COLUMNS  16
#define VALUE_COLUMNS 12

static void put_value(char *buf, size_t n, const struct iob_compare_row *row, double value)
{
	char text[24];

	switch (row->unit) {
	case IOB_COMPARE_COUNT:
		iob_format_count(buf, n, value);
		break;
	case IOB_COMPARE_BANDWIDTH:
		snprintf(buf, n, "%s/s",
			iob_format_bytes(text, sizeof(text), value > 0 ? (uint64_t)value : 0));
		break;
	case IOB_COMPARE_LATENCY:
		iob_format_latency(buf, n, (uint64_t)value);
		break;
	case IOB_COMPARE_PERCENT:
		snprintf(buf, n, "%.0f%%", value);
		break;
	}
}

/* Without a known noise any difference may be one. */
static const char *word_of(
	const struct iob_comparison *c, const struct iob_compare_row *row, unsigned run)
{
	static const char *const words[] = {
		[IOB_COMPARE_SAME] = "",
		[IOB_COMPARE_NOISE] = " ~",
		[IOB_COMPARE_BETTER] = " better",
		[IOB_COMPARE_WORSE] = " worse",
		[IOB_COMPARE_OTHER] = "",
	};
	enum iob_compare_verdict verdict = iob_comparison_judge(c, row, run);

	if (iob_comparison_noise(c, run) < 0 && verdict != IOB_COMPARE_SAME)
		return " ?";
	return words[verdict];
}

static void print_row(const struct iob_comparison *c, const struct iob_compare_row *row)
{
	char line[NAME_COLUMNS + VALUE_COLUMNS + IOB_COMPARE_RUNS * 40], text[32];
	int used;

	put_value(text, sizeof(text), row, row->value[0]);
	used = snprintf(
		line, sizeof(line), "%-*s%*s", NAME_COLUMNS, row->name, VALUE_COLUMNS, text);
	for (unsigned i = 1; i < c->nruns; i++) {
		char ratio[16] = "-";

		put_value(text, sizeof(text), row, row->value[i]);
		if (row->value[0] > 0)
			snprintf(ratio, sizeof(ratio), "x%.3f", row->value[i] / row->value[0]);
		used += snprintf(line + used, sizeof(line) - (size_t)used, "%*s %8s%-7s",
			VALUE_COLUMNS, text, ratio, word_of(c, row, i));
	}
	while (used > 0 && line[used - 1] == ' ')
		used--;
	printf("%.*s\n", used, line);
}

static void print_head(const struct iob_comparison *c, char **files)
{
	for (unsigned i = 0; i < c->nruns; i++) {
		char name[IOB_PATH_MAX];

		iob_text_clean(name, sizeof(name), files[i]);
		printf("%c  %s", 'A' + (int)i, name);
		if (c->spread[i] < 0)
			puts("  (noise unknown: fewer than three full seconds)");
		else
			printf("  (noise %.1f%%)\n", c->spread[i]);
	}
	printf("\n%-*s%*s", NAME_COLUMNS, "", VALUE_COLUMNS, "A");
	for (unsigned i = 1; i < c->nruns; i++)
		printf("%*c %8s%*s", VALUE_COLUMNS, 'A' + (int)i, "to A", i + 1 < c->nruns ? 7 : 0,
			"");
	putchar('\n');
}

static void print_difference(void *self, const char *what, const char *first, const char *other)
{
	const char *letter = self;

	printf("differs: %-16s A %s   %c %s\n", what, first[0] ? first : "-", *letter,
		other[0] ? other : "-");
}

static void print(const struct iob_comparison *c, char **files)
{
	print_head(c, files);
	for (unsigned i = 0; i < c->nrows; i++)
		print_row(c, &c->row[i]);
	puts("\n~ within the noise (the spread of a run's own seconds): repeat before believing it\n"
	     "? the noise is not known");
	for (unsigned i = 1; i < c->nruns; i++) {
		char letter = (char)('A' + i);

		iob_comparison_settings(c, i, print_difference, &letter);
		iob_comparison_places(c, i, print_difference, &letter);
	}
}

static int compare(char **files, unsigned n)
{
	struct iob_result *results = calloc(n, sizeof(*results));
	const struct iob_result *runs[IOB_COMPARE_RUNS];
	struct iob_comparison *c = malloc(sizeof(*c));
	struct iob_error err = {0};
	unsigned have = 0;
	int empty, status = IOB_EXIT_FAILED;

	if (!results || !c) {
		iob_fail(&err, -ENOMEM, "compare: %m");
		goto out;
	}
	for (; have < n; have++) {
		if (iob_result_read(&results[have], files[have], &err))
			goto out;
		runs[have] = &results[have];
	}
	empty = iob_comparison_make(c, runs, n);
	if (empty >= 0) {
		iob_fail_usage(&err, "%s: this run has measured nothing", files[empty]);
		goto out;
	}
	print(c, files);
	status = iob_cli_finish_stdout(IOB_EXIT_OK);
out:
	if (err.code)
		status = iob_cli_error(&err);
	for (unsigned i = 0; i < have; i++)
		iob_result_free(&results[i]);
	free(results);
	free(c);
	return status;
}

int iob_cmd_compare(int argc, char **argv)
{
	static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
	struct iob_error err = {0};
	int c;

	optind = 0; /* start over: main has not used it, a test may have */
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (c != 'h') {
			iob_fail_usage(&err, "compare: %s: no such option; only --help is possible",
				argv[optind - 1]);
			return iob_cli_error(&err);
		}
		puts("usage: iotop-bench compare FIRST OTHER...\n"
		     "\n"
		     "Headline figures of saved runs (or of the JSON of fio) side by side; the first\n"
		     "is what the others are compared with.");
		return iob_cli_finish_stdout(IOB_EXIT_OK);
	}
	unsigned n = (unsigned)(argc - optind);
	if (n < 2 || n > IOB_COMPARE_RUNS) {
		iob_fail_usage(&err,
			"compare: name two to %d saved runs: iotop-bench compare FIRST OTHER...",
			IOB_COMPARE_RUNS);
		return iob_cli_error(&err);
	}
	return compare(argv + optind, n);
}
