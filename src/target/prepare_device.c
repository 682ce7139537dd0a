/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "target/guard.h"
#include "target/kin.h"
#include "target/open.h"
#include "target/prepare.h"

/* Size and block sizes as the kernel says through the descriptor. */
static int ask_geometry(int fd, const char *path, bool write, uint64_t *size,
	struct iob_target_info *info, struct iob_error *err)
{
	int logical = 0, readonly = 0;
	unsigned physical = 0;

	if (ioctl(fd, BLKGETSIZE64, size) < 0)
		return iob_fail(err, -errno, "size of %s: %m", path);
	if (*size == 0)
		return iob_fail(err, -ENXIO,
			"%s has no size: no medium, no file attached, or not set up", path);
	if (write && ioctl(fd, BLKROGET, &readonly) == 0 && readonly)
		return iob_fail(err, -EROFS,
			"%s is set read-only; name a device that can be written", path);
	if (ioctl(fd, BLKSSZGET, &logical) == 0 && logical >= 512)
		info->logical_block_size = (uint32_t)logical;
	if (ioctl(fd, BLKPBSZGET, &physical) == 0 && physical >= 512)
		info->physical_block_size = physical;
	return 0;
}

int iob_prepare_device(
	const struct iob_prepare *p, const char *path, const struct stat *st, struct iob_error *err)
{
	struct iob_target_info *info = &p->targets->info;
	struct iob_open_how how = {.write = p->write,
		.direct = p->job->direct,
		.exclusive = p->write && !iob_kin_has_device(&iob_kin_own, st->st_rdev),
		.sync = p->job->sync};
	struct iob_target_region region;
	uint64_t size = 0;

	if (p->job->nrfiles > 1)
		return iob_fail_usage(err,
			"nrfiles=%" PRIu64 ": %s is one device; use nrfiles=1 or name a directory",
			p->job->nrfiles, path);
	int rc = p->write ? iob_guard_may_write(path, st, p->plan, err) : 0;
	if (rc < 0)
		return rc;
	IOB_FD int fd = iob_target_open(path, path, &how, st, err);
	if (fd == -EBUSY && p->write)
		return iob_guard_refuse_busy(path, st, err);
	if (fd < 0)
		return fd;
	rc = how.exclusive ? iob_guard_check_claimed(path, st, err) : 0;
	if (rc < 0)
		return rc;
	if (how.exclusive)
		iob_kin_hold_device(st->st_rdev, fd);
	iob_targets_describe(info, fd, true);
	rc = ask_geometry(fd, path, p->write, &size, info, err);
	if (rc < 0)
		return rc;
	rc = iob_target_region_of(&region, p->job, size, path, err);
	if (rc == 0 && how.direct)
		rc = iob_target_check_alignment(
			p->job, &region, info->logical_block_size, path, err);
	if (rc < 0)
		return rc;
	if (p->job->invalidate)
		p->targets->info.cache_kept = !iob_target_invalidate(fd, &region, p->write, true);
	info->kind = IOB_TARGET_BLOCKDEV;
	info->direct = how.direct;
	info->writable = p->write;
	iob_text_clean(info->path, sizeof(info->path), path);
	rc = iob_targets_allocate(p->targets, 1, err);
	if (rc < 0)
		return rc;
	rc = iob_targets_add(p->targets, iob_steal_fd(&fd), path, size, &region, err);
	p->targets->item[0].block_size = info->logical_block_size;
	return rc;
}
