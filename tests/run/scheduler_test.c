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

/* A run of its own process, which tells the keeper that it has. */
static pid_t start_run(const char *name, pid_t *keeper)
{
	int fds[2];

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct iob_scheduler s;

		if (iob_scheduler_set(&s, root, "sda", name, NULL) == 0) {
			ssize_t n = write(fds[1], &s.keeper, sizeof(s.keeper));
			(void)n;
		}
		pause();
		_exit(0);
	}
	close(fds[1]);
	cr_assert_eq(read(fds[0], keeper, sizeof(*keeper)), (ssize_t)sizeof(*keeper));
	close(fds[0]);
	return pid;
}

static void kill_run(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void wait_for_restored(void)
{
	uint64_t until = iob_now_ns() + 3 * IOB_NS_PER_S;

	while (!starts_with("mq-deadline")) {
		cr_assert(iob_now_ns() < until, "never restored");
		iob_sleep_until(iob_now_ns() + 5 * IOB_NS_PER_MS);
	}
}

Test(scheduler, is_restored_after_a_kill)
{
	pid_t keeper, run = start_run("kyber", &keeper);

	cr_assert(starts_with("kyber"));
	kill_run(run);
	wait_for_restored();
}

Test(scheduler, the_run_after_a_kill_does_not_take_it_for_the_old_one)
{
	struct iob_scheduler next;
	struct iob_error err;
	pid_t keeper, run = start_run("kyber", &keeper);

	write_list("none mq-deadline [kyber]\n");
	/* As slow as it gets on a busy machine. */
	kill(keeper, SIGSTOP);
	kill_run(run);
	cr_assert_eq(iob_scheduler_set(&next, root, "sda", "none", &err), -EBUSY);
	cr_assert(starts_with("none mq-deadline [kyber]"));
	/* One that wants the same may have it, and is waited for. */
	cr_assert_eq(iob_scheduler_set(&next, root, "sda", "kyber", &err), 0, "%s", err.text);
	cr_assert_not(next.active);
	kill(keeper, SIGCONT);
	iob_sleep_until(iob_now_ns() + 50 * IOB_NS_PER_MS);
	cr_assert(starts_with("none mq-deadline [kyber]"));
	iob_scheduler_restore(&next);
	wait_for_restored();
	write_list("none [mq-deadline] kyber\n");
	cr_assert_eq(iob_scheduler_set(&next, root, "sda", "none", &err), 0, "%s", err.text);
	iob_scheduler_restore(&next);
	cr_assert(starts_with("mq-deadline"));
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
