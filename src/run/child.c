/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED_FD 3

/* What the load process has of ours: the shared memory, and nothing else. */
static int add_files(posix_spawn_file_actions_t *files, int fd)
{
	int rc = posix_spawn_file_actions_adddup2(files, fd, SHARED_FD);

	if (rc == 0)
		rc = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDWR, 0);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(files, 0, 1);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(files, 0, 2);
	if (rc == 0)
		rc = posix_spawn_file_actions_addclosefrom_np(files, SHARED_FD + 1);
	return rc;
}

/* A session of its own: keys such as Ctrl-C and Ctrl-Z go to the front alone. */
static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none;

	sigemptyset(&none);
	int rc = posix_spawnattr_setsigmask(attr, &none);
	if (rc == 0)
		rc = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	return rc;
}

#define SELF    "/proc/self/exe"
#define DELETED " (deleted)"

/* By its name rather than by the link, so that tools which follow children (valgrind, debuggers)
 * see the program and not themselves; by the link where the name leads nowhere any more, as after
 * an upgrade. */
static const char *own_program(char *buf, size_t n)
{
	ssize_t got = readlink(SELF, buf, n - 1);
	size_t tail = strlen(DELETED);

	if (got <= 0 || (size_t)got >= n - 1 || buf[0] != '/')
		return SELF;
	buf[got] = '\0';
	if ((size_t)got > tail && strcmp(buf + got - tail, DELETED) == 0)
		return SELF;
	return access(buf, X_OK) == 0 ? buf : SELF;
}

/* Not fork: it would copy the page tables of a front that has mapped the memory of many runs. */
int iob_run_spawn(struct iob_run *run, const char *program, int fd, struct iob_error *err)
{
	static char name[] = "iotop-bench", argument[] = IOB_LOAD_ARGUMENT, number[] = "3";
	char *const argv[] = {name, argument, number, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char path[PATH_MAX];

	bool own = !program;
	if (own)
		program = own_program(path, sizeof(path));
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	int rc = add_files(&files, fd);
	if (rc == 0)
		rc = set_attributes(&attr);
	if (rc == 0)
		rc = posix_spawn(&run->pid, program, &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (rc == 0) {
		run->child = run->pid;
		return 0;
	}
	run->pid = 0;
	const char *remedy = "";
	if (access("/dev/null", R_OK | W_OK) < 0)
		remedy = "; it needs /dev/null";
	else if (rc == EAGAIN)
		remedy = "; look at `ulimit -u` and the control group's pids.max";
	else if (rc == ENOENT && own)
		remedy = "; /proc has to be mounted";
	return iob_fail(err, -rc, "cannot start the load process: %m%s", remedy);
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
