/* SPDX-License-Identifier: MIT */
/* The scheduler of a disk is set and restored, on a folder that stands for /sys. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "run/scheduler.h"

static char root[] = "/tmp/iob-scheduler-XXXXXX";
static char path[128];

static void write_list(const char *text)
{
	IOB_FILE FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
}

static bool starts_with(const char *text)
{
	char buf[128] = "";
	IOB_FILE FILE *f = fopen(path, "r");

	return f && fgets(buf, sizeof(buf), f) && strncmp(buf, text, strlen(text)) == 0;
}

static void make_tree(void)
{
	cr_assert_not_null(mkdtemp(root));
	static const char *const parts[] = {
		"/sys", "/sys/block", "/sys/block/sda", "/sys/block/sda/queue"};
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", root, parts[i]);
		cr_assert_eq(mkdir(path, 0755), 0);
	}
	snprintf(path, sizeof(path), "%s/sys/block/sda/queue/scheduler", root);
	write_list("none [mq-deadline] kyber\n");
}

static void remove_tree(void)
{
	unlink(path);
	for (int up = 0; up < 5; up++) {
		*strrchr(path, '/') = '\0';
		rmdir(path);
	}
}

TestSuite(scheduler, .init = make_tree, .fini = remove_tree, .timeout = 10);

Test(scheduler, is_set_and_restored)
{
	struct iob_scheduler s;
	struct iob_error err;

	cr_assert_eq(iob_scheduler_set(&s, root, "sda", "kyber", &err), 0, "%s", err.text);
	cr_assert(starts_with("kyber"));
	iob_scheduler_restore(&s);
	cr_assert(starts_with("mq-deadline"));
	iob_scheduler_restore(&s);
}

Test(scheduler, the_active_one_is_left_alone)
{
	struct iob_scheduler s;
	struct iob_error err;

	cr_assert_eq(iob_scheduler_set(&s, root, "sda", "mq-deadline", &err), 0);
	cr_assert_not(s.active);
	cr_assert(starts_with("none [mq-deadline]"));
	iob_scheduler_restore(&s);
}

Test(scheduler, two_runs_do_not_change_it_under_each_other)
{
	struct iob_scheduler first, second, third;
	struct iob_error err;

	cr_assert_eq(iob_scheduler_set(&first, root, "sda", "kyber", &err), 0, "%s", err.text);
	write_list("none mq-deadline [kyber]\n");
	cr_assert_eq(iob_scheduler_set(&second, root, "sda", "none", &err), -EBUSY);
	cr_assert_not_null(strstr(err.text, "another run"), "%s", err.text);
	cr_assert(starts_with("none mq-deadline [kyber]"));
	iob_scheduler_restore(&first);
	cr_assert(starts_with("mq-deadline"));
	write_list("none [mq-deadline] kyber\n");
	cr_assert_eq(iob_scheduler_set(&first, root, "sda", "mq-deadline", &err), 0);
	cr_assert_eq(iob_scheduler_set(&second, root, "sda", "mq-deadline", &err), 0);
	cr_assert_eq(iob_scheduler_set(&third, root, "sda", "none", &err), -EBUSY);
	cr_assert(starts_with("none [mq-deadline]"));
	iob_scheduler_restore(&second);
	iob_scheduler_restore(&first);
	cr_assert_eq(iob_scheduler_set(&third, root, "sda", "none", &err), 0, "%s", err.text);
	iob_scheduler_restore(&third);
}

Test(scheduler, runs_that_want_the_same_share_it_and_the_last_restores)
{
	struct iob_scheduler first, second;
	struct iob_error err;

	cr_assert_eq(iob_scheduler_set(&first, root, "sda", "kyber", &err), 0, "%s", err.text);
	write_list("none mq-deadline [kyber]\n");
	cr_assert_eq(iob_scheduler_set(&second, root, "sda", "kyber", &err), 0, "%s", err.text);
	iob_scheduler_restore(&first);
	cr_assert(starts_with("none mq-deadline [kyber]"), "the other one relies on it");
	iob_scheduler_restore(&second);
	for (int i = 0; i < 500 && !starts_with("mq-deadline"); i++)
		usleep(10000);
	cr_assert(starts_with("mq-deadline"));
}

Test(scheduler, the_names_of_older_kernels_stand_for_their_successors)
{
	struct iob_scheduler s;
	struct iob_error err;

	write_list("kyber [mq-deadline] none\n");
	cr_assert_eq(iob_scheduler_set(&s, root, "sda", "noop", &err), 0, "%s", err.text);
	cr_assert(starts_with("none"));
	iob_scheduler_restore(&s);
	cr_assert(starts_with("mq-deadline"));
	write_list("kyber [mq-deadline] none\n");
	cr_assert_eq(iob_scheduler_set(&s, root, "sda", "deadline", &err), 0, "%s", err.text);
	cr_assert_not(s.active);
	iob_scheduler_restore(&s);
	write_list("[noop] deadline cfq\n");
	cr_assert_eq(iob_scheduler_set(&s, root, "sda", "noop", &err), 0, "%s", err.text);
	cr_assert_not(s.active);
	iob_scheduler_restore(&s);
}

Test(scheduler, one_that_is_not_offered_is_refused_with_the_list)
{
	struct iob_scheduler s;
	struct iob_error err;

	cr_assert_lt(iob_scheduler_set(&s, root, "sda", "cfq", &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, "mq-deadline"), "%s", err.text);
	cr_assert_lt(iob_scheduler_set(&s, root, "sdz", "none", &err), 0);
}

Test(scheduler, is_restored_after_a_kill)
{
	int fds[2];
	char byte;

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct iob_scheduler s;

		if (iob_scheduler_set(&s, root, "sda", "kyber", NULL) == 0) {
			ssize_t n = write(fds[1], "x", 1);
			(void)n;
		}
		pause();
		_exit(0);
	}
	cr_assert_eq(read(fds[0], &byte, 1), 1);
	cr_assert(starts_with("kyber"));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	uint64_t until = iob_now_ns() + 3 * IOB_NS_PER_S;
	while (!starts_with("mq-deadline")) {
		cr_assert(iob_now_ns() < until, "never restored");
		iob_sleep_until(iob_now_ns() + 5 * IOB_NS_PER_MS);
	}
}

Test(scheduler, is_restored_although_who_keeps_it_was_killed)
{
	struct iob_scheduler s;
	struct iob_error err;

	cr_assert_eq(iob_scheduler_set(&s, root, "sda", "kyber", &err), 0, "%s", err.text);
	cr_assert(starts_with("kyber"));
	kill(s.keeper, SIGKILL);
	iob_scheduler_restore(&s);
	cr_assert(starts_with("mq-deadline"));
}
