/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/filesystem.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

#define FIEMAP_BATCH       256
/* A file in more pieces than this is not worth the time of a count that is only a hint. */
#define FIEMAP_MAX_BATCHES 4096
#define SEEK_MOST          1000000

/* The mount by its id where the kernel tells it: on btrfs st_dev is that of no mount. */
static struct libmnt_fs *find_mount(struct libmnt_table *table, int fd)
{
	struct statx sx;
	struct stat st;

#ifdef STATX_MNT_ID
	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &sx) == 0 &&
		(sx.stx_mask & STATX_MNT_ID) != 0) {
		struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
		struct libmnt_fs *fs = NULL;

		while (it && mnt_table_next_fs(table, it, &fs) == 0) {
			if (mnt_fs_get_id(fs) == (int)sx.stx_mnt_id)
				break;
			fs = NULL;
		}
		mnt_free_iter(it);
		if (fs)
			return fs;
	}
#endif
	if (fstat(fd, &st) < 0)
		return NULL;
	return mnt_table_find_devno(table, st.st_dev, MNT_ITER_BACKWARD);
}

static void find_device(int fd, struct libmnt_fs *fs, struct iob_filesystem *out)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && major(st.st_dev) != 0) {
		out->has_device = true;
	} else {
		const char *source = fs ? mnt_fs_get_srcpath(fs) : NULL;
		if (!source || stat(source, &st) < 0 || !S_ISBLK(st.st_mode))
			return;
		out->has_device = true;
		st.st_dev = st.st_rdev;
	}
	out->major = major(st.st_dev);
	out->minor = minor(st.st_dev);
}

void iob_filesystem_of(int fd, struct iob_filesystem *out)
{
	*out = (struct iob_filesystem){0};
	struct libmnt_table *table = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs = table ? find_mount(table, fd) : NULL;

	if (fs && mnt_fs_get_fstype(fs))
		iob_text_clean(out->type, sizeof(out->type), mnt_fs_get_fstype(fs));
	if (fs && mnt_fs_get_target(fs))
		iob_text_clean(out->mount_point, sizeof(out->mount_point), mnt_fs_get_target(fs));
	find_device(fd, fs, out);
	mnt_unref_table(table);
}

enum iob_direct iob_filesystem_direct(int fd, uint32_t *alignment)
{
#ifdef STATX_DIOALIGN
	struct statx sx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &sx) == 0 &&
		(sx.stx_mask & STATX_DIOALIGN) != 0) {
		if (sx.stx_dio_offset_align == 0)
			return IOB_DIRECT_NO;
		*alignment = sx.stx_dio_offset_align;
		return IOB_DIRECT_YES;
	}
#else
	(void)fd;
	(void)alignment;
#endif
	return IOB_DIRECT_UNKNOWN;
}

int iob_filesystem_room(int fd, const char *path, struct iob_room *room, struct iob_error *err)
{
	struct statvfs vfs;

	*room = (struct iob_room){UINT64_MAX, UINT64_MAX, UINT64_MAX};
	if (fstatvfs(fd, &vfs) < 0)
		return iob_fail(err, -errno, "%s: how much space is free: %m", path);
	/* Those that do not count their blocks (some FUSE ones) say that there are none at all. */
	if (vfs.f_blocks == 0)
		return 0;
	room->total = (uint64_t)vfs.f_blocks * (uint64_t)vfs.f_frsize;
	room->available = (uint64_t)vfs.f_bavail * (uint64_t)vfs.f_frsize;
	uint64_t kept = room->total / (100 / IOB_KEEP_FREE_PERCENT);
	room->usable = room->available > kept ? room->available - kept : 0;
	return 0;
}

uint64_t iob_filesystem_id(int fd, const struct stat *st)
{
	struct iob_filesystem of;
	struct statfs fs;

	if (major(st->st_dev) != 0 || fstatfs(fd, &fs) < 0 || fs.f_type != BTRFS_SUPER_MAGIC)
		return st->st_dev;
	iob_filesystem_of(fd, &of);
	return of.has_device ? makedev(of.major, of.minor) : st->st_dev;
}

/* Bytes of [from, to) that one extent covers. */
static uint64_t within(const struct fiemap_extent *e, uint64_t from, uint64_t to)
{
	uint64_t start = e->fe_logical > from ? e->fe_logical : from;
	uint64_t end = e->fe_logical + e->fe_length;

	if (end > to)
		end = to;
	return end > start ? end - start : 0;
}

/* Adds a batch up; true if it was the last.  *from: where the next begins. */
static bool add_extents(
	struct iob_extents *out, const struct fiemap *map, uint64_t *from, uint64_t to)
{
	bool last = map->fm_mapped_extents == 0;
	uint64_t start = *from;

	for (unsigned i = 0; i < map->fm_mapped_extents; i++) {
		const struct fiemap_extent *e = &map->fm_extents[i];

		uint64_t bytes = within(e, start, to);

		if (e->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
			out->unwritten += bytes;
		else
			out->written += bytes;
		if (e->fe_flags & FIEMAP_EXTENT_SHARED)
			out->shared += bytes;
		out->count++;
		last = (e->fe_flags & FIEMAP_EXTENT_LAST) != 0;
		*from = e->fe_logical + e->fe_length;
	}
	return last;
}

static bool ask_extents(int fd, uint64_t offset, uint64_t size, struct iob_extents *out)
{
	size_t bytes = sizeof(struct fiemap) + FIEMAP_BATCH * sizeof(struct fiemap_extent);
	IOB_FREE struct fiemap *map = malloc(bytes);
	uint64_t from = offset, to = offset + size;
	bool last = false;

	*out = (struct iob_extents){0};
	for (unsigned batch = 0; map && !last && from < to; batch++) {
		if (batch == FIEMAP_MAX_BATCHES)
			return false;
		memset(map, 0, bytes);
		map->fm_start = from;
		map->fm_length = to - from;
		map->fm_extent_count = FIEMAP_BATCH;
		if (ioctl(fd, FS_IOC_FIEMAP, map) < 0)
			return false;
		last = add_extents(out, map, &from, to);
	}
	uint64_t known = out->written + out->unwritten;
	out->holes = known < size ? size - known : 0;
	return map != NULL;
}

bool iob_filesystem_extents(int fd, uint64_t offset, uint64_t size, struct iob_extents *out)
{
	bool known = ask_extents(fd, offset, size, out);

	/* What is on its way to the disk counts as never written until it has arrived. */
	if (known && out->unwritten &&
		sync_file_range(fd, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WAIT_BEFORE) == 0)
		known = ask_extents(fd, offset, size, out);
	return known;
}

uint64_t iob_filesystem_sparse(int fd, uint64_t offset, uint64_t size)
{
	struct iob_extents extents;

	return iob_filesystem_extents(fd, offset, size, &extents)
		       ? extents.unwritten + extents.holes
		       : 0;
}

/* For file systems without FIEMAP (tmpfs).  What is set aside counts as a hole there. */
static uint64_t seek_holes(int fd, uint64_t offset, uint64_t size)
{
	off_t at = (off_t)offset, end = (off_t)(offset + size);
	uint64_t holes = 0;

	for (unsigned n = 0; at < end; n++) {
		off_t data = n < SEEK_MOST ? lseek(fd, at, SEEK_DATA) : -1;

		/* ENXIO: nothing but a hole follows.  Else it cannot be told, and all might be. */
		if (data < 0 || data > end)
			data = end;
		holes += (uint64_t)(data - at);
		at = data < end ? lseek(fd, data, SEEK_HOLE) : end;
		if (at < 0)
			break;
	}
	return holes;
}

uint64_t iob_filesystem_untaken(int fd, uint64_t offset, uint64_t size)
{
	struct iob_extents extents;
	struct stat st;

	if (ask_extents(fd, offset, size, &extents))
		return extents.holes + extents.shared;
	if (fstat(fd, &st) < 0)
		return 0;
	uint64_t holes = seek_holes(fd, offset, size);
	uint64_t has = (uint64_t)st.st_blocks * 512, length = (uint64_t)st.st_size;
	/* No more than the file as a whole lacks. */
	uint64_t lacks = length > has ? length - has : 0;

	(void)lseek(fd, 0, SEEK_SET);
	return holes < lacks ? holes : lacks;
}
