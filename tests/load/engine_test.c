/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "job/param.h"
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

static const char *const good_params[] = {"nowait", "hipri", NULL};
static const struct iob_engine good = {.name = "io_uring", .probe = runs, .params = good_params};
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

/* What a job says to the first engine and to the second, which has no parameters of its own. */
struct param_case {
	char name[16], value[4];
	bool good, broken;
};

ParameterizedTestParameters(engine, a_parameter_of_another_engine_is_refused_by_name)
{
	static struct param_case cases[] = {
		{"hipri", "1", true, false},
		{"nowait", "1", true, false},
		{"uncached", "1", false, false},
		{"direct", "1", true, true},
	};

	return cr_make_param_array(
		struct param_case, cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

ParameterizedTest(const struct param_case *c, engine,
	a_parameter_of_another_engine_is_refused_by_name, .timeout = 10)
{
	static struct iob_job job;
	struct iob_error err = {0};
	char start[64];

	iob_job_defaults(&job);
	cr_assert_eq(iob_engine_check_params(&broken, &job, &err), 0, "%s", err.text);
	cr_assert_eq(iob_param_set_named(&job, c->name, c->value, &err), 0, "%s", err.text);
	cr_assert_eq(iob_engine_check_params(&good, &job, &err) == 0, c->good, "%s", err.text);
	if (c->broken)
		return;
	cr_assert_lt(iob_engine_check_params(&broken, &job, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	snprintf(start, sizeof(start), "%s: the engine broken has no such parameter; ", c->name);
	cr_assert_eq(strncmp(err.text, start, strlen(start)), 0, "%s", err.text);
	cr_assert_eq(strstr(err.text, "io_uring") != NULL, c->good, "%s", err.text);
}
