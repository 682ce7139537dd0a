/* SPDX-License-Identifier: MIT */
/* How much a job can come to write. */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>

#include "job/most_written.h"
#include "job/param.h"
#include "job/plan.h"

#define KIB  UINT64_C(1024)
#define MIB  (KIB * 1024)
#define UNIT (4 * KIB)

struct row {
	char settings[96];
	uint64_t most;
};

ParameterizedTestParameters(most_written, follows_from)
{
	static struct row rows[] = {
		{"time_based=1", UINT64_MAX},
		{"time_based=1 io_size=1m", UINT64_MAX},
		{"time_based=1 number_ios=10", 10 * 4 * KIB},
		{"time_based=1 number_ios=10 numjobs=3", 30 * 4 * KIB},
		{"time_based=1 number_ios=10 bs=4k-64k", 10 * 64 * KIB},
		/* Each may lie across units. */
		{"time_based=1 number_ios=10 bs=512", 10 * (512 + 2 * UNIT)},
		{"time_based=0", 64 * MIB + 4 * KIB},
		{"time_based=0 io_size=1m", MIB + 4 * KIB},
		{"time_based=0 io_size=1m numjobs=4 bs=64k", MIB + 4 * 64 * KIB},
		{"time_based=0 io_size=25%", 16 * MIB + 4 * KIB},
		{"time_based=0 io_size=1m number_ios=2", 8 * KIB},
		{"time_based=0 io_size=1m offset=512",
			MIB + 4 * KIB + (MIB + 4 * KIB) / (4 * KIB) * 2 * UNIT},
		{"time_based=0 rw=randtrimwrite io_size=1m", MIB + 4 * KIB},
	};

	return cr_make_param_array(struct row, rows, sizeof(rows) / sizeof(rows[0]));
}

Test(most_written, loops_go_through_it_again)
{
	struct iob_job job;

	iob_job_defaults(&job);
	job.time_based = false;
	job.rw = IOB_RW_WRITE;
	job.io_size.bytes = MIB;
	job.ctl.loops = 3;
	cr_expect_eq(iob_job_most_written(&job, 64 * MIB, UNIT), 3 * MIB + job.bs[IOB_WRITE].max);
}

ParameterizedTest(struct row *row, most_written, follows_from)
{
	static struct iob_plan plan;
	struct iob_error err = {0};
	char name[32], value[32];
	int used;

	iob_plan_init(&plan);
	cr_assert_eq(iob_plan_set(&plan, "rw", "randwrite", &err), 0, "%s", err.text);
	for (const char *at = row->settings; sscanf(at, " %31[^=]=%31s%n", name, value, &used) == 2;
		at += used)
		cr_assert_eq(iob_plan_set(&plan, name, value, &err), 0, "%s", err.text);
	cr_expect_eq(iob_job_most_written(&plan.stage[0], 64 * MIB, UNIT), row->most, "%s: %llu",
		row->settings,
		(unsigned long long)iob_job_most_written(&plan.stage[0], 64 * MIB, UNIT));
}
