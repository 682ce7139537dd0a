/* SPDX-License-Identifier: MIT */
/* What the I/O of a job can come to take of its file systems. */
#include <config.h>

#include <fcntl.h>
#include <libmount.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "job/most_written.h"
#include "target/filesystem.h"
#include "target/prepare.h"
#include "target/space.h"

/* Where parameters can be turned, trims can become writes. */
static bool fills(const struct iob_prepare *p)
{
	return iob_job_does(p->job, IOB_WRITE) || (p->write && p->plan->tunable);
}

/* A server or a FUSE process keeps its files as it likes, and may hang where one is only closed. */
static bool is_kept_by_others(const char *path)
{
	struct iob_filesystem fs = {.has_device = false};
	IOB_FD int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd >= 0)
		iob_filesystem_of(fd, &fs);
	return mnt_fstype_is_netfs(fs.type) || strncmp(fs.type, "fuse", 4) == 0;
}

uint64_t iob_prepare_holes(const struct iob_prepare *p, const char *path,
	const struct iob_target_region *region, uint64_t length)
{
	uint64_t end = region->offset + region->size;

	if (!fills(p) || region->offset >= length || is_kept_by_others(path))
		return 0;
	IOB_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	/* Who may write and not read: it is not known how the file is filled. */
	if (fd < 0)
		return 0;
	return iob_filesystem_untaken(
		fd, region->offset, (end < length ? end : length) - region->offset);
}

uint64_t iob_prepare_most(const struct iob_prepare *p, uint64_t covered, uint64_t unit)
{
	return p->plan->tunable ? UINT64_MAX : iob_job_most_written(p->job, covered, unit);
}

int iob_prepare_check_holes(const struct iob_prepare *p, const char *path,
	const struct iob_target_region *region, uint64_t length, struct iob_error *err)
{
	struct iob_space_asker asker = {
		.cap = iob_prepare_most(p, region->size, iob_space_unit(path))};
	struct iob_space_wish wish = {
		.path = path, .may = iob_prepare_holes(p, path, region, length), .holes = true};

	return iob_space_check(&wish, 1, &asker, err);
}
