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
#include "target/blockdev_use.h"
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

struct loop {
	struct iob_blockdev *dev, *below; /* below: NULL = a file, or a device that nobody knows */
	const struct iob_blockdev *user;  /* NULL = free, but for twins */
	struct iob_backing backing;
};

static struct iob_blockdev *find_below(
	struct iob_blockdevs *list, const char *root, const struct iob_backing *b)
{
	for (size_t i = 0; i < list->count; i++) {
		struct iob_blockdev *dev = &list->item[i];

		if (root[0] ? strcmp(dev->path, b->path) == 0
			    : b->device && makedev(dev->major, dev->minor) == b->device)
			return dev;
	}
	return NULL;
}

static unsigned collect(struct loop *loops, struct iob_blockdevs *list, const char *root,
	struct libmnt_table *mounts)
{
	unsigned n = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct loop *l = &loops[n];

		if (strcmp(list->item[i].kind, "loop") != 0 ||
			!iob_backing_find(&l->backing, root, list->item[i].name, mounts, 0))
			continue;
		l->dev = &list->item[i];
		l->below = find_below(list, root, &l->backing);
		n++;
	}
	return n;
}

/* Who uses it directly: itself, its disk, or a partition of it. */
static const struct iob_blockdev *user_of(
	const struct iob_blockdevs *list, const struct iob_blockdev *dev)
{
	size_t at = (size_t)(dev - list->item);

	if (dev->use != IOB_USE_FREE)
		return dev;
	if (dev->is_partition) {
		while (at > 0 && list->item[at].is_partition)
			at--;
		return list->item[at].use != IOB_USE_FREE ? &list->item[at] : NULL;
	}
	for (size_t i = at + 1; i < list->count && list->item[i].is_partition; i++)
		if (list->item[i].use != IOB_USE_FREE)
			return &list->item[i];
	return NULL;
}

/* One may stand on another. */
static void take_from_below(const struct iob_blockdevs *list, struct loop *loops, unsigned n)
{
	char text[320];

	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < n; i++) {
			const struct iob_blockdev *user =
				loops[i].below ? user_of(list, loops[i].below) : NULL;

			if (!user || loops[i].dev->use != IOB_USE_FREE)
				continue;
			snprintf(text, sizeof(text), "it stands on %s: %s", user->name,
				user->use_text);
			iob_blockdev_set_use(loops[i].dev, user->use, text);
			more = true;
		}
	}
}

static bool are_the_same(const struct iob_backing *a, const struct iob_backing *b)
{
	if (a->device || b->device)
		return a->device == b->device;
	if (a->ino && b->ino)
		return a->ino == b->ino && a->fs == b->fs;
	return strcmp(a->path, b->path) == 0;
}

static bool share_bytes(const struct loop *a, const struct loop *b)
{
	const struct iob_backing *x = &a->backing, *y = &b->backing;

	return are_the_same(x, y) && x->offset < y->offset + b->dev->size &&
	       y->offset < x->offset + a->dev->size;
}

static void note_twin(struct loop *l, const struct loop *twin)
{
	char text[320];

	snprintf(text, sizeof(text), "it shares its bytes with %s%s%s", twin->dev->name,
		twin->user ? ": " : "", twin->user ? twin->user->use_text : "");
	iob_blockdev_set_use(l->dev, IOB_USE_HELD, text);
}

/* Those in use are named first. */
static void find_twins(const struct iob_blockdevs *list, struct loop *loops, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		loops[i].user = user_of(list, loops[i].dev);
	for (int used = 1; used >= 0; used--)
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < n; j++)
				if (i != j && (loops[j].user != NULL) == used && !loops[i].user &&
					share_bytes(&loops[i], &loops[j]))
					note_twin(&loops[i], &loops[j]);
}

void iob_backing_find_uses(
	struct iob_blockdevs *list, const char *root, struct libmnt_table *mounts)
{
	IOB_FREE struct loop *loops = calloc(list->count + 1, sizeof(*loops));
	unsigned n = loops ? collect(loops, list, root, mounts) : 0;
	char text[96];

	take_from_below(list, loops, n);
	find_twins(list, loops, n);
	/* Last: being held by a loop device is no reason to call that one in use. */
	for (unsigned i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "held by %s", loops[i].dev->name);
		if (loops[i].below)
			iob_blockdev_set_use(loops[i].below, IOB_USE_HELD, text);
	}
}
