/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/denied.h"

static int explain(int code, const char *path, const char *directory, struct iob_error *err)
{
	char why[160];

	switch (code) {
	case -ENOENT:
		if (access(directory, F_OK) == 0)
			return iob_fail(err, code,
				"create %s: %m (no file can be made in %s); name another place",
				path, directory);
		return iob_fail_usage(err,
			"create %s: the directory %s does not exist; make it first", path,
			directory);
	case -ENOTDIR:
		return iob_fail_usage(err, "create %s: %s is not a directory", path, directory);
	case -EACCES:
	case -EPERM:
		return iob_fail(err, code, "create %s: %m (in %s %s)", path, directory,
			iob_denied_why(why, sizeof(why), directory));
	case -EROFS:
		return iob_fail(err, code, "create %s: %m; name another place", path);
	case -ENOSPC:
		return iob_fail(err, code,
			"create %s: %m, or no inode (`df -i`); name another place", path);
	default:
		return iob_fail(err, code, "create %s: %m", path);
	}
}

int iob_new_file_open(
	struct iob_new_file *file, const char *path, bool scratch, struct iob_error *err)
{
	IOB_FREE char *copy = strdup(path);

	*file = (struct iob_new_file){.fd = -1};
	if (!copy)
		return iob_fail(err, -ENOMEM, "create %s: %m", path);
	const char *directory = dirname(copy);
	IOB_FD int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | (scratch ? O_EXCL : 0),
		S_IRUSR | S_IWUSR);
	bool named = false;
	/* EISDIR: a kernel or file system that takes O_TMPFILE for O_DIRECTORY. */
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
		fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
		named = fd >= 0;
	}
	if (fd < 0)
		return explain(-errno, path, directory, err);
	if (named && scratch) {
		if (unlink(path) < 0)
			return iob_fail(err, -errno, "unlink %s: %m", path);
		named = false;
	}
	*file = (struct iob_new_file){.fd = iob_steal_fd(&fd), .named = named};
	return 0;
}

int iob_new_file_publish(struct iob_new_file *file, const char *path, struct iob_error *err)
{
	char self[64];

	if (file->named)
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0)
		return iob_fail(err, -errno, "create %s: %m", path);
	file->named = true;
	return 0;
}

int iob_new_file_discard(struct iob_new_file *file, const char *path)
{
	struct stat mine, there;
	int rc = 0;

	if (file->fd < 0)
		return 0;
	/* The name may have been given to another file meanwhile: that one is not ours. */
	if (file->named && fstat(file->fd, &mine) == 0 && lstat(path, &there) == 0 &&
		mine.st_dev == there.st_dev && mine.st_ino == there.st_ino && unlink(path) < 0)
		rc = -errno;
	close(file->fd);
	*file = (struct iob_new_file){.fd = -1};
	return rc;
}
