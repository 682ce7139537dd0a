/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/scheduler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

static int read_file(const char *path, char *buf, size_t n)
{
	IOB_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t got = read(fd, buf, n - 1);
	if (got < 0)
		return -errno;
	buf[got] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

static int write_file(const char *path, const char *text)
{
	IOB_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* "none [mq-deadline] kyber": the one in brackets; and is `name` among them? */
static bool parse_list(const char *list, const char *name, char *active, size_t n)
{
	char copy[256], *save = NULL;
	bool found = false;

	snprintf(copy, sizeof(copy), "%s", list);
	active[0] = '\0';
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (w[0] == '[') {
			w++;
			w[strcspn(w, "]")] = '\0';
			snprintf(active, n, "%s", w);
		}
		found = found || strcmp(w, name) == 0;
	}
	return found;
}

/* The keeper: outlives whoever changed the setting. */
static void keep(int fd, const char *path, const char *old)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, 0);
	setsid();
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(write_file(path, old) == 0 ? 0 : 1);
}

int iob_scheduler_set(struct iob_scheduler *s, const char *root, const char *disk, const char *name,
	struct iob_error *err)
{
	char path[256], list[256], old[64];
	int fds[2];

	memset(s, 0, sizeof(*s));
	snprintf(path, sizeof(path), "%s/sys/block/%s/queue/scheduler", root, disk);
	int rc = read_file(path, list, sizeof(list));
	if (rc < 0)
		return iob_fail(err, rc, "ioscheduler=%s: %s: %m", name, path);
	if (!parse_list(list, name, old, sizeof(old)))
		return iob_fail_usage(
			err, "ioscheduler=%s: the kernel offers %s for %s", name, list, disk);
	if (strcmp(old, name) == 0)
		return 0;
	if (pipe2(fds, O_CLOEXEC) != 0)
		return iob_fail(err, -errno, "ioscheduler=%s: pipe: %m", name);
	s->keeper = fork();
	if (s->keeper == 0) {
		close(fds[1]);
		keep(fds[0], path, old);
	}
	close(fds[0]);
	if (s->keeper < 0) {
		rc = -errno;
		close(fds[1]);
		return iob_fail(err, rc, "ioscheduler=%s: fork: %m", name);
	}
	s->pipe_fd = fds[1];
	s->active = 1;
	rc = write_file(path, name);
	if (rc == 0)
		return 0;
	iob_scheduler_restore(s);
	return iob_fail(err, rc, "ioscheduler=%s: writing %s: %m; leave it out, or run as root",
		name, path);
}

void iob_scheduler_restore(struct iob_scheduler *s)
{
	if (!s->active)
		return;
	close(s->pipe_fd);
	while (waitpid(s->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	memset(s, 0, sizeof(*s));
}
