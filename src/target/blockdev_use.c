/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/blockdev_use.h"

#include <dirent.h>
#include <libmount.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "target/backing.h"
#include "target/loop_use.h"
#include "target/same_disk.h"
#include "target/sysfs.h"

void iob_blockdev_set_use(struct iob_blockdev *dev, enum iob_blockdev_use use, const char *text)
{
	if (dev->use != IOB_USE_FREE)
		return;
	dev->use = use;
	iob_text_clean(dev->use_text, sizeof(dev->use_text), text);
}

const struct iob_blockdev *iob_blockdevs_disk(
	const struct iob_blockdevs *list, const struct iob_blockdev *dev)
{
	while (dev > list->item && dev->is_partition)
		dev--;
	return dev;
}

const struct iob_blockdev *iob_blockdevs_user(
	const struct iob_blockdevs *list, const struct iob_blockdev *dev)
{
	const struct iob_blockdev *end = list->item + list->count,
				  *disk = iob_blockdevs_disk(list, dev);

	if (dev->use != IOB_USE_FREE)
		return dev;
	if (dev != disk)
		return disk->use != IOB_USE_FREE ? disk : NULL;
	for (const struct iob_blockdev *part = dev + 1; part < end && part->is_partition; part++)
		if (part->use != IOB_USE_FREE)
			return part;
	return NULL;
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

static void find_mounts(struct iob_blockdevs *list, const char *root, struct libmnt_table *table)
{
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
		iob_blockdev_set_use(dev, IOB_USE_MOUNTED, text);
	}
	mnt_free_iter(it);
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
			iob_blockdev_set_use(dev, IOB_USE_SWAP, "swap");
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
		iob_blockdev_set_use(dev, IOB_USE_HELD, text);
	}
	if (d)
		closedir(d);
}

bool iob_blockdev_folder(const struct iob_blockdev *dev, const char *root, char *buf, size_t n)
{
	char name[sizeof(dev->name)], parent[sizeof(dev->parent)];

	memcpy(name, dev->name, sizeof(name));
	memcpy(parent, dev->parent, sizeof(parent));
	/* The kernel writes cciss/c0d0 as cciss!c0d0 here. */
	for (char *c = name; (c = strchr(c, '/'));)
		*c = '!';
	for (char *c = parent; (c = strchr(c, '/'));)
		*c = '!';
	int len = snprintf(
		buf, n, "%s/sys/block/%s%s%s", root, parent, dev->is_partition ? "/" : "", name);
	return len > 0 && (size_t)len < n;
}

static void find_holders(struct iob_blockdevs *list, const char *root)
{
	char folder[PATH_MAX - 16], holders[PATH_MAX];

	for (size_t i = 0; i < list->count; i++) {
		if (!iob_blockdev_folder(&list->item[i], root, folder, sizeof(folder)))
			continue;
		snprintf(holders, sizeof(holders), "%s/holders", folder);
		find_holder(&list->item[i], root, holders);
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
				iob_blockdev_set_use(part, disk->use, text);
			} else if (part->use != IOB_USE_FREE) {
				snprintf(text, sizeof(text), "%s: %s", part->name, part->use_text);
				iob_blockdev_set_use(disk, part->use, text);
			}
		}
	}
}

void iob_blockdevs_find_uses(struct iob_blockdevs *list, const char *root)
{
	struct libmnt_table *mounts = read_table(root, "/proc/self/mountinfo", false);

	/* Who is not seen is not absent. */
	for (size_t i = 0; !mounts && i < list->count; i++)
		iob_blockdev_set_use(&list->item[i], IOB_USE_HELD,
			"not known by whom: /proc/self/mountinfo cannot be read");
	find_mounts(list, root, mounts);
	find_swaps(list, root);
	find_holders(list, root);
	iob_disks_find_uses(list, root);
	iob_loops_find_uses(list, root, mounts);
	spread(list);
	mnt_unref_table(mounts);
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

static bool loop_stands_on(const char *name, const struct stat *st, struct libmnt_table *mounts)
{
	struct iob_backing b;

	return iob_backing_find(&b, "", name, mounts, st->st_dev) && b.ino == st->st_ino &&
	       b.fs == st->st_dev;
}

bool iob_file_is_held(const struct stat *st, char *text, size_t n)
{
	struct libmnt_table *mounts = read_table("", "/proc/self/mountinfo", false);
	DIR *d = opendir("/sys/block");
	const struct dirent *e = NULL;
	bool found = false;

	if (is_swap_file(st)) {
		snprintf(text, n, "swap");
		found = true;
	} else if (!d && access("/sys/devices", F_OK) < 0) {
		snprintf(text, n, "not known by whom: /sys is not mounted");
		found = true;
	}
	while (d && !found && (e = readdir(d))) {
		if (strncmp(e->d_name, "loop", 4) != 0 || !loop_stands_on(e->d_name, st, mounts))
			continue;
		snprintf(text, n, "%.64s stands on it", e->d_name);
		found = true;
	}
	if (d)
		closedir(d);
	mnt_unref_table(mounts);
	return found;
}
