/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "load/affinity.h"

Test(affinity, what_is_not_a_list_is_a_usage_error)
{
	struct iob_error err = {0};

	cr_assert_lt(iob_affinity_bind("0-3,", IOB_AFFINITY_ALL, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, "cpus_allowed=0-3,"), "%s", err.text);
}

Test(affinity, binds_to_what_is_there)
{
	struct iob_error err = {0};
	cpu_set_t have, now;
	char text[16];
	size_t cpu = 0;

	cr_assert_eq(sched_getaffinity(0, sizeof(have), &have), 0);
	while (!CPU_ISSET(cpu, &have))
		cpu++;
	snprintf(text, sizeof(text), "%zu", cpu);
	cr_assert_eq(iob_affinity_bind(text, IOB_AFFINITY_ALL, &err), 0, "%s", err.text);
	cr_assert_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	cr_assert(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu, &now));
}

Test(affinity, a_cpu_that_is_not_there_is_an_error)
{
	struct iob_error err = {0};

	cr_assert_lt(iob_affinity_bind("0,1023", IOB_AFFINITY_ALL, &err), 0);
	cr_assert_not_null(strstr(err.text, "CPU 1023"), "%s", err.text);
	cr_assert_lt(iob_affinity_bind("1023", IOB_AFFINITY_ALL, &err), 0);
}

Test(affinity, split_takes_one_in_turn)
{
	struct iob_error err = {0};
	cpu_set_t have, now;
	char text[64];
	size_t cpu[2] = {0}, n = 0;

	cr_assert_eq(sched_getaffinity(0, sizeof(have), &have), 0);
	for (size_t i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &have))
			cpu[n++] = i;
	if (n < 2)
		cr_skip_test("there is one CPU only");
	snprintf(text, sizeof(text), "%zu,%zu", cpu[0], cpu[1]);
	for (unsigned turn = 0; turn < 4; turn++) {
		cr_assert_eq(iob_affinity_bind(text, turn, &err), 0, "%s", err.text);
		cr_assert_eq(sched_getaffinity(0, sizeof(now), &now), 0);
		cr_assert(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu[turn % 2], &now));
	}
}
