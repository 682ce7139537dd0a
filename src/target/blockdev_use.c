/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/blockdev_use.h"

#include <dirent.h>
#include <fcntl.h>
#include <libmount.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "target/sysfs.h"

static void set_use(struct iob_blockdev *dev, enum iob_blockdev_use use, const char *text)
{
	if (dev->use != IOB_USE_FREE)
		return;
	dev->use = use;
	iob_text_clean(dev->use_text, sizeof(dev->use_text), text);
}

static struct iob_blockdev *find_number(struct iob_blockdevs *list, dev_t devno)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].major == major(devno) && list->item[i].minor == minor(devno))
			return &list->item[i];
	return NULL;
}

/* By the number behind the path; in a tree that stands for / by the path itself. */
static struct iob_blockdev *find_path(
	struct iob_blockdevs *list, const char *root, const char *path)
{
	struct stat st;

	if (root[0] == '\0') {
		if (stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
			return NULL;
		return find_number(list, st.st_rdev);
	}
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->item[i].path, path) == 0)
			return &list->item[i];
	return NULL;
}

static struct libmnt_table *read_table(const char *root, const char *name, bool swaps)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s%s", root, name);
	struct libmnt_table *table = NULL;

	if (n < 0 || (size_t)n >= sizeof(path))
		return NULL;
	if (!swaps)
		return mnt_new_table_from_file(path);
	table = mnt_new_table();
	if (table && mnt_table_parse_swaps(table, path) != 0) {
		mnt_unref_table(table);
		return NULL;
	}
	return table;
}

static void find_mounts(struct iob_blockdevs *list, const char *root)
{
	struct libmnt_table *table = read_table(root, "/proc/self/mountinfo", false);
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL;

	while (table && it && mnt_table_next_fs(table, it, &fs) == 0) {
		char point[128], text[160];
		dev_t devno = mnt_fs_get_devno(fs);
		const char *source = mnt_fs_get_srcpath(fs);
		struct iob_blockdev *dev = find_number(list, devno);

		/* btrfs and others mount under a number of no device. */
		if (!dev && major(devno) == 0 && source && source[0] == '/')
			dev = find_path(list, root, source);
		if (!dev || !mnt_fs_get_target(fs))
			continue;
		iob_text_clean(point, sizeof(point), mnt_fs_get_target(fs));
		snprintf(text, sizeof(text), "%s (mounted)", point);
		set_use(dev, IOB_USE_MOUNTED, text);
	}
	mnt_free_iter(it);
	mnt_unref_table(table);
}

static void find_swaps(struct iob_blockdevs *list, const char *root)
{
	struct libmnt_table *table = read_table(root, "/proc/swaps", true);
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL;

	while (table && it && mnt_table_next_fs(table, it, &fs) == 0) {
		const char *source = mnt_fs_get_srcpath(fs);
		struct iob_blockdev *dev = source ? find_path(list, root, source) : NULL;

		if (dev)
			set_use(dev, IOB_USE_SWAP, "swap");
	}
	mnt_free_iter(it);
	mnt_unref_table(table);
}

static void find_holder(struct iob_blockdev *dev, const char *root, const char *folder)
{
	char path[PATH_MAX], name[64], nice[96], text[192];
	DIR *d = opendir(folder);
	const struct dirent *e = NULL;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		iob_text_clean(name, sizeof(name), e->d_name);
		int n = snprintf(path, sizeof(path), "%s/sys/block/%s", root, e->d_name);
		if (n > 0 && (size_t)n < sizeof(path) &&
			iob_sysfs_text(path, "dm/name", nice, sizeof(nice)))
			snprintf(text, sizeof(text), "held by %s (%s)", name, nice);
		else
			snprintf(text, sizeof(text), "held by %s", name);
		set_use(dev, IOB_USE_HELD, text);
	}
	if (d)
		closedir(d);
}

static void find_holders(struct iob_blockdevs *list, const char *root)
{
	char folder[PATH_MAX];

	for (size_t i = 0; i < list->count; i++) {
		struct iob_blockdev *dev = &list->item[i];
		char name[130];
		int n = snprintf(name, sizeof(name), "%s%s%s", dev->parent,
			dev->is_partition ? "/" : "", dev->name);

		/* The kernel writes cciss/c0d0 as cciss!c0d0 here. */
		for (char *c = name + (dev->is_partition ? strlen(dev->parent) + 1 : 0); *c; c++)
			if (*c == '/')
				*c = '!';
		if (n > 0)
			n = snprintf(folder, sizeof(folder), "%s/sys/block/%s/holders", root, name);
		if (n > 0 && (size_t)n < sizeof(folder))
			find_holder(dev, root, folder);
	}
}

/* Loop devices do not register as holders of what they stand on. */
static void find_loops(struct iob_blockdevs *list, const char *root)
{
	char folder[PATH_MAX], backing[PATH_MAX], text[96];

	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->item[i].kind, "loop") != 0)
			continue;
		int n = snprintf(
			folder, sizeof(folder), "%s/sys/block/%s/loop", root, list->item[i].name);
		if (n < 0 || (size_t)n >= sizeof(folder) ||
			!iob_sysfs_text(folder, "backing_file", backing, sizeof(backing)))
			continue;
		struct iob_blockdev *dev = find_path(list, root, backing);
		if (!dev)
			continue;
		snprintf(text, sizeof(text), "held by %s", list->item[i].name);
		set_use(dev, IOB_USE_HELD, text);
	}
}

/* A disk is in use through its partitions, and they through it. */
static void spread(struct iob_blockdevs *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct iob_blockdev *disk = &list->item[i];
		bool direct = disk->use != IOB_USE_FREE;
		char text[320];

		if (disk->is_partition)
			continue;
		for (size_t j = i + 1; j < list->count && list->item[j].is_partition; j++) {
			struct iob_blockdev *part = &list->item[j];

			if (direct) {
				snprintf(text, sizeof(text), "%s: %s", disk->name, disk->use_text);
				set_use(part, disk->use, text);
			} else if (part->use != IOB_USE_FREE) {
				snprintf(text, sizeof(text), "%s: %s", part->name, part->use_text);
				set_use(disk, part->use, text);
			}
		}
	}
}

void iob_blockdevs_find_uses(struct iob_blockdevs *list, const char *root)
{
	find_mounts(list, root);
	find_swaps(list, root);
	find_holders(list, root);
	find_loops(list, root);
	spread(list);
}

static bool same_file(const char *path, const struct stat *st)
{
	struct stat there;

	return stat(path, &there) == 0 && there.st_dev == st->st_dev && there.st_ino == st->st_ino;
}

static bool is_swap_file(const struct stat *st)
{
	struct libmnt_table *table = read_table("", "/proc/swaps", true);
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL;
	bool found = false;

	while (table && it && !found && mnt_table_next_fs(table, it, &fs) == 0) {
		const char *source = mnt_fs_get_srcpath(fs);

		found = source && same_file(source, st);
	}
	mnt_free_iter(it);
	mnt_unref_table(table);
	return found;
}

/* The loop driver knows the inode, whatever happened to the name since. */
static bool loop_stands_on(const char *name, const struct stat *st)
{
	char path[PATH_MAX], backing[PATH_MAX];
	struct loop_info64 info = {.lo_inode = 0};

	snprintf(path, sizeof(path), "/sys/block/%s/loop", name);
	if (!iob_sysfs_text(path, "backing_file", backing, sizeof(backing)))
		return false;
	snprintf(path, sizeof(path), "/dev/%s", name);
	IOB_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0)
		return info.lo_inode == st->st_ino && (dev_t)info.lo_device == st->st_dev;
	return same_file(backing, st);
}

bool iob_file_is_held(const struct stat *st, char *text, size_t n)
{
	DIR *d = opendir("/sys/block");
	const struct dirent *e = NULL;
	bool found = false;

	if (is_swap_file(st)) {
		snprintf(text, n, "swap");
		found = true;
	}
	while (d && !found && (e = readdir(d))) {
		if (strncmp(e->d_name, "loop", 4) != 0 || !loop_stands_on(e->d_name, st))
			continue;
		snprintf(text, n, "%.64s stands on it", e->d_name);
		found = true;
	}
	if (d)
		closedir(d);
	return found;
}
