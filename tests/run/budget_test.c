/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/budget.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "measure/detail.h"
#include "measure/log_store.h"

TestSuite(budget, .timeout = 20);

#define CHUNKS (2 * (uint64_t)IOB_LOG_CHUNK)

static struct iob_plan plan;

static struct iob_job *job(void)
{
	iob_plan_init(&plan);
	iob_plan_set(&plan, "ioengine", "null", NULL);
	plan.stage[0].time_based = false;
	plan.stage[0].runtime_ns = 0;
	plan.stage[0].bs[IOB_READ].min = plan.stage[0].bs[IOB_READ].max = 4096;
	return &plan.stage[0];
}

Test(budget, each_transfer_of_a_log_takes_a_record)
{
	struct iob_plan_log log = {.transfers = true, .room = UINT64_MAX};
	struct iob_job *j = job();

	j->size.bytes = UINT64_C(1) << 30;
	cr_expect_eq(iob_budget_logs(j, &log),
		CHUNKS + (UINT64_C(1) << 18) * sizeof(struct iob_io_record));
	j->number_ios = 10;
	cr_expect_eq(iob_budget_logs(j, &log), CHUNKS + 10 * sizeof(struct iob_io_record));
	j->number_ios = UINT64_MAX;
	cr_expect_eq(iob_budget_logs(j, &log), UINT64_MAX);
	/* What has been read takes none. */
	log.room = 1 << 20;
	cr_expect_eq(iob_budget_logs(j, &log), 1 << 20);
	/* It may end before. */
	j->number_ios = 0;
	j->runtime_ns = IOB_NS_PER_S;
	cr_expect_eq(iob_budget_logs(j, &log), CHUNKS);
	log.transfers = false;
	cr_expect_eq(iob_budget_logs(j, &log), 0);
}

Test(budget, windows_of_a_log_go_by_time)
{
	struct iob_plan_log log = {.transfers = true,
		.window_ns = IOB_NS_PER_S,
		.hist_ns = IOB_NS_PER_S,
		.room = UINT64_MAX};
	struct iob_job *j = job();

	j->runtime_ns = 60 * IOB_NS_PER_S;
	cr_expect_eq(iob_budget_logs(j, &log), 2 * CHUNKS + 60 * sizeof(struct iob_log_window) +
						       60 * IOB_NDIR * sizeof(struct iob_log_hist));
	j->runtime_ns = UINT64_MAX;
	log.window_ns = log.hist_ns = 1;
	cr_expect_eq(iob_budget_logs(j, &log), UINT64_MAX);
}

Test(budget, statistics_of_fio_and_logs_are_in_what_is_announced)
{
	struct iob_budget without, with, logged;
	struct iob_error err = {0};
	char words[200];

	job()->numjobs = 3;
	cr_assert_eq(iob_budget_check(&without, &plan, &err), 0, "%s", err.text);
	plan.detail = true;
	cr_assert_eq(iob_budget_check(&with, &plan, &err), 0, "%s", err.text);
	cr_expect_eq(with.bytes - without.bytes, 3 * sizeof(struct iob_detail));
	plan.log.transfers = true;
	plan.stage[0].number_ios = 100000;
	cr_assert_eq(iob_budget_check(&logged, &plan, &err), 0, "%s", err.text);
	cr_expect_eq(
		logged.bytes - with.bytes, 3 * (CHUNKS + 100000 * sizeof(struct iob_io_record)));
	iob_budget_words(&logged, words, sizeof(words));
	cr_expect_not_null(strstr(words, "of I/O logs each (log_avg_msec="), "%s", words);
	iob_budget_words(&with, words, sizeof(words));
	cr_expect_null(strstr(words, "logs"), "%s", words);
}

Test(budget, logs_with_more_room_than_there_is_are_refused)
{
	struct iob_budget b;
	struct iob_error err = {0};

	job()->number_ios = UINT64_MAX / 1024;
	plan.detail = plan.log.transfers = true;
	plan.log.room = UINT64_MAX;
	cr_assert_eq(iob_budget_check(&b, &plan, &err), -ENOMEM);
	cr_expect_not_null(strstr(err.text, "I/O logs"), "%s", err.text);
}
