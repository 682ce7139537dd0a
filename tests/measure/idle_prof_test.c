/* SPDX-License-Identifier: MIT */
/* What holds on a machine that others use, too. */
#include <config.h>

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "measure/idle_prof.h"

static struct iob_idle_prof *prof;

static void set_up(void)
{
	struct iob_error err = {0};

	iob_clock_init();
	cr_assert_eq(iob_idle_prof_new(&prof, &err), 0, "%s", err.text);
}

static void tear_down(void)
{
	iob_idle_prof_free(prof);
}

TestSuite(idle_prof, .init = set_up, .fini = tear_down, .timeout = 60);

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * IOB_NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void wait_ms(unsigned ms)
{
	struct timespec ts = {.tv_nsec = (long)(ms * IOB_NS_PER_MS)};

	nanosleep(&ts, NULL);
}

Test(idle_prof, the_unit_is_known_before_the_start)
{
	const struct iob_idleness *i = iob_idle_prof_read(prof);
	cpu_set_t set;

	cr_assert_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	cr_expect_eq(i->ncpus, (unsigned)CPU_COUNT(&set));
	for (unsigned k = 0; k < i->ncpus; k++) {
		cr_expect(CPU_ISSET(i->cpu[k].number, &set));
		cr_expect_eq(i->cpu[k].idle, 0);
	}
	cr_expect_eq(i->system, 0);
	cr_expect_gt(i->unit_mean_us, 0.01);
	cr_expect_lt(i->unit_mean_us, 10000);
	cr_expect_geq(i->unit_stddev_us, 0);
}

/* This process does nothing else, so what its threads got of the CPUs is what was idle. */
Test(idle_prof, is_the_time_that_the_threads_got)
{
	uint64_t wall = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	iob_idle_prof_start(prof);
	wait_ms(300);
	wall = clock_ns(CLOCK_MONOTONIC) - wall;
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	iob_idle_prof_stop(prof);
	const struct iob_idleness *i = iob_idle_prof_read(prof);
	double got = 100 * (double)cpu / (double)wall / i->ncpus, sum = 0;
	for (unsigned k = 0; k < i->ncpus; k++) {
		cr_expect(i->cpu[k].idle >= 0 && i->cpu[k].idle <= 100);
		sum += i->cpu[k].idle;
	}
	cr_expect_float_eq(i->system, sum / i->ncpus, 1e-9);
	/* Units take longer where two CPUs share a core, or a guest is not alone. */
	cr_expect_leq(i->system, got + 2, "%.2f %% idle, %.2f %% got", i->system, got);
	cr_expect_geq(i->system, got / 3 - 5, "%.2f %% idle, %.2f %% got", i->system, got);
}

static _Atomic bool over;

static void *hog(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(*(unsigned *)arg, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	while (!over)
		;
	return NULL;
}

Test(idle_prof, a_busy_cpu_is_not_idle)
{
	unsigned cpu = iob_idle_prof_read(prof)->cpu[0].number;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, hog, &cpu), 0);
	wait_ms(20);
	iob_idle_prof_start(prof);
	wait_ms(300);
	iob_idle_prof_stop(prof);
	over = true;
	pthread_join(thread, NULL);
	double idle = iob_idle_prof_read(prof)->cpu[0].idle;
	cr_expect_lt(idle, 30, "%.2f %%", idle);
}

Test(idle_prof, stays_as_it_was_when_stopped)
{
	iob_idle_prof_start(prof);
	wait_ms(50);
	iob_idle_prof_stop(prof);
	wait_ms(20);
	double system = iob_idle_prof_read(prof)->system;
	wait_ms(50);
	cr_expect_float_eq(iob_idle_prof_read(prof)->system, system, 1e-9);
}
