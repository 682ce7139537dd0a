/* SPDX-License-Identifier: MIT */
/* One word of a few. */
#include <config.h>

#include "cli/choose.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const words[] = {"auto", "always", "never", NULL};
static struct iob_error err;

TestSuite(choose, .timeout = 10);

Test(choose, gives_the_index_of_the_word)
{
	cr_assert_eq(iob_choose("color", "auto", words, &err), 0);
	cr_assert_eq(iob_choose("color", "never", words, &err), 2);
	cr_assert_eq(err.code, 0);
}

static void expect_refused(const char *value, const char *text)
{
	cr_assert_lt(iob_choose("color", value, words, &err), 0, "%s", value);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, text), "%s", err.text);
}

Test(choose, names_option_value_and_words_when_it_is_none)
{
	expect_refused("sometimes", "--color=sometimes: not one of auto, always, never");
	expect_refused("", "--color=: not one of ");
	expect_refused("aut", "--color=aut: ");
	expect_refused("AUTO", "--color=AUTO: ");
}

/* However much there is to say, the text ends where its place does. */
Test(choose, cuts_what_is_too_long)
{
	static const char *const many[] = {"a-word-of-thirty-and-some-letters",
		"b-word-of-thirty-and-some-letters", "c-word-of-thirty-and-some-letters",
		"d-word-of-thirty-and-some-letters", NULL};
	char value[500];

	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	cr_assert_lt(iob_choose("option", value, many, &err), 0);
	cr_assert_lt(strlen(err.text), sizeof(err.text));
	cr_assert_not_null(strstr(err.text, "not one of a-word"), "%s", err.text);
	cr_assert_eq(iob_choose("option", many[3], many, &err), 3);
}
