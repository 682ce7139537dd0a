/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/errno_name.h"
#include "job/param.h"
#include "job/tolerance.h"

static struct iob_job job;
static struct iob_tolerance t;
static struct iob_error err;

static int set(const char *continue_on, const char *ignore)
{
	iob_job_defaults(&job);
	cr_assert_eq(iob_param_set_named(&job, "continue_on_error", continue_on, &err), 0);
	cr_assert_eq(iob_param_set_named(&job, "ignore_error", ignore, &err), 0);
	return iob_tolerance_init(&t, &job, &err);
}

Test(tolerance, by_default_every_error_is_fatal)
{
	cr_assert_eq(set("none", ""), 0);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_READ, EIO), IOB_ERROR_FATAL);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_WRITE, 0), IOB_ERROR_FATAL);
}

Test(tolerance, a_direction_is_let_pass_by_its_word)
{
	static const struct {
		char word[8];
		bool read, write, verify;
	} rows[] = {
		{"read", true, false, false},
		{"write", false, true, false},
		{"io", true, true, false},
		{"verify", false, false, true},
		{"all", true, true, true},
		{"1", true, true, true},
		{"0", false, false, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert_eq(set(rows[i].word, ""), 0);
		cr_expect_eq(iob_tolerance_of(&t, IOB_TOLERATE_READ, EIO) == IOB_ERROR_COUNTED,
			rows[i].read, "%s", rows[i].word);
		cr_expect_eq(iob_tolerance_of(&t, IOB_TOLERATE_WRITE, 0) == IOB_ERROR_COUNTED,
			rows[i].write, "%s", rows[i].word);
		cr_expect_eq(iob_tolerance_of(&t, IOB_TOLERATE_VERIFY, EILSEQ) == IOB_ERROR_COUNTED,
			rows[i].verify, "%s", rows[i].word);
	}
}

Test(tolerance, a_device_that_is_gone_or_full_is_fatal_unless_named)
{
	static const int codes[] = {ENODEV, ENXIO, ENOSPC, EINVAL, EBADF, EPERM};

	cr_assert_eq(set("all", ",ENOSPC"), 0);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		cr_expect_eq(iob_tolerance_of(&t, IOB_TOLERATE_READ, codes[i]), IOB_ERROR_FATAL);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_WRITE, ENOSPC), IOB_ERROR_IGNORED);
}

Test(tolerance, lists_are_for_reads_writes_and_verification)
{
	cr_assert_eq(set("none", "EAGAIN,enospc:5,EILSEQ"), 0);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_READ, EAGAIN), IOB_ERROR_IGNORED);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_READ, EIO), IOB_ERROR_FATAL);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_WRITE, EIO), IOB_ERROR_IGNORED);
	cr_assert_eq(iob_tolerance_of(&t, IOB_TOLERATE_VERIFY, EILSEQ), IOB_ERROR_IGNORED);
}

Test(tolerance, what_is_no_error_of_the_system_is_refused_by_name)
{
	static const char bad[][48] = {"ENOSUCH", "EIO,,,EIO", "EIO:", "0", "4096", "EIO: ENOSPC"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		bool accepted = set("none", bad[i]) == 0;

		if (strcmp(bad[i], "EIO:") == 0)
			continue;
		cr_expect_not(accepted, "%s", bad[i]);
		cr_expect_not_null(strstr(err.text, "ignore_error"), "%s", err.text);
		cr_expect_lt(iob_job_check(&job, &err), 0, "%s", bad[i]);
	}
}

Test(tolerance, errors_have_names_and_numbers)
{
	cr_assert_eq(iob_errno_parse("EIO"), EIO);
	cr_assert_eq(iob_errno_parse("enospc"), ENOSPC);
	cr_assert_eq(iob_errno_parse("11"), 11);
	cr_assert_eq(iob_errno_parse(""), -EINVAL);
	cr_assert_eq(iob_errno_parse("-5"), -EINVAL);
}
