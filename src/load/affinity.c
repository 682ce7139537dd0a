/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/affinity.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

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

int iob_affinity_parse(cpu_set_t *set, const char *list, struct iob_error *err)
{
	const char *at = list;

	CPU_ZERO(set);
	for (;;) {
		unsigned first, last;

		if (!take_number(&at, &first))
			break;
		last = first;
		if (*at == '-') {
			at++;
			if (!take_number(&at, &last) || last < first)
				break;
		}
		for (unsigned cpu = first; cpu <= last; cpu++)
			CPU_SET(cpu, set);
		if (*at == '\0')
			return 0;
		if (*at++ != ',')
			break;
	}
	return iob_fail_usage(err,
		"cpus_allowed=%s: not a list of CPUs below %d; write it like 0-3,8", list,
		CPU_SETSIZE);
}

int iob_affinity_bind(const char *list, struct iob_error *err)
{
	cpu_set_t want, have;
	int ret = iob_affinity_parse(&want, list, err);

	if (ret < 0)
		return ret;
	ret = pthread_setaffinity_np(pthread_self(), sizeof(want), &want);
	if (ret == 0)
		ret = pthread_getaffinity_np(pthread_self(), sizeof(have), &have);
	if (ret == EINVAL)
		return iob_fail_usage(err,
			"cpus_allowed=%s: none of these CPUs is there, online and allowed to this "
			"process",
			list);
	if (ret != 0)
		return iob_fail(err, -ret, "cpus_allowed=%s: %m", list);
	/* The kernel silently drops CPUs that are offline or outside our cpuset. */
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &want) && !CPU_ISSET(cpu, &have))
			return iob_fail_usage(err,
				"cpus_allowed=%s: CPU %u is not there, offline or not allowed to this "
				"process; leave it out",
				list, cpu);
	return 0;
}
