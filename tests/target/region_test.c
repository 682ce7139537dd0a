/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <string.h>

#include "target/region.h"
#include "tests/support/target_fixture.h"

#define K       UINT64_C(1024)
#define M       (K * K)
#define PERCENT UINT64_C(1000000)

static struct iob_plan plan;
static struct iob_job *job;
static struct iob_target_region region;
static struct iob_error err;

static void fresh(void)
{
	fixture_plan(&plan, IOB_RW_RANDREAD, "f");
	job = &plan.stage[0];
}

TestSuite(region, .init = fresh, .timeout = 10);

Test(region, is_the_whole_by_default)
{
	cr_assert_eq(iob_target_region_of(&region, job, 10 * M + 5, "f", &err), 0);
	cr_expect_eq(region.offset, 0);
	cr_expect_eq(region.size, 10 * M + 5);
}

Test(region, takes_the_rest_after_an_offset)
{
	job->offset.bytes = 3 * M;
	cr_assert_eq(iob_target_region_of(&region, job, 10 * M, "f", &err), 0);
	cr_expect_eq(region.offset, 3 * M);
	cr_expect_eq(region.size, 7 * M);
}

Test(region, rounds_percentages_down_to_blocks)
{
	job->offset.percent_micro = 10 * PERCENT;
	job->size.percent_micro = 50 * PERCENT;
	cr_assert_eq(iob_target_region_of(&region, job, 1000 * K, "f", &err), 0);
	cr_expect_eq(region.offset, 100 * K);
	cr_expect_eq(region.size, 500 * K);
	cr_assert_eq(iob_target_region_of(&region, job, 1001 * K, "f", &err), 0);
	cr_expect_eq(region.offset, 100 * K);
	cr_expect_eq(region.size, 500 * K);
}

Test(region, percent_of_a_huge_device_does_not_overflow)
{
	uint64_t total = UINT64_MAX - 4095;

	job->size.percent_micro = 100 * PERCENT;
	cr_assert_eq(iob_target_region_of(&region, job, total, "f", &err), 0);
	cr_expect_eq(region.size, total);
}

Test(region, beyond_the_end_is_a_usage_error_that_names_size)
{
	job->size.bytes = 20 * M;
	cr_assert_lt(iob_target_region_of(&region, job, 10 * M, "the-file", &err), 0);
	cr_expect_eq(err.kind, IOB_ERR_USAGE);
	cr_expect_not_null(strstr(err.text, "size=20m"));
	cr_expect_not_null(strstr(err.text, "the-file"));
	cr_expect_not_null(strstr(err.text, "10m or less"));
	job->size.bytes = 0;
	job->offset.bytes = 10 * M;
	cr_assert_lt(iob_target_region_of(&region, job, 10 * M, "f", &err), 0);
	cr_expect_not_null(strstr(err.text, "offset=10m"));
}

Test(region, a_block_larger_than_the_region_is_a_usage_error)
{
	job->bs[IOB_READ].max = 16 * M;
	cr_assert_lt(iob_target_region_of(&region, job, 10 * M, "f", &err), 0);
	cr_expect_eq(err.kind, IOB_ERR_USAGE);
	cr_expect_not_null(strstr(err.text, "bs=16m"));
	/* Blocks of a direction that the job does not have do not matter. */
	job->bs[IOB_READ].max = 4096;
	job->bs[IOB_WRITE].max = 16 * M;
	cr_expect_eq(iob_target_region_of(&region, job, 10 * M, "f", &err), 0);
}

Test(region, files_to_be_made_share_the_size)
{
	uint64_t each = 0;

	cr_assert_eq(iob_target_region_made(&region, job, 10 * M, 3, &each, &err), 0);
	cr_expect_eq(each % 4096, 0);
	cr_expect_leq(each * 3, 10 * M);
	cr_expect_gt((each + 4096) * 3, 10 * M);
	job->offset.bytes = M;
	cr_assert_eq(iob_target_region_made(&region, job, 10 * M, 1, &each, &err), 0);
	cr_expect_eq(region.offset, M);
	cr_expect_eq(region.size, 10 * M);
	cr_expect_eq(each, 11 * M);
	cr_expect_lt(iob_target_region_made(&region, job, 8 * K, 3, &each, &err), 0);
	job->size.percent_micro = PERCENT;
	cr_expect_lt(iob_target_region_made(&region, job, 10 * M, 1, &each, &err), 0);
	cr_expect_not_null(strstr(err.text, "size"));
	job->size.percent_micro = 0;
	cr_expect_lt(iob_target_region_made(&region, job, UINT64_MAX, 1, &each, &err), 0);
}

struct odd {
	uint64_t bs, offset;
	char text[128];
};

ParameterizedTestParameters(region, direct_wants_whole_logical_blocks)
{
	static struct odd rows[] = {
		{1000, 0,
			"bs=1000: not a multiple of the 512-byte logical blocks of f; use 512, 1k "
			"or --direct=0"},
		{100, 0,
			"bs=100: not a multiple of the 512-byte logical blocks of f; use 512 or "
			"--direct=0"},
		{4096, 700,
			"offset=700: not a multiple of the 512-byte logical blocks of f; use 512, "
			"1k or --direct=0"},
		{512, 512, ""},
	};

	return cr_make_param_array(struct odd, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct odd *row, region, direct_wants_whole_logical_blocks, .init = fresh)
{
	struct iob_target_region r = {.offset = row->offset, .size = M};

	err.text[0] = '\0';
	job->bs[IOB_READ].min = job->bs[IOB_READ].max = row->bs;
	int rc = iob_target_check_alignment(job, &r, 512, "f", &err);
	cr_expect_eq(rc, row->text[0] ? -EINVAL : 0);
	cr_expect_str_eq(err.text, row->text);
}

Test(region, the_option_that_was_written_is_named, .init = fresh)
{
	struct iob_target_region r = {.size = M};

	strcpy(job->pattern.bssplit, "4k/90:100/10");
	job->bs[IOB_READ] = (struct iob_range){100, 4096};
	cr_assert_eq(iob_target_check_alignment(job, &r, 512, "f", &err), -EINVAL);
	cr_expect_not_null(strstr(err.text, "bssplit=100: not a multiple"), "%s", err.text);
}
