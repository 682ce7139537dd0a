/* SPDX-License-Identifier: MIT */
/* The real program on a pseudo terminal, in a home of its own, for the suites that press its keys.
 * The null engine needs no disk. */
#ifndef IOB_TESTS_SUPPORT_UI_PTY_H
#define IOB_TESTS_SUPPORT_UI_PTY_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/support/pty.h"

#define PATIENCE 20000 /* ms; only what never comes takes so long */

static const char *const environment[] = {"TERM=xterm-256color", "LINES", "COLUMNS", "ESCDELAY",
	"NO_COLOR", "XDG_STATE_HOME", "SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT", "LC_ALL=C.UTF-8",
	NULL};

static struct iob_pty pty;
static char home[64];

static inline const char *program(void)
{
	const char *path = getenv("IOB_PROGRAM");

	if (!path || access(path, X_OK) != 0)
		cr_skip_test("IOB_PROGRAM does not name the program");
	return path;
}

static inline void begin(void)
{
	snprintf(home, sizeof(home), "/tmp/iob-pty-XXXXXX");
	cr_assert_not_null(mkdtemp(home));
	cr_assert_eq(chdir(home), 0);
	setenv("HOME", home, 1);
}

static inline void end(void)
{
	char command[128];

	if (pty.pid)
		iob_pty_close(&pty);
	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", home);
	cr_assert_eq(system(command), 0);
}

static inline void start_sized(int rows, int cols, const char *const *env)
{
	const char *const argv[] = {program(), "--ioengine=null", "--iodepth=8", "--rw=randread",
		"--bs=4k", "--size=1g", "--runtime=60", "--numjobs=1", "--symbols=ascii", NULL};

	cr_assert(iob_pty_open(&pty, rows, cols, argv, env ? env : environment));
	cr_assert(iob_pty_wait(&pty, "| RUN ", PATIENCE));
	cr_assert(iob_pty_wait(&pty, "QD 8", PATIENCE));
}

static inline void start(void)
{
	start_sized(24, 80, NULL);
}

static inline int clock_of_run(void)
{
	int minutes = 0, seconds = 0;
	const char *at = strstr(iob_pty_row(&pty, 0), "RUN ");

	cr_assert_not_null(at, "no clock in \"%s\"", iob_pty_row(&pty, 0));
	cr_assert_eq(sscanf(at, "RUN %d:%d", &minutes, &seconds), 2);
	return minutes * 60 + seconds;
}

/* Until the clock of the run has shown two more seconds: a fence behind which a staged change would
 * have been seen. */
static inline void let_two_seconds_pass(void)
{
	uint64_t deadline = iob_monotonic_ns() + PATIENCE * IOB_NS_PER_MS;

	while (iob_pty_pump(&pty, 0))
		;
	int later = clock_of_run() + 2;
	while (clock_of_run() < later && iob_monotonic_ns() < deadline)
		iob_pty_pump(&pty, 100);
	cr_assert_geq(clock_of_run(), later);
}

#endif
