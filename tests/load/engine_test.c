/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "load/engine.h"

static int runs(struct iob_error *err)
{
	(void)err;
	return 0;
}

static int cannot(struct iob_error *err)
{
	return iob_fail(err, -ENOSYS, "broken: not on this kernel");
}

static const struct iob_engine good = {.name = "io_uring", .probe = runs};
static const struct iob_engine broken = {.name = "broken", .probe = cannot};

/* In place of engines/registry.c. */
const struct iob_engine *const iob_engines[] = {&good, &broken, NULL};

Test(engine, is_found_by_its_name)
{
	const struct iob_engine *e = NULL;
	struct iob_error err = {0};

	cr_assert_eq(iob_engine_find("io_uring"), &good);
	cr_assert_null(iob_engine_find("IO_URING"));
	cr_assert_null(iob_engine_find(""));
	cr_assert_eq(iob_engine_get(&e, "io_uring", &err), 0);
	cr_assert_eq(e, &good);
}

Test(engine, an_unknown_name_is_answered_with_the_list)
{
	const struct iob_engine *e = NULL;
	struct iob_error err = {0};

	cr_assert_lt(iob_engine_get(&e, "sg", &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, "ioengine=sg"));
	cr_assert_not_null(strstr(err.text, "io_uring, broken"));
	cr_assert_null(strstr(err.text, "did you mean"));
	cr_assert_lt(iob_engine_get(&e, "uring", &err), 0);
	cr_assert_not_null(strstr(err.text, "did you mean io_uring?"), "%s", err.text);
	cr_assert_lt(iob_engine_get(&e, "IO-Urnig", &err), 0);
	cr_assert_not_null(strstr(err.text, "did you mean io_uring?"), "%s", err.text);
}

Test(engine, one_that_cannot_run_says_why)
{
	const struct iob_engine *e = NULL;
	struct iob_error err = {0};

	cr_assert_eq(iob_engine_get(&e, "broken", &err), -ENOSYS);
	cr_assert_eq(err.kind, IOB_ERR_RUN);
	cr_assert_null(e);
	cr_assert_str_eq(err.text, "broken: not on this kernel");
}
