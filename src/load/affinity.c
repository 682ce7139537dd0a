/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/affinity.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "base/cpulist.h"

/* All that this process may have: the kernel makes it of "all". */
static const char *possible(char *buf, size_t n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0 ||
		pthread_getaffinity_np(pthread_self(), sizeof(set), &set) != 0)
		return "unknown";
	return iob_cpulist_format(buf, n, &set);
}

/* The one whose turn it is. */
static void keep_one(cpu_set_t *set, unsigned turn)
{
	unsigned left = turn % (unsigned)CPU_COUNT(set);

	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set) && left-- != 0)
			CPU_CLR(cpu, set);
}

int iob_affinity_bind(const char *list, unsigned turn, struct iob_error *err)
{
	cpu_set_t want, have;
	const char *why;
	char all[100];

	if (iob_cpulist_parse(&want, list, &why) < 0)
		return iob_fail_usage(
			err, "cpus_allowed=%.100s: %s; write a list such as 0-3,8", list, why);
	if (turn != IOB_AFFINITY_ALL)
		keep_one(&want, turn);
	int ret = pthread_setaffinity_np(pthread_self(), sizeof(want), &want);
	if (ret == 0)
		ret = pthread_getaffinity_np(pthread_self(), sizeof(have), &have);
	if (ret == EINVAL)
		return iob_fail_usage(err,
			"cpus_allowed=%s: none of these CPUs is there, online and allowed to this "
			"process; possible here: %s",
			list, possible(all, sizeof(all)));
	if (ret != 0)
		return iob_fail(err, -ret, "cpus_allowed=%s: %m", list);
	/* The kernel silently drops CPUs that are offline or outside our cpuset. */
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &want) && !CPU_ISSET(cpu, &have))
			return iob_fail_usage(err,
				"cpus_allowed=%s: CPU %u is not there, offline or not allowed to this "
				"process; possible here: %s",
				list, cpu, possible(all, sizeof(all)));
	return 0;
}
