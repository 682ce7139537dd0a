/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "job/plan.h"

static struct iob_plan plan;
static struct iob_error err;

static void fresh(void)
{
	iob_plan_init(&plan);
}

TestSuite(plan, .init = fresh, .timeout = 10);

static void add_stage(void)
{
	iob_job_defaults(&plan.stage[plan.nstages++]);
}

Test(plan, without_target_is_a_scratch_run)
{
	cr_assert_eq(plan.nstages, 1);
	cr_assert_eq(iob_plan_set_target(&plan, NULL, &err), 0);
	cr_assert_eq(iob_plan_finish(&plan, &err), 0, "%s", err.text);
	cr_assert(plan.scratch);
	cr_assert_neq(plan.seed, 0);
}

Test(plan, null_engine_needs_no_place)
{
	cr_assert_eq(iob_plan_set(&plan, "ioengine", "null", &err), 0);
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	cr_assert_not(plan.scratch);
}

Test(plan, target_goes_to_all_stages)
{
	add_stage();
	cr_assert_eq(iob_plan_set(&plan, "directory", "/var/tmp", &err), 0);
	cr_assert_eq(iob_plan_set_target(&plan, "/dev/sdb", &err), 0);
	for (unsigned i = 0; i < 2; i++) {
		cr_assert_str_eq(plan.stage[i].filename, "/dev/sdb");
		cr_assert_str_eq(plan.stage[i].directory, "");
	}
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	cr_assert_not(plan.scratch);
}

Test(plan, slash_at_the_end_makes_a_directory)
{
	cr_assert_eq(iob_plan_set_target(&plan, "/var/tmp/", &err), 0);
	cr_assert_str_eq(plan.stage[0].directory, "/var/tmp/");
	cr_assert_str_eq(plan.stage[0].filename, "");
}

Test(plan, bad_targets_are_refused)
{
	static char longer[IOB_PATH_MAX + 10];

	memset(longer, 'x', sizeof(longer) - 1);
	cr_assert_eq(iob_plan_set_target(&plan, "", &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "TARGET"));
	cr_assert_eq(iob_plan_set_target(&plan, longer, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "too long"));
}

Test(plan, some_stages_without_place_are_refused)
{
	add_stage();
	memcpy(plan.stage[1].name, "second", sizeof("second"));
	cr_assert_eq(iob_plan_set(&plan, "filename", "/x", &err), 0);
	plan.stage[1].filename[0] = '\0';
	cr_assert_eq(iob_plan_finish(&plan, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "second"));
}

Test(plan, every_stage_is_checked_and_named)
{
	add_stage();
	memcpy(plan.stage[1].name, "second", sizeof("second"));
	plan.stage[1].iodepth_batch = 5;
	cr_assert_eq(iob_plan_finish(&plan, &err), -EINVAL);
	cr_assert_eq(strncmp(err.text, "stage second: ", 14), 0, "%s", err.text);
	plan.nstages = 0;
	cr_assert_eq(iob_plan_finish(&plan, &err), -EINVAL);
	plan.nstages = IOB_MAX_STAGES + 1;
	cr_assert_eq(iob_plan_finish(&plan, &err), -EINVAL);
}

Test(plan, seed_is_fresh_or_repeated_or_given)
{
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	uint64_t first = plan.seed;
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	cr_assert_neq(plan.seed, first, "two runs have the same seed once in 2^64");
	iob_plan_set(&plan, "randrepeat", "1", &err);
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	first = plan.seed;
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	cr_assert_eq(plan.seed, first);
	iob_plan_set(&plan, "randseed", "42", &err);
	cr_assert_eq(iob_plan_finish(&plan, &err), 0);
	cr_assert_eq(plan.seed, 42);
}

Test(plan, consents_are_collected)
{
	char name[8] = "/dev/a";

	for (int i = 0; i < IOB_MAX_CONSENTS; i++) {
		name[5] = (char)('a' + i);
		cr_assert_eq(iob_plan_allow_write(&plan, name, &err), 0);
	}
	cr_assert_eq(plan.consent.count, IOB_MAX_CONSENTS);
	cr_assert_str_eq(plan.consent.path[1], "/dev/b");
	cr_assert_eq(iob_plan_allow_write(&plan, name, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "at most"));
	plan.consent.count = 0;
	cr_assert_eq(iob_plan_allow_write(&plan, "", &err), -EINVAL);
}

Test(plan, unknown_parameter_is_refused)
{
	cr_assert_eq(iob_plan_set(&plan, "iodeph", "1", &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "iodepth"));
}
