/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "load/affinity.h"

static unsigned parsed(const char *list, cpu_set_t *set)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_affinity_parse(set, list, &err), 0, "%s: %s", list, err.text);
	return (unsigned)CPU_COUNT(set);
}

Test(affinity, lists_and_ranges)
{
	cpu_set_t set;

	cr_assert_eq(parsed("0", &set), 1);
	cr_assert(CPU_ISSET(0, &set));
	cr_assert_eq(parsed("0-3,8", &set), 5);
	cr_assert(CPU_ISSET(2, &set) && CPU_ISSET(8, &set) && !CPU_ISSET(4, &set));
	cr_assert_eq(parsed("5-5,1,1", &set), 2);
	cr_assert_eq(parsed("1023", &set), 1);
}

Test(affinity, what_is_not_a_list_is_refused)
{
	static const char *const bad[] = {"", ",", "0,", ",0", "-1", "1-", "3-1", "0-3-5", "a",
		"0 ", " 0", "0x1", "1024", "99999999999999999999", "0;1", "0-3,"};
	cpu_set_t set;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct iob_error err = {0};

		cr_assert_lt(iob_affinity_parse(&set, bad[i], &err), 0, "\"%s\"", bad[i]);
		cr_assert_eq(err.kind, IOB_ERR_USAGE);
		cr_assert_not_null(strstr(err.text, "cpus_allowed="));
	}
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
