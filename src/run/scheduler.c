/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/scheduler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/detach.h"
#include "base/oom.h"

static int write_file(const char *path, const char *text)
{
	IOB_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* Until nobody relies on the setting any more. */
static void wait_for_others(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
}

/* The keeper: outlives whoever changed the setting. */
static void keep(int fd, const char *path, const char *old)
{
	char byte;

	fd = iob_detach(fd);
	prctl(PR_SET_PDEATHSIG, 0);
	iob_oom_go_in_turn();
	setsid();
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	wait_for_others(path);
	_exit(write_file(path, old) == 0 ? 0 : 1);
}

/* Where nothing can be locked, nothing is. */
static int lock(const struct iob_scheduler *s, int how, const char *name, const char *disk,
	struct iob_error *err)
{
	if (s->lock_fd <= 0 || flock(s->lock_fd, how | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return 0;
	return iob_fail(err, -EBUSY,
		"ioscheduler=%s: another run has set the scheduler of %s, or relies on it; wait "
		"until it has ended, or leave this out",
		name, disk);
}

static int change(struct iob_scheduler *s, const char *name, struct iob_error *err)
{
	const char *path = s->path;
	int fds[2], rc;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return iob_fail(err, -errno, "ioscheduler=%s: pipe: %m", name);
	s->keeper = fork();
	if (s->keeper == 0) {
		close(fds[1]);
		keep(fds[0], path, s->found.active);
	}
	rc = -errno;
	close(fds[0]);
	if (s->keeper < 0) {
		close(fds[1]);
		return iob_fail(err, rc, "ioscheduler=%s: fork: %m", name);
	}
	s->pipe_fd = fds[1];
	s->active = 1;
	rc = write_file(path, s->found.name);
	if (rc < 0)
		return iob_fail(err, rc,
			"ioscheduler=%s: writing %s: %m; leave it out, or run as root", name, path);
	/* Others that want the same may share it. */
	if (s->lock_fd > 0)
		flock(s->lock_fd, LOCK_SH);
	return 0;
}

int iob_scheduler_set(struct iob_scheduler *s, const char *root, const char *disk, const char *name,
	struct iob_error *err)
{
	*s = (struct iob_scheduler){.lock_fd = 0};
	snprintf(s->path, sizeof(s->path), "%s/sys/block/%s/queue/scheduler", root, disk);
	s->lock_fd = open(s->path, O_RDONLY | O_CLOEXEC);
	int rc = lock(s, LOCK_SH, name, disk, err);
	if (rc == 0)
		rc = iob_ioscheduler_find(&s->found, root, disk, name, err);
	if (rc == 0 && strcmp(s->found.active, s->found.name) != 0) {
		rc = lock(s, LOCK_EX, name, disk, err);
		if (rc == 0)
			rc = change(s, name, err);
	}
	if (rc < 0)
		iob_scheduler_restore(s);
	return rc;
}

/* One that was killed has not done it. */
static bool keeper_has_restored(const struct iob_scheduler *s)
{
	int status = 0;

	while (waitpid(s->keeper, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void iob_scheduler_restore(struct iob_scheduler *s)
{
	bool shared =
		s->lock_fd > 0 && flock(s->lock_fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (s->lock_fd > 0)
		close(s->lock_fd);
	if (s->active) {
		close(s->pipe_fd);
		/* While others rely on it the keeper stays behind, and restores after the last. */
		if (!shared && !keeper_has_restored(s))
			(void)write_file(s->path, s->found.active);
	}
	memset(s, 0, sizeof(*s));
}
