/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/denied.h"
#include "target/filesystem.h"

static int open_flags(const struct iob_open_how *how)
{
	int flags = O_CLOEXEC | O_NOCTTY | (how->write ? O_RDWR : O_RDONLY);

	if (how->direct)
		flags |= O_DIRECT;
	if (how->exclusive)
		flags |= O_EXCL;
	if (how->write && how->sync == IOB_SYNC_SYNC)
		flags |= O_SYNC;
	if (how->write && how->sync == IOB_SYNC_DSYNC)
		flags |= O_DSYNC;
	return flags;
}

int iob_target_direct_refused(int fd, const char *name, struct iob_error *err)
{
	struct iob_filesystem fs = {0};

	if (fd >= 0)
		iob_filesystem_of(fd, &fs);
	iob_fail_usage(err, "%s: the file system (%s) refuses direct I/O; use --direct=0", name,
		fs.type[0] != '\0' ? fs.type : "of unknown type");
	return -EOPNOTSUPP;
}

/* What is set with chattr; nobody may write then. */
static const char *attribute_of(const char *path)
{
	struct statx stx;

	if (statx(AT_FDCWD, path, 0, STATX_TYPE, &stx) < 0)
		return NULL;
	if (stx.stx_attributes & STATX_ATTR_IMMUTABLE)
		return "immutable; `chattr -i` lifts that";
	if (stx.stx_attributes & STATX_ATTR_APPEND)
		return "append-only; `chattr -a` lifts that";
	return NULL;
}

static int open_not_allowed(
	int code, const char *path, const char *name, bool write, struct iob_error *err)
{
	const char *attribute = write ? attribute_of(path) : NULL;
	char why[160];

	if (attribute)
		return iob_fail(
			err, code, "open %s for writing: %m (the file is %s)", name, attribute);
	return iob_fail(err, code, "open %s for %s: %m (%s)", name, write ? "writing" : "reading",
		iob_denied_why(why, sizeof(why), path));
}

int iob_target_open_failed(int code, const char *path, bool write, struct iob_error *err)
{
	if (code == -EACCES || code == -EPERM)
		return open_not_allowed(code, path, path, write, err);
	return iob_fail(err, code, "open %s for %s: %m", path, write ? "writing" : "reading");
}

int iob_target_stat_failed(int code, const char *path, struct iob_error *err)
{
	char why[160];

	if (code == -EACCES || code == -EPERM)
		return iob_fail(err, code, "stat %s: %m (%s)", path,
			iob_denied_why(why, sizeof(why), path));
	if (code == -ENOTDIR)
		return iob_fail_usage(err,
			"%s: what stands before a slash in it is no directory; correct the path",
			path);
	return iob_fail(err, code, "stat %s: %m", path);
}

static int open_failed(int code, const char *path, const char *name, const struct iob_open_how *how,
	struct iob_error *err)
{
	switch (code) {
	case -EINVAL:
	case -EOPNOTSUPP:
		if (how->direct) {
			IOB_FD int fd = open(path, O_PATH | O_CLOEXEC);

			return iob_target_direct_refused(fd, name, err);
		}
		break;
	case -EACCES:
	case -EPERM:
		return open_not_allowed(code, path, name, how->write, err);
	case -ETXTBSY:
		return iob_fail_refused(
			err, "%s is a swap file or a running program: it is never written", name);
	case -EROFS:
		return iob_fail(err, code, "open %s for writing: %m", name);
	case -EMFILE:
		return iob_fail(err, code,
			"open %s: %m; raise the limit (ulimit -n) or lower nrfiles", name);
	case -ENOMEDIUM:
		return iob_fail(err, code, "open %s: %m (insert one)", name);
	default:
		break;
	}
	return iob_fail(err, code, "open %s: %m", name);
}

static bool same(const struct stat *a, const struct stat *b)
{
	if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT))
		return false;
	if (S_ISBLK(a->st_mode))
		return a->st_rdev == b->st_rdev;
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size;
}

int iob_target_open(const char *path, const char *name, const struct iob_open_how *how,
	const struct stat *st, struct iob_error *err)
{
	int flags = open_flags(how);
	struct stat now;
	/* O_NOATIME is for the owner only. */
	IOB_FD int fd = open(path, flags | O_NOATIME);

	if (fd < 0 && errno == EPERM)
		fd = open(path, flags);
	if (fd < 0)
		return open_failed(-errno, path, name, how, err);
	if (fstat(fd, &now) < 0)
		return iob_fail(err, -errno, "stat %s: %m", name);
	if (st && !same(st, &now))
		return iob_fail_refused(err,
			"%s changed into something else, or changed its size, while it was being "
			"opened; start again when nobody works on it",
			name);
	return iob_steal_fd(&fd);
}

/* A map without a path is busy for a moment. */
static bool flush_device(int fd)
{
	int rc = -1;

	for (int i = 0; i < 3 && (rc = ioctl(fd, BLKFLSBUF, 0)) < 0 && errno == EAGAIN; i++)
		usleep(100000);
	return rc == 0;
}

bool iob_target_invalidate(int fd, const struct iob_target_region *region, bool write, bool device)
{
	/* Dirty pages cannot be dropped; a reader must not cause writes. */
	if (write)
		(void)fdatasync(fd);
	if (device)
		return flush_device(fd);
	return posix_fadvise(fd, (off_t)region->offset, (off_t)region->size, POSIX_FADV_DONTNEED) ==
	       0;
}
