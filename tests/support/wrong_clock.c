/* SPDX-License-Identifier: MIT */
/* To be preloaded: the time of day is an hour off, forwards and backwards in turn. */
#include <config.h>

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t off(void)
{
	static _Atomic unsigned looks;

	return looks++ % 2 ? 3600 : -3600;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int rc = (int)syscall(SYS_clock_gettime, id, ts);

	if (rc == 0 && id == CLOCK_REALTIME)
		ts->tv_sec += off();
	return rc;
}

time_t time(time_t *out)
{
	struct timespec ts = {0};

	clock_gettime(CLOCK_REALTIME, &ts);
	if (out)
		*out = ts.tv_sec;
	return ts.tv_sec;
}
