/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>

#include "base/cpulist.h"

TestSuite(cpulist, .timeout = 5);

static unsigned parsed(const char *list, cpu_set_t *set)
{
	const char *why = NULL;

	cr_assert_eq(iob_cpulist_parse(set, list, &why), 0, "%s: %s", list, why);
	return (unsigned)CPU_COUNT(set);
}

Test(cpulist, lists_and_ranges)
{
	cpu_set_t set;

	cr_assert_eq(parsed("0", &set), 1);
	cr_assert(CPU_ISSET(0, &set));
	cr_assert_eq(parsed("0-3,8", &set), 5);
	cr_assert(CPU_ISSET(2, &set) && CPU_ISSET(8, &set) && !CPU_ISSET(4, &set));
	cr_assert_eq(parsed("5-5,1,1", &set), 2);
	cr_assert_eq(parsed("1023", &set), 1);
}

Test(cpulist, what_is_not_a_list_is_refused_with_a_reason)
{
	static const char *const bad[] = {"", ",", "0,", ",0", "-1", "1-", "3-1", "0-3-5", "a",
		"0 ", " 0", "0x1", "1024", "99999999999999999999", "0;1", "0-3,"};
	cpu_set_t set;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *why = NULL;

		cr_assert_lt(iob_cpulist_parse(&set, bad[i], &why), 0, "\"%s\"", bad[i]);
		cr_assert_not_null(why);
	}
}

Test(cpulist, a_set_is_written_as_it_would_be_read)
{
	static const char *const lists[] = {"0", "0-3,8", "1,3,5", "0-1023", "7,1022-1023"};
	cpu_set_t set;
	char text[64], little[4];

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		parsed(lists[i], &set);
		cr_assert_str_eq(iob_cpulist_format(text, sizeof(text), &set), lists[i]);
	}
	cr_assert_str_eq(iob_cpulist_format(little, sizeof(little), &set), "7,1");
	CPU_ZERO(&set);
	cr_assert_str_eq(iob_cpulist_format(text, sizeof(text), &set), "");
}
