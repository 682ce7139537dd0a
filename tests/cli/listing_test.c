/* SPDX-License-Identifier: MIT */
/* What the listing commands print: on stdout, within 80 columns, valid JSON. */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "job/param.h"
#include "job/profile.h"

static char out[131072], errors[4096];

static void prepare(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	if (!getenv("IOTOP_BENCH_PROFILES"))
		cr_skip_test("IOTOP_BENCH_PROFILES is not set; run by make check");
}

TestSuite(listing, .init = prepare, .timeout = 20);

static FILE *divert(int fd, int *saved)
{
	FILE *f = tmpfile();

	cr_assert_not_null(f, "tmpfile: %m");
	fflush(fd == STDOUT_FILENO ? stdout : stderr);
	*saved = dup(fd);
	cr_assert_eq(dup2(fileno(f), fd), fd);
	return f;
}

static void restore(int fd, int saved, FILE *f, char *text, size_t n)
{
	fflush(fd == STDOUT_FILENO ? stdout : stderr);
	dup2(saved, fd);
	close(saved);
	rewind(f);
	size_t got = fread(text, 1, n - 1, f);
	text[got] = '\0';
	fclose(f);
}

/* Run a command with what it prints in `out` and `errors`. */
static int call(int (*command)(int, char **), const char *first, const char *second)
{
	char a[200] = "", b[200] = "", name[] = "command";
	char *argv[] = {name, first ? a : NULL, second ? b : NULL, NULL};
	int argc = 1 + (first != NULL) + (second != NULL);
	int saved[2];

	snprintf(a, sizeof(a), "%s", first ? first : "");
	snprintf(b, sizeof(b), "%s", second ? second : "");
	FILE *f = divert(STDOUT_FILENO, &saved[0]);
	FILE *e = divert(STDERR_FILENO, &saved[1]);
	int status = command(argc, argv);
	restore(STDERR_FILENO, saved[1], e, errors, sizeof(errors));
	restore(STDOUT_FILENO, saved[0], f, out, sizeof(out));
	return status;
}

static void check_width(void)
{
	static char copy[sizeof(out)];

	memcpy(copy, out, sizeof(out));
	for (char *save = NULL, *line = strtok_r(copy, "\n", &save); line;
		line = strtok_r(NULL, "\n", &save)) {
		size_t n = strlen(line);

		cr_expect_leq(iob_text_width(line), 80, "%s", line);
		cr_expect_neq(line[n - 1], ' ', "blank at the end: %s", line);
	}
}

Test(listing, params_shows_every_row_in_80_columns)
{
	cr_assert_eq(call(iob_cmd_params, NULL, NULL), 0, "%s", errors);
	for (size_t i = 0; i < iob_param_count(); i++) {
		char start[64];

		snprintf(start, sizeof(start), "\n  %s ", iob_param_at(i)->name);
		cr_expect_not_null(strstr(out, start), "%s", iob_param_at(i)->name);
	}
	check_width();
	cr_assert_str_eq(errors, "");
}

ParameterizedTestParameters(listing, params_tells_all_of_one)
{
	static size_t index[256];

	for (size_t i = 0; i < iob_param_count(); i++)
		index[i] = i;
	return cr_make_param_array(size_t, index, iob_param_count());
}

ParameterizedTest(size_t *i, listing, params_tells_all_of_one, .init = prepare)
{
	const struct iob_param *p = iob_param_at(*i);

	cr_assert_eq(call(iob_cmd_params, p->name, NULL), 0, "%s", errors);
	cr_assert_eq(strncmp(out, p->name, strlen(p->name)), 0);
	cr_assert_not_null(strstr(out, p->group));
	if (p->aliases)
		cr_assert_not_null(strstr(out, p->aliases));
	check_width();
}

Test(listing, params_as_json_has_every_row)
{
	cr_assert_eq(call(iob_cmd_params, "--format=json", NULL), 0, "%s", errors);
	json_error_t e;
	json_t *root = json_loads(out, 0, &e);
	cr_assert_not_null(root, "%s", e.text);
	json_t *rows = json_object_get(root, "params");
	cr_assert_eq(json_array_size(rows), iob_param_count());
	for (size_t i = 0; i < iob_param_count(); i++) {
		json_t *row = json_array_get(rows, i);

		cr_assert_str_eq(
			json_string_value(json_object_get(row, "name")), iob_param_at(i)->name);
		cr_assert_str_eq(
			json_string_value(json_object_get(row, "help")), iob_param_at(i)->help);
	}
	json_decref(root);
}

Test(listing, params_as_json_of_one_by_its_alias)
{
	cr_assert_eq(call(iob_cmd_params, "readwrite", "--format=json"), 0, "%s", errors);
	json_t *root = json_loads(out, 0, NULL);
	json_t *row = json_array_get(json_object_get(root, "params"), 0);
	cr_assert_str_eq(json_string_value(json_object_get(row, "name")), "rw");
	cr_assert_geq(json_array_size(json_object_get(row, "choices")), 8);
	json_decref(root);
}

Test(listing, params_refuses_with_one_line_and_status_2)
{
	static const char *const rows[][3] = {
		{"iodpeth", NULL, "did you mean iodepth?"},
		{"zzzzzzzzzzzz", NULL, "iotop-bench params"},
		{"--format=xml", NULL, "not one of text, json"},
		{"--format", NULL, "needs a value"},
		{"--nonsense", NULL, "no such option"},
		{"bs", "rw", "only one NAME"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(call(iob_cmd_params, rows[i][0], rows[i][1]), IOB_EXIT_USAGE);
		cr_expect_str_eq(out, "");
		cr_expect_eq(strncmp(errors, "iotop-bench: ", 13), 0, "%s", errors);
		cr_expect_not_null(strstr(errors, rows[i][2]), "%s", errors);
		cr_expect_eq(strchr(errors, '\n'), errors + strlen(errors) - 1, "one line");
	}
}

Test(listing, all_listings_refuse_in_the_same_words)
{
	static const struct {
		int (*command)(int, char **);
		const char *first, *second, *words;
	} rows[] = {
		{iob_cmd_devices, "--format=xml", NULL, "not one of text, json"},
		{iob_cmd_devices, "-x", NULL, "command: -x: no such option"},
		{iob_cmd_devices, "sda", NULL, "no NAME is possible"},
		{iob_cmd_engines, "--format=xml", NULL, "not one of text, json"},
		{iob_cmd_engines, "--format", NULL, "needs a value"},
		{iob_cmd_engines, "null", "psync", "only one NAME"},
		{iob_cmd_engines, "nul", NULL, "did you mean null?"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(call(rows[i].command, rows[i].first, rows[i].second), IOB_EXIT_USAGE);
		cr_expect_not_null(strstr(errors, rows[i].words), "%s", errors);
		cr_expect_eq(strchr(errors, '\n'), errors + strlen(errors) - 1, "one line");
	}
}

Test(listing, profiles_are_listed_with_summaries)
{
	cr_assert_eq(call(iob_cmd_profiles, NULL, NULL), 0, "%s", errors);
	const char *iops = strstr(out, "iops "), *mixed = strstr(out, "mixed ");
	cr_assert(iops && mixed && iops < mixed);
	cr_assert_not_null(strstr(out, "4k random reads"));
	check_width();
}

Test(listing, profile_in_full_is_a_profile_again)
{
	char name[] = "/tmp/iob-shown-XXXXXX.ini";
	static struct iob_plan first, second;
	struct iob_error err = {0};

	cr_assert_eq(call(iob_cmd_profiles, "mixed", NULL), 0, "%s", errors);
	cr_assert_not_null(strstr(out, "mixed.ini"));
	cr_assert_not_null(strstr(out, "rwmixread = 70"));
	cr_assert_not_null(strstr(out, "# numjobs = 1"));
	int fd = mkstemps(name, 4);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, out, strlen(out)), (ssize_t)strlen(out));
	close(fd);
	iob_plan_init(&first);
	iob_plan_init(&second);
	int rc = iob_profile_load(&second, name, &err);
	unlink(name);
	cr_assert_eq(rc, 0, "%s", err.text);
	cr_assert_eq(iob_profile_load(&first, "mixed", &err), 0);
	cr_assert_eq(memcmp(&first.stage[0], &second.stage[0], sizeof(first.stage[0])), 0);
}

Test(listing, profiles_refuses_with_status_2)
{
	cr_assert_eq(call(iob_cmd_profiles, "iosp", NULL), IOB_EXIT_USAGE);
	cr_assert_not_null(strstr(errors, "did you mean iops?"), "%s", errors);
	cr_assert_eq(call(iob_cmd_profiles, "a", "b"), IOB_EXIT_USAGE);
	cr_assert_eq(call(iob_cmd_profiles, "--x", NULL), IOB_EXIT_USAGE);
	cr_assert_eq(call(iob_cmd_profiles, "/nonexistent.ini", NULL), IOB_EXIT_USAGE);
	cr_assert_not_null(strstr(errors, "No such file"), "%s", errors);
}

static int print_help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	iob_options_print_help();
	return 0;
}

Test(listing, help_names_every_option_in_80_columns)
{
	cr_assert_eq(call(print_help, NULL, NULL), 0);
	for (size_t i = 0; i < iob_param_count(); i++) {
		char name[64];

		snprintf(name, sizeof(name), "  --%s", iob_param_at(i)->name);
		if (!(iob_param_at(i)->flags & (IOB_PF_NO_EFFECT | IOB_PF_JOBFILE)))
			cr_expect_not_null(strstr(out, name), "%s", name);
	}
	cr_assert_not_null(strstr(out, "-p, --profile=NAME|FILE"));
	cr_assert_not_null(strstr(out, "--allow-write=PATH"));
	check_width();
}

static int print_error(int argc, char **argv)
{
	struct iob_error err = {0};

	(void)argc;
	iob_fail_refused(&err, "%s", argv[1]);
	return iob_cli_error(&err);
}

Test(listing, errors_are_cleaned_and_have_their_status)
{
	cr_assert_eq(call(print_error, "bad \033[31m name", NULL), IOB_EXIT_REFUSED);
	cr_assert_str_eq(errors, "iotop-bench: bad ?[31m name\n");
}

static int fill_disk(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	int saved = dup(STDOUT_FILENO);
	int fd = open("/dev/full", O_WRONLY);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	puts("report");
	int status = iob_cli_finish_stdout(IOB_EXIT_OK);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	return status;
}

Test(listing, output_that_cannot_be_written_is_a_failure)
{
	if (access("/dev/full", W_OK) < 0)
		cr_skip_test("no /dev/full here");
	cr_assert_eq(call(fill_disk, NULL, NULL), IOB_EXIT_FAILED);
	cr_assert_not_null(
		strstr(errors, "standard output could not be written: No space"), "%s", errors);
}
