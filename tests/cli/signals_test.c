/* SPDX-License-Identifier: MIT */
/* Signals that a command takes in its own loop. */
#include <config.h>

#include "cli/signals.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static struct iob_signals signals = {.fd = -1};

static void catch_them(void)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_signals_catch(&signals, &err), 0, "%s", err.text);
}

static void close_signals(void)
{
	iob_signals_close(&signals);
	cr_expect_eq(signals.fd, -1);
	iob_signals_close(&signals);
}

TestSuite(signals, .fini = close_signals, .timeout = 10);

static bool has_come(void)
{
	struct pollfd p = {.fd = signals.fd, .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

Test(signals, those_that_end_a_program_come_through_the_descriptor)
{
	static const int which[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGXCPU};

	catch_them();
	cr_assert_eq(iob_signals_take(&signals), 0, "it does not wait");
	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		cr_assert_not(has_come());
		kill(getpid(), which[i]);
		cr_assert(has_come());
		cr_assert_eq(iob_signals_take(&signals), which[i]);
		cr_assert_eq(iob_signals_take(&signals), 0);
	}
}

Test(signals, others_do_what_they_usually_do, .signal = SIGSYS)
{
	catch_them();
	kill(getpid(), SIGSYS);
}

/* As under nohup. */
Test(signals, what_was_ignored_stays_ignored)
{
	signal(SIGHUP, SIG_IGN);
	catch_them();
	kill(getpid(), SIGHUP);
	cr_assert_eq(iob_signals_take(&signals), 0);
	kill(getpid(), SIGTERM);
	cr_assert_eq(iob_signals_take(&signals), SIGTERM);
}

Test(signals, a_reader_that_has_gone_is_an_error_of_the_write)
{
	int fds[2];

	catch_them();
	cr_assert_eq(pipe(fds), 0);
	close(fds[0]);
	cr_assert_eq(write(fds[1], "x", 1), -1);
	cr_assert_eq(errno, EPIPE);
}

static void *is_blocked(void *arg)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	*(bool *)arg = sigismember(&mask, SIGTERM) == 1;
	return NULL;
}

Test(signals, threads_that_come_later_do_not_get_them)
{
	bool blocked = false;
	pthread_t thread;

	catch_them();
	cr_assert_eq(pthread_create(&thread, NULL, is_blocked, &blocked), 0);
	pthread_join(thread, NULL);
	cr_assert(blocked);
}

Test(signals, once_released_they_end_the_program, .signal = SIGTERM)
{
	catch_them();
	kill(getpid(), SIGTERM);
	cr_assert_eq(iob_signals_take(&signals), SIGTERM);
	iob_signals_release(&signals);
	kill(getpid(), SIGTERM);
}
