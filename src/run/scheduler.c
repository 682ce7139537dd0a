/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/scheduler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/detach.h"
#include "target/ioscheduler.h"

static int write_file(const char *path, const char *text)
{
	IOB_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* The keeper: outlives whoever changed the setting. */
static void keep(int fd, const char *path, const char *old)
{
	char byte;

	fd = iob_detach(fd);
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
	struct iob_ioscheduler found;
	char path[256];
	int fds[2];

	memset(s, 0, sizeof(*s));
	int rc = iob_ioscheduler_find(&found, root, disk, name, err);
	if (rc < 0)
		return rc;
	snprintf(path, sizeof(path), "%s/sys/block/%s/queue/scheduler", root, disk);
	if (strcmp(found.active, found.name) == 0)
		return 0;
	if (pipe2(fds, O_CLOEXEC) != 0)
		return iob_fail(err, -errno, "ioscheduler=%s: pipe: %m", name);
	s->keeper = fork();
	if (s->keeper == 0) {
		close(fds[1]);
		keep(fds[0], path, found.active);
	}
	close(fds[0]);
	if (s->keeper < 0) {
		rc = -errno;
		close(fds[1]);
		return iob_fail(err, rc, "ioscheduler=%s: fork: %m", name);
	}
	s->pipe_fd = fds[1];
	s->active = 1;
	rc = write_file(path, found.name);
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
