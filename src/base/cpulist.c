/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/cpulist.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

/* Advances *text past a number below CPU_SETSIZE; false if there is none. */
static bool take_number(const char **text, unsigned *out)
{
	const char *at = *text;
	unsigned value = 0;

	while (*at >= '0' && *at <= '9') {
		value = value * 10 + (unsigned)(*at++ - '0');
		if (value >= CPU_SETSIZE)
			return false;
	}
	if (at == *text)
		return false;
	*text = at;
	*out = value;
	return true;
}

int iob_cpulist_parse(cpu_set_t *set, const char *list, const char **why)
{
	const char *at = list;

	CPU_ZERO(set);
	*why = "not a list of CPU numbers below 1024";
	_Static_assert(CPU_SETSIZE == 1024, "the message says so");
	for (;;) {
		unsigned first, last;

		if (!take_number(&at, &first))
			return -EINVAL;
		last = first;
		if (*at == '-') {
			at++;
			if (!take_number(&at, &last))
				return -EINVAL;
		}
		if (last < first) {
			*why = "the smaller number comes first";
			return -EINVAL;
		}
		for (unsigned cpu = first; cpu <= last; cpu++)
			CPU_SET(cpu, set);
		if (*at == '\0')
			return 0;
		if (*at++ != ',')
			return -EINVAL;
	}
}

/* The last of the CPUs that follow each other from this one on. */
static unsigned last_of_range(const cpu_set_t *set, unsigned cpu)
{
	while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, set))
		cpu++;
	return cpu;
}

char *iob_cpulist_format(char *buf, size_t n, const cpu_set_t *set)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && used < n; cpu++) {
		unsigned last = last_of_range(set, cpu);
		const char *comma = used ? "," : "";

		if (!CPU_ISSET(cpu, set))
			continue;
		int more = last > cpu ? snprintf(buf + used, n - used, "%s%u-%u", comma, cpu, last)
				      : snprintf(buf + used, n - used, "%s%u", comma, cpu);
		used += more > 0 ? (size_t)more : 0;
		cpu = last;
	}
	return buf;
}
