/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "job/cmdprio.h"
#include "job/param.h"

#define PRIORITY(class, level) ((class) << 13 | (level))

static struct iob_job job;
static struct iob_cmdprio prio;
static struct iob_error err;

static void fresh(void)
{
	iob_job_defaults(&job);
	memset(&err, 0, sizeof(err));
}

TestSuite(cmdprio, .init = fresh, .timeout = 10);

static int set(const char *name, const char *text)
{
	return iob_param_set_named(&job, name, text, &err);
}

Test(cmdprio, none_is_wanted_unless_somebody_asks)
{
	cr_assert_not(iob_cmdprio_is_wanted(&job));
	cr_assert_eq(iob_cmdprio_init(&prio, &job, &err), 0);
	cr_assert_eq(prio.count[IOB_READ] + prio.count[IOB_WRITE] + prio.count[IOB_TRIM], 0);
	/* A class and a level alone are that of nobody. */
	cr_assert_eq(set("cmdprio_class", "2"), 0);
	cr_assert_eq(set("cmdprio", "4"), 0);
	cr_assert_not(iob_cmdprio_is_wanted(&job));
}

Test(cmdprio, a_percentage_is_of_requests_of_any_size_and_real_time)
{
	cr_assert_eq(set("cmdprio_percentage", "30"), 0);
	cr_assert(iob_cmdprio_is_wanted(&job));
	cr_assert_eq(iob_cmdprio_init(&prio, &job, &err), 0);
	for (int d = IOB_READ; d <= IOB_WRITE; d++) {
		cr_assert_eq(prio.count[d], 1);
		cr_assert_eq(prio.entry[d][0].bytes, 0);
		cr_assert_eq(prio.entry[d][0].percent, 30);
		cr_assert_eq(prio.entry[d][0].ioprio, PRIORITY(1, 0));
	}
	cr_assert_eq(prio.count[IOB_TRIM], 0);
}

Test(cmdprio, commas_divide_reads_and_writes)
{
	cr_assert_eq(set("cmdprio_percentage", "10,0"), 0);
	cr_assert_eq(set("cmdprio_class", "2,3"), 0);
	cr_assert_eq(set("cmdprio", "7,1"), 0);
	cr_assert_eq(iob_cmdprio_init(&prio, &job, &err), 0);
	cr_assert_eq(prio.count[IOB_READ], 1);
	cr_assert_eq(prio.entry[IOB_READ][0].ioprio, PRIORITY(2, 7));
	cr_assert_eq(prio.count[IOB_WRITE], 0);
}

Test(cmdprio, there_is_none_for_trims)
{
	static const char *const names[] = {"cmdprio_percentage", "cmdprio_class", "cmdprio"};
	char text[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cr_assert_eq(set(names[i], "1,2,3"), -EINVAL, "%s", names[i]);
		cr_assert_not_null(strstr(err.text, names[i]));
		cr_assert_not_null(strstr(err.text, "trims"), "%s", err.text);
		/* What is shown can be read again. */
		cr_assert_eq(set(names[i], "1,2"), 0);
		iob_param_get(&job, iob_param_find(names[i]), text, sizeof(text));
		cr_assert_str_eq(text, "1,2");
	}
}

Test(cmdprio, a_split_has_priorities_by_size)
{
	cr_assert_eq(set("cmdprio_class", "2"), 0);
	cr_assert_eq(set("cmdprio_bssplit", "4k/20:64k/5/1/3:64k/10/3/0"), 0);
	cr_assert_eq(iob_cmdprio_init(&prio, &job, &err), 0, "%s", err.text);
	for (int d = IOB_READ; d <= IOB_WRITE; d++) {
		const struct iob_cmdprio_entry *e = prio.entry[d];

		cr_assert_eq(prio.count[d], 3);
		cr_assert(e[0].bytes == 4096 && e[0].percent == 20);
		cr_assert_eq(e[0].ioprio, PRIORITY(2, 0), "that of cmdprio_class");
		cr_assert(e[1].bytes == 65536 && e[1].percent == 5);
		cr_assert_eq(e[1].ioprio, PRIORITY(1, 3));
		cr_assert_eq(e[2].ioprio, PRIORITY(3, 0));
	}
}

Test(cmdprio, a_split_has_a_list_for_writes_and_may_leave_one_out)
{
	cr_assert_eq(set("cmdprio_bssplit", "4k/20,8k/30"), 0);
	cr_assert_eq(iob_cmdprio_init(&prio, &job, &err), 0);
	cr_assert_eq(prio.entry[IOB_READ][0].bytes, 4096);
	cr_assert_eq(prio.entry[IOB_WRITE][0].bytes, 8192);
	cr_assert_eq(set("cmdprio_bssplit", ",8k/30"), 0);
	cr_assert_eq(iob_cmdprio_init(&prio, &job, &err), 0);
	cr_assert_eq(prio.count[IOB_READ], 0);
	cr_assert_eq(prio.count[IOB_WRITE], 1);
}

struct refusal {
	char text[40], words[40];
};

ParameterizedTestParameters(cmdprio, refuses)
{
	static struct refusal rows[] = {
		{"4k", "size/share"},
		{"4k/", "size/share"},
		{"4k/20/1", "size/share"},
		{"4k/20/1/2/3", "size/share"},
		{"4k/101", "100"},
		{"4k/60:4k/50", "more than 100"},
		{"4k/20/0/1", "a class"},
		{"4k/20/4/1", "a class"},
		{"4k/20/1/8", "a level"},
		{"0/20", "a size"},
		{"5x/20", ""},
		{"4k/2,4k/3,4k/4", "two lists"},
		{":4k/2", "size/share"},
	};

	return cr_make_param_array(struct refusal, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct refusal *r, cmdprio, refuses, .init = fresh)
{
	cr_assert_eq(set("cmdprio_bssplit", r->text), -EINVAL, "%s", r->text);
	cr_expect_not_null(strstr(err.text, r->words), "%s: %s", r->text, err.text);
	cr_expect_not_null(strstr(err.text, "cmdprio_bssplit"), "%s", err.text);
}

Test(cmdprio, both_ways_at_once_are_refused)
{
	cr_assert_eq(set("cmdprio_percentage", "5"), 0);
	cr_assert_eq(set("cmdprio_bssplit", "4k/20"), 0);
	cr_assert_lt(iob_job_check(&job, &err), 0);
	cr_assert_not_null(strstr(err.text, "leave one of them out"), "%s", err.text);
}

Test(cmdprio, the_priority_of_the_thread_is_best_effort_unless_a_class_is_given)
{
	cr_assert_eq(iob_cmdprio_of_thread(&job), 0);
	cr_assert_eq(set("prio", "4"), 0);
	cr_assert_eq(iob_cmdprio_of_thread(&job), PRIORITY(2, 4));
	cr_assert_eq(set("prioclass", "1"), 0);
	cr_assert_eq(iob_cmdprio_of_thread(&job), PRIORITY(1, 4));
}

Test(cmdprio, each_priority_has_a_number_of_its_own)
{
	bool seen[IOB_CMDPRIO_VALUES] = {false};

	for (unsigned class = 0; class < 4; class ++) {
		for (unsigned level = 0; level < IOB_CMDPRIO_LEVELS; level++) {
			unsigned i = iob_cmdprio_index((uint16_t)PRIORITY(class, level));

			cr_assert_lt(i, IOB_CMDPRIO_VALUES);
			cr_assert_not(seen[i]);
			seen[i] = true;
		}
	}
}
