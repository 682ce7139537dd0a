/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/thermometer.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "load/worker.h"
#include "target/diskfacts.h"

#define PATIENCE_NS (100 * IOB_NS_PER_MS)

struct iob_thermometer {
	const char *root;
	unsigned major, minor;
	uint64_t every_ns;
	_Atomic int32_t *hottest;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* CLOCK_MONOTONIC */
	bool stopping;
};

void iob_thermometer_look(
	const char *root, unsigned major, unsigned minor, _Atomic int32_t *hottest)
{
	int32_t now = iob_diskfacts_temperature(root, major, minor);

	if (now > atomic_load(hottest))
		atomic_store(hottest, now);
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / IOB_NS_PER_S), (long)(ns % IOB_NS_PER_S)};
}

/* False when it is time to end. */
static bool wait_for_next(struct iob_thermometer *t)
{
	struct timespec until = timespec_of(iob_monotonic_ns() + t->every_ns);
	int rc = 0;

	pthread_mutex_lock(&t->lock);
	while (!t->stopping && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&t->wake, &t->lock, &until);
	bool go_on = !t->stopping;
	pthread_mutex_unlock(&t->lock);
	return go_on;
}

static void *watch(void *arg)
{
	struct iob_thermometer *t = arg;

	while (wait_for_next(t))
		iob_thermometer_look(t->root, t->major, t->minor, t->hottest);
	return NULL;
}

static int start_thread(struct iob_thermometer *t)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, IOB_WORKER_STACK);
	int rc = pthread_create(&t->thread, &attr, watch, t);
	pthread_attr_destroy(&attr);
	return rc;
}

static void discard(struct iob_thermometer *t)
{
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

struct iob_thermometer *iob_thermometer_start(const char *root, unsigned major, unsigned minor,
	uint64_t every_ns, _Atomic int32_t *hottest)
{
	struct iob_thermometer *t = calloc(1, sizeof(*t));
	pthread_condattr_t attr;

	if (!t)
		return NULL;
	t->root = root;
	t->major = major;
	t->minor = minor;
	t->every_ns = every_ns;
	t->hottest = hottest;
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (start_thread(t) == 0)
		return t;
	discard(t);
	return NULL;
}

void iob_thermometer_stop(struct iob_thermometer *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stopping = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	struct timespec until = timespec_of(iob_monotonic_ns() + PATIENCE_NS);
	if (pthread_clockjoin_np(t->thread, NULL, CLOCK_MONOTONIC, &until) == 0)
		discard(t);
	else
		pthread_detach(t->thread);
}
