/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/backing.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/filesystem.h"
#include "target/sysfs.h"

/* The driver knows the inode, whatever happened to the name since. */
static bool ask_driver(struct iob_backing *b, const char *name)
{
	struct loop_info64 info;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/dev/%s", name);
	IOB_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, LOOP_GET_STATUS64, &info) < 0)
		return false;
	b->fs = (dev_t)info.lo_device;
	b->ino = (ino_t)info.lo_inode;
	b->device = (dev_t)info.lo_rdevice;
	return true;
}

static void ask_name(struct iob_backing *b)
{
	struct stat st;

	if (stat(b->path, &st) < 0)
		return;
	b->fs = st.st_dev;
	b->ino = st.st_ino;
	if (S_ISBLK(st.st_mode))
		b->device = st.st_rdev;
}

/* By the text of the path alone (the library's own call looks at the file). */
static struct libmnt_fs *mount_of(struct libmnt_table *mounts, const char *path)
{
	IOB_FREE char *part = strdup(path);
	char *slash = NULL;

	while (mounts && part && part[0] == '/') {
		struct libmnt_fs *mount = mnt_table_find_target(mounts, part, MNT_ITER_BACKWARD);

		if (mount || part[1] == '\0')
			return mount;
		slash = strrchr(part, '/');
		slash[slash == part] = '\0';
	}
	return NULL;
}

static bool may_ask(const struct iob_backing *b, struct libmnt_table *mounts, dev_t fs)
{
	struct libmnt_fs *mount = mount_of(mounts, b->path);
	const char *type = mount ? mnt_fs_get_fstype(mount) : NULL;

	if (!type || !(mnt_fs_is_netfs(mount) || strncmp(type, "fuse", 4) == 0))
		return true;
	return fs != 0 && mnt_fs_get_devno(mount) == fs;
}

bool iob_backing_find(struct iob_backing *b, const char *root, const char *name,
	struct libmnt_table *mounts, dev_t fs)
{
	char folder[PATH_MAX];
	uint64_t direct = 0;
	int n = snprintf(folder, sizeof(folder), "%s/sys/block/%s/loop", root, name);

	*b = (struct iob_backing){.ino = 0};
	if (n < 0 || (size_t)n >= sizeof(folder) ||
		!iob_sysfs_text(folder, "backing_file", b->path, sizeof(b->path)))
		return false;
	(void)iob_sysfs_uint(folder, "offset", &b->offset);
	b->direct = iob_sysfs_uint(folder, "dio", &direct) && direct != 0;
	if (root[0] == '\0' && may_ask(b, mounts, fs) && !ask_driver(b, name))
		ask_name(b);
	return true;
}

uint64_t iob_backing_sparse(const char *name, uint64_t offset, uint64_t size)
{
	struct iob_backing b;
	struct stat st;

	if (!iob_backing_find(&b, "", name, NULL, 0) || b.device)
		return 0;
	IOB_FD int fd = open(b.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_dev != b.fs ||
		st.st_ino != b.ino)
		return 0;
	return iob_filesystem_sparse(fd, b.offset + offset, size);
}
