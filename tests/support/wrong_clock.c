/* SPDX-License-Identifier: MIT */
/* To be preloaded: the time of day is an hour off, forwards and backwards in turn; and with
 * WRONG_CLOCK_SLEEP a second after the start the machine seems to have slept for an hour. */
#include <config.h>

#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t off(void)
{
	static _Atomic unsigned looks;

	return looks++ % 2 ? 3600 : -3600;
}

static void monotonic(struct timespec *ts)
{
	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, ts);
}

static struct timespec begin;

__attribute__((constructor)) static void look(void)
{
	monotonic(&begin);
}

static time_t asleep(void)
{
	struct timespec now;

	if (!getenv("WRONG_CLOCK_SLEEP"))
		return 0;
	monotonic(&now);
	return now.tv_sec > begin.tv_sec + 1 ? 3600 : 0;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int rc = (int)syscall(SYS_clock_gettime, id, ts);

	if (rc == 0 && id == CLOCK_REALTIME)
		ts->tv_sec += off();
	if (rc == 0 && id == CLOCK_BOOTTIME)
		ts->tv_sec += asleep();
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
