/* SPDX-License-Identifier: MIT */
/* bssplit, and the values behind a colon. */
#include <config.h>

#include <criterion/criterion.h>
#include <string.h>

#include "job/bssplit.h"
#include "job/job.h"
#include "job/param.h"

static struct iob_job job;
static struct iob_error err;

static void fresh(void)
{
	iob_job_defaults(&job);
}

static int set(const char *name, const char *text)
{
	return iob_param_set(&job, iob_param_find(name), text, &err);
}

static const char *get(const char *name)
{
	static char text[256];

	return iob_param_get(&job, iob_param_find(name), text, sizeof(text));
}

TestSuite(split, .init = fresh);

Test(split, blanks_divide_the_rest)
{
	struct iob_bssplit split[IOB_NDIR];
	const char *why;

	cr_assert_eq(iob_bssplit_parse(split, "64k/30:4k/:8k/:512", &why), 0, "%s", why);
	cr_assert_eq(split[IOB_TRIM].count, 4);
	cr_assert_eq(split[0].entry[0].bytes, 512);
	cr_assert_eq(split[0].entry[3].bytes, 65536);
	cr_assert_eq(split[0].entry[3].share, 30 * (IOB_BSSPLIT_WHOLE / 100));
	for (unsigned i = 0; i < 3; i++)
		cr_assert_eq(split[0].entry[i].share, 70 * (IOB_BSSPLIT_WHOLE / 100) / 3);
}

Test(split, commas_tell_the_directions_apart)
{
	struct iob_bssplit split[IOB_NDIR];
	const char *why;

	cr_assert_eq(iob_bssplit_parse(split, "4k/100,8k/50:16k/50", &why), 0);
	cr_assert_eq(split[IOB_READ].count, 1);
	cr_assert_eq(split[IOB_WRITE].count, 2);
	cr_assert_eq(split[IOB_TRIM].count, 2);
	cr_assert_eq(iob_bssplit_parse(split, ",8k/100", &why), 0);
	cr_assert_eq(split[IOB_READ].count, 0);
}

Test(split, wrong_ones_are_refused_with_a_reason)
{
	static const char *const wrong[] = {"4k/60:8k/60", "4k/x", "4x/50", ":", "4k/50::8k/50",
		"0/50", "4k/101", "1k,2k,3k,4k", "4k/50/1"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		cr_expect_lt(set("bssplit", wrong[i]), 0, "%s", wrong[i]);
		cr_expect_not_null(strstr(err.text, "bssplit="), "%s", err.text);
	}
	char many[1024] = "1k/1";
	for (unsigned i = 1; i <= 64; i++)
		strcat(many, ":2k/1");
	cr_expect_lt(set("bssplit", many), 0);
	cr_expect_not_null(strstr(err.text, "64"), "%s", err.text);
}

Test(split, it_goes_before_bs_whichever_comes_first)
{
	cr_assert_eq(set("bssplit", "4k/50:1m/50"), 0, "%s", err.text);
	cr_assert_eq(set("bs", "8k"), 0);
	cr_assert_eq(job.bs[IOB_READ].min, 4096);
	cr_assert_eq(job.bs[IOB_READ].max, 1 << 20);
	cr_assert_eq(set("bssplit", ""), 0);
	cr_assert_eq(set("bs", "8k"), 0);
	cr_assert_eq(job.bs[IOB_READ].max, 8192);
}

Test(split, what_stands_behind_the_colon_comes_back)
{
	static const struct {
		const char *name, *text;
	} rows[] = {{"rw", "randread:8"}, {"rw", "read:4k"}, {"rw", "write:-8k"}, {"rw", "randrw"},
		{"random_distribution", "zipf:1.2"}, {"random_distribution", "pareto:0.05"},
		{"random_distribution", "zipf:1.2:0.25"}, {"random_distribution", "pareto:0.1:0"},
		{"file_service_type", "zipf:1.5"}, {"write_hint", "long"},
		{"random_distribution", "random"}, {"file_service_type", "random:16"},
		{"blockalign", "512,4k"}, {"percentage_random", "100,25"}, {"filesize", "4k-1m"},
		{"sync_file_range", "wait_before,write:8"}, {"allow_file_create", "0"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(set(rows[i].name, rows[i].text), 0, "%s", err.text);
		cr_expect_str_eq(get(rows[i].name), rows[i].text);
	}
	cr_expect_eq(job.pattern.percentage_sequential[IOB_WRITE], 75);
	cr_expect_eq(job.sync_file_range.every, 8);
	cr_expect_eq(job.sync_file_range.flags, 3);
	cr_expect(job.files.no_file_create);
	cr_expect_eq(set("rw", "randread"), 0);
	cr_expect_eq(job.pattern.rw_suffix, 0);
}

Test(split, what_is_not_there_yet_is_refused_by_name)
{
	static const struct {
		const char *name, *text, *words;
	} rows[] = {{"random_distribution", "normal:5", "not supported yet"},
		{"random_distribution", "zoned:50/5:50/95", "not supported yet"},
		{"file_service_type", "normal:20", "not supported yet"},
		{"random_distribution", "zipf:1.2:1.5", "between 0 and 1"},
		{"random_distribution", "zipf:1.2:", "such as :1.2:0.5"},
		{"file_service_type", "zipf:1.1:0.5", "such as :1.2"},
		{"rw", "randread:x", "such as :8"}, {"rw", "randread:0", "more than 0"},
		{"rw", "read:4x", "such as :8k"}, {"rw", "reed", "not one of"},
		{"random_distribution", "random:1", "colon"},
		{"sync_file_range", "read:8", "write:8"}, {"sync_file_range", "write", "write:8"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_lt(set(rows[i].name, rows[i].text), 0, "%s", rows[i].text);
		cr_expect_not_null(strstr(err.text, rows[i].words), "%s", err.text);
	}
}

Test(split, parameters_of_distributions_have_bounds)
{
	static const char *const wrong[] = {"zipf:1", "pareto:1", "pareto:1.5"};

	for (size_t i = 0; i < 3; i++) {
		cr_expect_eq(set("random_distribution", wrong[i]), 0);
		cr_expect_lt(iob_job_check(&job, &err), 0, "%s", wrong[i]);
		cr_expect_not_null(strstr(err.text, wrong[i]), "%s", err.text);
	}
	cr_expect_eq(set("random_distribution", "zipf"), 0);
	cr_expect_eq(iob_job_check(&job, &err), 0);
}
