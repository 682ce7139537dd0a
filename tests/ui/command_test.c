/* SPDX-License-Identifier: MIT */
#include "ui/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/script.h"

TestSuite(command, .timeout = 10);

static struct iob_command parsed(const char *line)
{
	struct iob_command c;
	struct iob_error err = {.code = 0};

	cr_assert_eq(iob_command_parse(&c, line, &err), 0, "%s: %s", line, err.text);
	return c;
}

static const char *refused(const char *line)
{
	static struct iob_error err;
	struct iob_command c;

	cr_assert_lt(iob_command_parse(&c, line, &err), 0, "%s", line);
	return err.text;
}

Test(command, a_verb_and_its_argument)
{
	cr_assert_eq(parsed("qd 64").verb, IOB_VERB_QD);
	cr_assert_str_eq(parsed("qd 64").text, "64");
	cr_assert_str_eq(parsed("  mark \t the fan is off \r\n").text, "the fan is off");
	cr_assert_eq(parsed("q").verb, IOB_VERB_QUIT);
	cr_assert_eq(parsed("mark").verb, IOB_VERB_MARK);
}

Test(command, empty_lines_and_comments_do_nothing)
{
	cr_assert_eq(parsed("").verb, IOB_VERB_NONE);
	cr_assert_eq(parsed(" \t").verb, IOB_VERB_NONE);
	cr_assert_eq(parsed("# qd 4").verb, IOB_VERB_NONE);
}

Test(command, what_is_wrong_is_said_with_the_remedy)
{
	cr_assert_not_null(strstr(refused("zom 5"), "did you mean zoom"));
	cr_assert_not_null(strstr(refused("xyzzy"), "no such command"));
	cr_assert_not_null(strstr(refused("qd"), "say qd N"));
	cr_assert_not_null(strstr(refused("stop now"), "takes no argument"));
	char line[1024];
	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "mark ", 5);
	line[sizeof(line) - 1] = '\0';
	cr_assert_not_null(strstr(refused(line), "too long"));
}

Test(command, each_row_of_the_table_is_understood)
{
	char line[64];

	for (const struct iob_verb_row *v = iob_verbs; v->name; v++) {
		snprintf(line, sizeof(line), "%s%s", v->name, v->argument ? " 1" : "");
		cr_assert_eq(parsed(line).verb, v->verb);
	}
}

Test(command, a_script_is_read_line_by_line)
{
	char path[] = "/tmp/iob-script-XXXXXX", line[64];
	struct iob_script s;
	struct iob_error err;
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, "qd 64\n\nq", 8), 8);
	close(fd);
	cr_assert_eq(iob_script_read(&s, path, &err), 0);
	cr_assert(iob_script_next(&s, line, sizeof(line)));
	cr_assert_str_eq(line, "qd 64");
	cr_assert(iob_script_next(&s, line, sizeof(line)));
	cr_assert_str_eq(line, "");
	cr_assert(iob_script_next(&s, line, sizeof(line)));
	cr_assert_str_eq(line, "q");
	cr_assert_eq(s.line, 3);
	cr_assert_not(iob_script_next(&s, line, sizeof(line)));
	iob_script_free(&s);
	/* What would be cut is refused. */
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	fprintf(f, "qd 1\nmark %0500d\n", 1);
	fclose(f);
	cr_assert_lt(iob_script_read(&s, path, &err), 0);
	cr_assert_not_null(strstr(err.text, ":2: the line is longer"), "%s", err.text);
	unlink(path);
	cr_assert_lt(iob_script_read(&s, path, &err), 0);
	cr_assert_not_null(strstr(err.text, path));
}
