/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/fio_plan.h"

static struct iob_plan *plan;
static struct iob_fio_jobs jobs;
static struct iob_error err;
static char path[] = "/tmp/iob-fio-plan-XXXXXX";

static void begin(void)
{
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	close(fd);
	plan = calloc(1, sizeof(*plan));
	cr_assert_not_null(plan);
	iob_plan_init(plan);
}

static void end(void)
{
	iob_fio_jobs_free(&jobs);
	free(plan);
	unlink(path);
}

TestSuite(fio_plan, .init = begin, .fini = end, .timeout = 10);

static int load(const char *text, const char *only)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	iob_fio_jobs_free(&jobs);
	return iob_fio_plan_load(plan, &jobs, path, only ? &only : NULL, only != NULL, &err);
}

Test(fio_plan, walls_make_stages_and_equal_jobs_workers)
{
	cr_assert_eq(load("[global]\nsize=1m\nruntime=1\ntime_based\n[a]\nnumjobs=2\n[b]\n"
			  "[c]\nstonewall\nbs=8k\n[d]\nbs=8k\n",
			     NULL),
		0, "%s", err.text);
	cr_assert_eq(plan->nstages, 2);
	cr_expect_str_eq(plan->stage[0].name, "a");
	cr_expect_eq(plan->stage[0].numjobs, 3);
	cr_expect_eq(plan->stage[1].numjobs, 2);
	cr_expect_eq(plan->stage[1].bs[IOB_READ].min, 8192);
	cr_expect_str_eq(plan->stage[0].ioengine, "psync");
	cr_expect_eq(jobs.nwarnings, 0);
	cr_expect_eq(strncmp(plan->profile, "iob-fio-plan-", 13), 0);
}

Test(fio_plan, what_a_run_cannot_do_is_refused_with_what_to_use)
{
	static const char *const texts[] = {
		"[a]\n[b]\nbs=8k\n",
		"[a]\nstartdelay=1\n",
		"[a]\nloops=2\n",
		"[a]\n[b]\nstonewall\nwait_for=a\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_expect_lt(load(texts[i], NULL), 0, "%s", texts[i]);
		cr_expect_not_null(strstr(err.text, "iotop-bench fio FILE"), "%s", err.text);
	}
	cr_expect_lt(load("[global]\nbs=4k\n", NULL), 0);
	cr_expect_not_null(strstr(err.text, "there is no job in it"), "%s", err.text);
}

Test(fio_plan, a_section_can_be_chosen)
{
	cr_assert_eq(load("[a]\n[b]\nbs=8k\n", "b"), 0, "%s", err.text);
	cr_expect_eq(plan->nstages, 1);
	cr_expect_str_eq(plan->stage[0].name, "b");
}

Test(fio_plan, rows_for_reports_are_named_as_without_effect)
{
	cr_assert_eq(load("[a]\nwrite_bw_log=x\nstonewall\nbs= 8k\n", NULL), 0, "%s", err.text);
	cr_assert_eq(jobs.nwarnings, 2);
	cr_expect_not_null(strstr(jobs.warning[0], "takes the blank"), "%s", jobs.warning[0]);
	cr_expect_not_null(
		strstr(jobs.warning[1], "reports: write_bw_log;"), "%s", jobs.warning[1]);
}

Test(fio_plan, more_stages_than_there_may_be_are_refused)
{
	char text[IOB_MAX_STAGES * 32] = "";

	for (int i = 0; i <= IOB_MAX_STAGES; i++)
		strncat(text, "[x]\nstonewall\n", sizeof(text) - strlen(text) - 1);
	cr_expect_lt(load(text, NULL), 0);
	cr_expect_not_null(strstr(err.text, "at most 16"), "%s", err.text);
}
