/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

TestSuite(error, .timeout = 10);

Test(error, carries_code_kind_and_words)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_fail(&err, -ENOENT, "open %s: %m", "/x"), -ENOENT);
	cr_assert_eq(err.code, -ENOENT);
	cr_assert_eq(err.kind, IOB_ERR_RUN);
	cr_assert_str_eq(err.text, "open /x: No such file or directory");
	cr_assert_eq(iob_error_exit_status(&err), 1);
}

Test(error, kinds_have_their_exit_status)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_fail_usage(&err, "bad"), -EINVAL);
	cr_assert_eq(iob_error_exit_status(&err), 2);
	cr_assert_eq(iob_fail_refused(&err, "no"), -EPERM);
	cr_assert_eq(iob_error_exit_status(&err), 3);
	cr_assert_eq(iob_fail(&err, -EIO, "again"), -EIO);
	cr_assert_eq(iob_error_exit_status(&err), 1, "a later error sets the kind anew");
}

Test(error, too_many_files_has_its_remedy_once)
{
	struct iob_error err = {0};

	iob_fail(&err, -EMFILE, "shared memory: %m");
	cr_assert_str_eq(err.text, "shared memory: Too many open files (raise `ulimit -n`)");
	iob_fail(&err, -EMFILE, "a ring: raise `ulimit -n`");
	cr_assert_str_eq(err.text, "a ring: raise `ulimit -n`");
	iob_fail(&err, -ENFILE, "a ring: too many");
	cr_assert_str_eq(err.text, "a ring: too many");
}

/* What is to be done stands at the end. */
Test(error, long_paths_lose_their_middle_and_not_the_words)
{
	static char path[4096];
	struct iob_error err = {0};
	char clean[sizeof(err.text)];

	for (size_t n = 0; n + 4 < sizeof(path); n += 3)
		memcpy(path + n, n % 60 ? "\u20ac" : "/zz", 4);
	iob_fail_refused(&err, "%s is there; to overwrite it say --allow-write=%s: %m", path, path);
	cr_expect_not_null(strstr(err.text, " is there; to overwrite it say --allow-write=/zz"));
	cr_expect_str_eq(err.text + strlen(err.text) - 25, ": Operation not permitted");
	cr_expect_str_eq(iob_text_clean(clean, sizeof(clean), err.text), err.text);
	/* Nothing is lost of one that fits. */
	iob_fail_refused(&err, "%.300s", path);
	cr_expect_eq(strlen(err.text), 300);
	/* Nothing to take out. */
	memset(path, ' ', sizeof(path) - 1);
	iob_fail_refused(&err, "%s", path);
	cr_expect_eq(strlen(err.text), sizeof(err.text) - 1);
}

Test(error, may_be_absent)
{
	cr_assert_eq(iob_fail(NULL, -EIO, "x"), -EIO);
	cr_assert_eq(iob_fail_usage(NULL, "x"), -EINVAL);
	iob_error_prefix(NULL, "x");
}

Test(error, prefix_keeps_code_and_kind)
{
	struct iob_error err = {0};

	iob_fail_usage(&err, "is odd");
	iob_error_prefix(&err, "stage %d: ", 2);
	cr_assert_str_eq(err.text, "stage 2: is odd");
	cr_assert_eq(err.code, -EINVAL);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
}

/* A text of short words of two-byte characters, shifted by `shift` bytes, is cut without a torn
 * character. */
static void check_cut(const char *text)
{
	size_t n = strlen(text);

	cr_assert_lt(n, sizeof(((struct iob_error *)0)->text));
	cr_assert_geq(n, sizeof(((struct iob_error *)0)->text) - 3);
	cr_assert_eq((unsigned char)text[n - 1] & 0xc0, 0x80, "ends inside a character");
}

Test(error, long_text_is_cut_between_characters)
{
	char longer[1200];
	struct iob_error err = {0};

	for (size_t shift = 0; shift < 2; shift++) {
		memset(longer, 'a', shift);
		for (size_t i = shift; i + 2 < sizeof(longer); i += 2)
			memcpy(longer + i, i % 50 / 2 == 5 ? "  " : "é", 3);
		iob_fail(&err, -EIO, "%s", longer);
		check_cut(err.text);
		iob_error_prefix(&err, "%s", "abc");
		cr_assert_eq(strncmp(err.text, "abc", 3), 0);
		check_cut(err.text);
	}
}
