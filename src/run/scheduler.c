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
#include "base/clock.h"
#include "base/detach.h"
#include "base/oom.h"

/* A run that has just been killed is given the time to put the old value back. */
#define PATIENCE_NS IOB_NS_PER_S

static int write_file(const char *path, const char *text)
{
	IOB_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/*
 * A lock of the open file, which the keeper inherits, so that it is there until the old value is
 * back, whoever dies before.  And one that becomes exclusive is not let go in between, as flock(2)
 * does.
 */
static int lock_file(int fd, int command, short type)
{
	struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
	int rc;

	while ((rc = fcntl(fd, command, &whole)) < 0 && errno == EINTR)
		;
	return rc;
}

static bool is_held_by_others(int fd, short type)
{
	return lock_file(fd, F_OFD_SETLK, type) < 0 && (errno == EAGAIN || errno == EACCES);
}

/* The keeper: outlives whoever changed the setting. */
static void keep(int fd[2], const char *path, const char *old)
{
	char byte;

	iob_detach_keeping(fd, 2);
	prctl(PR_SET_PDEATHSIG, 0);
	iob_oom_go_in_turn();
	setsid();
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	while (read(fd[0], &byte, 1) < 0 && errno == EINTR)
		;
	/* Until nobody relies on the setting any more. */
	lock_file(fd[1], F_OFD_SETLKW, F_WRLCK);
	_exit(write_file(path, old) == 0 ? 0 : 1);
}

/* Where nothing can be locked, nothing is. */
static int lock(const struct iob_scheduler *s, short type, const char *name, const char *disk,
	struct iob_error *err)
{
	if (!is_held_by_others(s->lock_fd, type))
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
	if (s->keeper == 0)
		keep((int[2]){fds[0], s->lock_fd}, path, s->found.active);
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
	lock_file(s->lock_fd, F_OFD_SETLK, F_RDLCK);
	return 0;
}

/* Without the right to write it is opened for what can be done without. */
static int open_attribute(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd < 0 ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

static int try_to_set(struct iob_scheduler *s, const char *root, const char *disk, const char *name,
	struct iob_error *err)
{
	*s = (struct iob_scheduler){.lock_fd = 0};
	snprintf(s->path, sizeof(s->path), "%s/sys/block/%s/queue/scheduler", root, disk);
	s->lock_fd = open_attribute(s->path);
	int rc = lock(s, F_RDLCK, name, disk, err);
	if (rc == 0)
		rc = iob_ioscheduler_find(&s->found, root, disk, name, err);
	if (rc == 0 && strcmp(s->found.active, s->found.name) != 0) {
		rc = lock(s, F_WRLCK, name, disk, err);
		if (rc == 0)
			rc = change(s, name, err);
	}
	if (rc < 0)
		iob_scheduler_restore(s);
	return rc;
}

int iob_scheduler_set(struct iob_scheduler *s, const char *root, const char *disk, const char *name,
	struct iob_error *err)
{
	uint64_t until = iob_monotonic_ns() + PATIENCE_NS;
	struct iob_error why;
	int rc;

	while ((rc = try_to_set(s, root, disk, name, &why)) == -EBUSY && iob_monotonic_ns() < until)
		iob_sleep_until(iob_now_ns() + 10 * IOB_NS_PER_MS);
	if (rc < 0 && err)
		*err = why;
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
	bool shared = s->lock_fd > 0 && is_held_by_others(s->lock_fd, F_WRLCK);

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
