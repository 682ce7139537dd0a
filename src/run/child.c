/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED_FD    3
/* Exit status, as a shell has them. */
#define NOT_PREPARED 126
#define NOT_EXECUTED 127

/* Between fork and exec: async-signal-safe calls only. */
static void become_load_process(const char *program, int fd)
{
	static char name[] = "iotop-bench", argument[] = IOB_LOAD_ARGUMENT, number[] = "3";
	char *const argv[] = {name, argument, number, NULL};
	sigset_t none;

	setsid(); /* keys such as Ctrl-C and Ctrl-Z go to the front alone */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	int null = open("/dev/null", O_RDWR);
	if (null < 0)
		_exit(NOT_PREPARED);
	/* Above the numbers that are about to be taken. */
	int shared = fcntl(fd, F_DUPFD, SHARED_FD + 1);
	if (shared < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
		dup2(shared, SHARED_FD) < 0)
		_exit(NOT_PREPARED);
	close_range(SHARED_FD + 1, ~0u, 0);
	execv(program, argv);
	_exit(NOT_EXECUTED);
}

int iob_run_spawn(struct iob_run *run, const char *program, int fd, struct iob_error *err)
{
	pid_t pid = fork();

	if (pid < 0)
		return iob_fail(err, -errno, "cannot start the load process: %m");
	if (pid == 0)
		become_load_process(program ? program : "/proc/self/exe", fd);
	run->pid = pid;
	return 0;
}

bool iob_run_reap(struct iob_run *run, int *status)
{
	struct rusage ru;

	if (run->pid <= 0)
		return false;
	pid_t got = wait4(run->pid, status, WNOHANG, &ru);
	if (got != run->pid)
		return false;
	run->pid = 0;
	run->usage = (struct iob_run_usage){
		.user_s = (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6,
		.system_s = (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6,
		.voluntary = (uint64_t)ru.ru_nvcsw,
		.involuntary = (uint64_t)ru.ru_nivcsw,
		.major_faults = (uint64_t)ru.ru_majflt,
		.minor_faults = (uint64_t)ru.ru_minflt,
		.end_sync_ns = run->shared ? atomic_load(&run->shared->end_sync_ns) : 0,
	};
	return true;
}
