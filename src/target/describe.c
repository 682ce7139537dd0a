/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "base/text.h"
#include "target/backing.h"
#include "target/blockdev.h"
#include "target/filesystem.h"
#include "target/prepare.h"

#define LEAST_BLOCK 512

int iob_targets_allocate(struct iob_targets *targets, unsigned count, struct iob_error *err)
{
	targets->item = calloc(count, sizeof(*targets->item));
	if (!targets->item)
		return iob_fail(err, -ENOMEM, "nrfiles=%u: %m", count);
	return 0;
}

uint64_t iob_targets_hollow(const struct iob_target_info *info, uint64_t offset, uint64_t size)
{
	if (strcmp(info->disk_kind, "loop") != 0)
		return 0;
	return iob_backing_sparse(info->disk, info->facts.start_bytes + offset, size);
}

int iob_targets_add(struct iob_targets *targets, int fd, const char *path, uint64_t size,
	const struct iob_target_region *region, struct iob_error *err)
{
	struct iob_target *item = &targets->item[targets->count++];
	struct iob_target_info *info = &targets->info;
	struct stat st;

	*item = (struct iob_target){.fd = fd, .size = size, .region = *region};
	snprintf(item->path, sizeof(item->path), "%s", path);
	if (fd >= 0) {
		if (fstat(fd, &st) < 0)
			return iob_fail(err, -errno, "stat %s: %m", path);
		item->dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
		item->ino = st.st_ino;
		if (item != targets->item && item->dev != targets->item->dev)
			info->partition[0] = '\0';
		if (item == targets->item && S_ISREG(st.st_mode)) {
			info->file_dev = st.st_dev;
			info->file_ino = st.st_ino;
		}
		if (!S_ISBLK(st.st_mode))
			info->sparse_bytes +=
				iob_filesystem_sparse(fd, region->offset, region->size);
		else
			info->sparse_bytes +=
				iob_targets_hollow(info, region->offset, region->size);
	}
	info->files = targets->count;
	info->size += size;
	info->region_offset = region->offset;
	info->region_size += region->size;
	return 0;
}

static bool is_memory(const char *path)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

/* What looks like a disk and is none. */
static void describe_stand_in(struct iob_target_info *info)
{
	struct iob_backing b;

	if (strcmp(info->disk_kind, "zram") == 0 || strcmp(info->disk_kind, "ram") == 0) {
		snprintf(info->memory_disk, sizeof(info->memory_disk), "%s", info->disk_kind);
	} else if (strcmp(info->disk_kind, "loop") == 0 &&
		   iob_backing_find(&b, "", info->disk, NULL, 0)) {
		info->cached_loop = !b.direct;
		if (b.device == 0 && is_memory(b.path))
			snprintf(info->memory_disk, sizeof(info->memory_disk), "tmpfs");
	}
}

static void describe_disk(struct iob_target_info *info, unsigned major, unsigned minor)
{
	struct iob_blockdev_id disk, partition;
	struct iob_blockdev dev;

	if (!iob_blockdev_whole("", major, minor, &disk, &partition))
		return;
	info->has_disk = true;
	info->major = disk.major;
	info->minor = disk.minor;
	snprintf(info->disk, sizeof(info->disk), "%s", disk.name);
	info->partition_major = partition.major;
	info->partition_minor = partition.minor;
	snprintf(info->partition, sizeof(info->partition), "%s", partition.name);
	iob_diskfacts_read(&info->facts, "", major, minor);
	if (iob_blockdev_get(&dev, "", disk.major, disk.minor, IOB_PROBE_NONE, NULL) < 0)
		return;
	info->rotational = dev.rotational;
	snprintf(info->disk_kind, sizeof(info->disk_kind), "%s", dev.kind);
	describe_stand_in(info);
	info->nr_requests = dev.nr_requests;
	snprintf(info->model, sizeof(info->model), "%s", dev.model);
	snprintf(info->scheduler, sizeof(info->scheduler), "%s", dev.scheduler);
	if (dev.logical_block_size >= LEAST_BLOCK)
		info->logical_block_size = dev.logical_block_size;
	if (dev.physical_block_size >= LEAST_BLOCK)
		info->physical_block_size = dev.physical_block_size;
}

void iob_targets_describe(struct iob_target_info *info, int fd, bool device)
{
	struct iob_filesystem fs;
	struct stat st;

	info->logical_block_size = info->physical_block_size = LEAST_BLOCK;
	info->facts.numa_node = info->facts.nomerges = -1;
	if (device) {
		if (fstat(fd, &st) == 0)
			describe_disk(info, major(st.st_rdev), minor(st.st_rdev));
		return;
	}
	iob_filesystem_of(fd, &fs);
	snprintf(info->filesystem, sizeof(info->filesystem), "%s", fs.type);
	snprintf(info->mount_point, sizeof(info->mount_point), "%s", fs.mount_point);
	info->in_memory = strcmp(fs.type, "tmpfs") == 0 || strcmp(fs.type, "ramfs") == 0;
	if (fs.has_device)
		describe_disk(info, fs.major, fs.minor);
}
