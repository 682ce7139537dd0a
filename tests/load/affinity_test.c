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

	cr_assert_lt(iob_affinity_bind("0-3,", &err), 0);
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
	cr_assert_eq(iob_affinity_bind(text, &err), 0, "%s", err.text);
	cr_assert_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	cr_assert(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu, &now));
}

Test(affinity, a_cpu_that_is_not_there_is_an_error)
{
	struct iob_error err = {0};

	cr_assert_lt(iob_affinity_bind("0,1023", &err), 0);
	cr_assert_not_null(strstr(err.text, "CPU 1023"), "%s", err.text);
	cr_assert_lt(iob_affinity_bind("1023", &err), 0);
}
