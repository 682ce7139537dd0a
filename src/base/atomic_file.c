/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/major.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/dev_dir.h"

#define TRIES 16

/* Of MEM_MAJOR; of UNIX98_PTY_SLAVE_MAJOR there are several. */
#define NULL_MINOR             3
#define ZERO_MINOR             5
#define FULL_MINOR             7
#define UNIX98_PTY_MAJOR_COUNT 8

/* The directory of a path as a new string: "." for a bare name. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A report sent to one of our own streams joins what was already written there. */
static int standard_stream(const char *path)
{
	if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/fd/1") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0 || strcmp(path, "/dev/fd/2") == 0)
		return STDERR_FILENO;
	return -1;
}

static bool is_under_dev(const char *path)
{
	IOB_FREE char *directory = directory_of(path);

	return strncmp(path, "/dev/", 5) == 0 || (directory && iob_is_dev_directory(directory));
}

/* In a directory where everybody may make names: is this one somebody else's? */
static bool is_planted(const char *path)
{
	IOB_FREE char *directory = directory_of(path);
	struct stat there, around;

	if (!directory || lstat(path, &there) < 0 || stat(directory, &around) < 0)
		return false;
	if (!(around.st_mode & S_ISVTX) || !(around.st_mode & S_IWOTH))
		return false;
	/* The rule of fs.protected_symlinks. */
	return there.st_uid != geteuid() && there.st_uid != around.st_uid;
}

/* Opening a device can do something by itself (a watchdog starts), and to write to one the more:
 * only terminals, and those that take anything. */
static bool takes_text(const struct stat *st)
{
	unsigned number = major(st->st_rdev);
	char link[64], subsystem[PATH_MAX];

	if (S_ISFIFO(st->st_mode))
		return true;
	if (number == MEM_MAJOR)
		return minor(st->st_rdev) == NULL_MINOR || minor(st->st_rdev) == ZERO_MINOR ||
		       minor(st->st_rdev) == FULL_MINOR;
	if (number == TTY_MAJOR || number == TTYAUX_MAJOR ||
		(number >= UNIX98_PTY_SLAVE_MAJOR &&
			number < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT))
		return true;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/subsystem", number, minor(st->st_rdev));
	ssize_t n = readlink(link, subsystem, sizeof(subsystem) - 1);
	return n > 4 && strncmp(subsystem + n - 4, "/tty", 4) == 0;
}

static int open_stream(
	struct iob_atomic_file *f, int opened, const char *path, struct iob_error *err)
{
	IOB_FD int fd = opened;

	if (fd < 0)
		return iob_fail(err, -errno, "%s cannot be written: %m", path);
	f->stream = fdopen(fd, "w");
	if (!f->stream)
		return iob_fail(err, -errno, "%s cannot be written: %m", path);
	iob_steal_fd(&fd);
	return 0;
}

static int open_temporary(
	struct iob_atomic_file *f, const char *path, mode_t mode, struct iob_error *err)
{
	IOB_FREE char *directory = directory_of(path);
	int fd = -1;

	if (!directory)
		return iob_fail(err, -ENOMEM, "%s cannot be written: %m", path);
	for (int i = 0; i < TRIES && fd < 0; i++) {
		uint64_t number = 0;

		if (getrandom(&number, sizeof(number), 0) < 0)
			return iob_fail(err, -errno, "random number: %m");
		free(f->temporary);
		if (asprintf(&f->temporary, "%s/.iotop-bench-%016llx.tmp", directory,
			    (unsigned long long)number) < 0) {
			f->temporary = NULL;
			return iob_fail(err, -ENOMEM, "%s cannot be written: %m", path);
		}
		fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	int rc = open_stream(f, fd, path, err);
	if (rc < 0) {
		/* Nothing of that name is ours when open failed. */
		if (fd >= 0)
			unlink(f->temporary);
		free(iob_steal(&f->temporary));
	} else if (mode != 0) {
		/* Best effort: the new content matters more than the old mode. */
		(void)!fchmod(fileno(f->stream), mode & 0777);
	}
	return rc;
}

static int open_checked(struct iob_atomic_file *f, const char *path, struct iob_error *err)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	/* The file behind a symbolic link is replaced, not the link. */
	IOB_FREE char *real = exists ? realpath(path, NULL) : NULL;

	if (standard_stream(path) >= 0)
		return open_stream(f, fcntl(standard_stream(path), F_DUPFD_CLOEXEC, 3), path, err);
	if (is_planted(path))
		return iob_fail_usage(err,
			"%s is somebody else's, in a directory that everybody may write; name "
			"another file",
			path);
	if (exists && S_ISDIR(st.st_mode))
		return iob_fail_usage(err, "%s is a directory; name a file in it", path);
	if (exists && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) && takes_text(&st))
		return open_stream(f, open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), path, err);
	if (exists && !S_ISREG(st.st_mode))
		return iob_fail_usage(err, "%s is a device; name a file for the report", path);
	if (is_under_dev(path) || (real && is_under_dev(real)))
		return iob_fail_usage(err, "%s is under /dev; name a file elsewhere", path);
	if (path[0] == '\0' || path[strlen(path) - 1] == '/')
		return iob_fail_usage(err, "\"%s\" is not the name of a file", path);
	f->path = strdup(real ? real : path);
	if (!f->path)
		return iob_fail(err, -ENOMEM, "%s cannot be written: %m", path);
	return open_temporary(f, f->path, exists && st.st_uid == geteuid() ? st.st_mode : 0, err);
}

int iob_atomic_file_open(struct iob_atomic_file *f, const char *path, struct iob_error *err)
{
	*f = (struct iob_atomic_file){0};
	int rc = open_checked(f, path, err);
	if (rc < 0)
		iob_atomic_file_abort(f);
	return rc;
}

/* A file system that cannot sync (some FUSE ones) says EINVAL: nothing more can be done there. */
static int sync_fd(int fd)
{
	if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP)
		return 0;
	return -errno;
}

static int finish_stream(struct iob_atomic_file *f)
{
	int rc = 0;

	if (fflush(f->stream) != 0)
		rc = -errno;
	else if (ferror(f->stream))
		rc = -EIO;
	else if (f->temporary)
		rc = sync_fd(fileno(f->stream));
	if (fclose(iob_steal(&f->stream)) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

static int sync_directory_of(const char *path)
{
	IOB_FREE char *directory = directory_of(path);
	IOB_FD int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	/* A directory may be writable and not readable: then the file is there all the same. */
	return fd < 0 ? 0 : sync_fd(fd);
}

int iob_atomic_file_show(struct iob_atomic_file *f, struct iob_error *err)
{
	if (fflush(f->stream) != 0)
		return iob_fail(err, -errno, "%s could not be written: %m", f->path);
	if (!f->temporary)
		return 0;
	if (rename(f->temporary, f->path) < 0)
		return iob_fail(err, -errno, "%s could not be replaced: %m", f->path);
	free(iob_steal(&f->temporary));
	return 0;
}

int iob_atomic_file_commit(struct iob_atomic_file *f, struct iob_error *err)
{
	const char *name = f->path ? f->path : "output";
	int rc = finish_stream(f);

	if (rc < 0) {
		iob_fail(err, rc, "%s could not be written: %m", name);
	} else if (f->temporary) {
		if (rename(f->temporary, f->path) < 0)
			rc = iob_fail(err, -errno, "%s could not be replaced: %m", name);
		else
			free(iob_steal(&f->temporary));
	}
	if (rc == 0 && f->path) {
		rc = sync_directory_of(f->path);
		if (rc < 0)
			iob_fail(err, rc, "%s was written, but may not survive a crash: %m", name);
	}
	iob_atomic_file_abort(f);
	return rc;
}

void iob_atomic_file_abort(struct iob_atomic_file *f)
{
	if (f->stream)
		fclose(f->stream);
	if (f->temporary)
		unlink(f->temporary);
	free(f->temporary);
	free(f->path);
	*f = (struct iob_atomic_file){0};
}
