/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/inspect.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "target/generic.h"
#include "target/guard.h"
#include "target/open.h"
#include "target/prepare.h"
#include "target/region.h"
#include "target/scratch.h"
#include "target/stored.h"

struct inspecting {
	struct iob_inspection *out;
	const struct iob_plan *plan;
	const struct iob_job *job;
	struct stat st;
	char path[IOB_PATH_MAX];
};

static int open_for_reading(struct inspecting *x, int flags)
{
	int fd = open(x->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags);

	if (fd < 0)
		iob_target_open_failed(-errno, x->path, false, &x->out->error);
	return fd;
}

/* What a run with this job would say to sizes and alignment. */
static void check_job(struct inspecting *x, uint64_t size, uint32_t align)
{
	struct iob_target_info *info = &x->out->info;
	struct iob_target_region region;
	struct iob_error *err = &x->out->job;

	info->direct = x->job->direct;
	if (iob_target_region_of(&region, x->job, size, x->path, err) < 0)
		return;
	info->region_offset = region.offset;
	info->region_size = region.size;
	if (info->direct)
		iob_target_check_alignment(x->job, &region, align, x->path, err);
}

/* The device under the target: its users, its signature. */
static void look_at_device(struct iob_inspection *out, unsigned major, unsigned minor)
{
	out->has_dev = iob_blockdev_get(&out->dev, "", major, minor, IOB_PROBE_CONTENTS, NULL) == 0;
}

/* With consent: as a run would open it.  Nothing is read, written, made longer or shorter. */
static int open_for_writing(struct inspecting *x, bool exclusive)
{
	const struct iob_open_how how = {.write = true, .exclusive = exclusive};

	return iob_target_open(x->path, x->path, &how, &x->st, &x->out->write);
}

static void may_write_device(struct inspecting *x)
{
	struct iob_error *err = &x->out->write;
	int readonly = 0;

	if (iob_guard_may_write(x->path, &x->st, x->plan, err) < 0)
		return;
	IOB_FD int fd = open_for_writing(x, true);
	if (fd == -EBUSY)
		iob_guard_refuse_busy(x->path, &x->st, err);
	else if (fd >= 0 && iob_guard_check_claimed(x->path, &x->st, err) == 0 &&
		 ioctl(fd, BLKROGET, &readonly) == 0 && readonly)
		iob_fail(err, -EROFS, "%s is set read-only", x->path);
}

static void may_write_file(struct inspecting *x)
{
	if (iob_guard_may_write(x->path, &x->st, x->plan, &x->out->write) < 0)
		return;
	IOB_FD int fd = open_for_writing(x, false);
	(void)fd; /* what went wrong stands in write */
}

/* Without reading permission, too. */
static void describe_device(struct inspecting *x)
{
	IOB_FD int fd = open(x->path, O_PATH | O_CLOEXEC);

	if (fd >= 0)
		iob_targets_describe(&x->out->info, fd, true);
}

static void inspect_device(struct inspecting *x)
{
	struct iob_inspection *out = x->out;
	uint64_t size = 0;

	out->kind = IOB_INSPECTED_DEVICE;
	out->info.kind = IOB_TARGET_BLOCKDEV;
	look_at_device(out, major(x->st.st_rdev), minor(x->st.st_rdev));
	out->info.size = out->dev.size;
	iob_openers_find(&out->openers, &x->st, false);
	may_write_device(x);
	describe_device(x);
	IOB_FD int fd = open_for_reading(x, 0);
	if (fd < 0)
		return;
	if (ioctl(fd, BLKGETSIZE64, &size) < 0 || size == 0) {
		iob_fail(&out->error, -ENXIO,
			"%s has no size: no medium, no file attached, or not set up", x->path);
		return;
	}
	out->info.size = size;
	check_job(x, size, out->info.logical_block_size);
	if (out->info.region_size)
		out->info.sparse_bytes = iob_targets_hollow(
			&out->info, out->info.region_offset, out->info.region_size);
}

/* File system, room, what lies under it. */
static void look_at_place(struct inspecting *x, int fd)
{
	struct iob_inspection *out = x->out;
	struct iob_filesystem fs;

	iob_targets_describe(&out->info, fd, false);
	out->has_room = iob_filesystem_room(fd, x->path, &out->room, NULL) == 0;
	iob_filesystem_of(fd, &fs);
	if (fs.has_device)
		look_at_device(out, fs.major, fs.minor);
}

/* What of the region is not there, and whether there is room for it. */
static void check_filled(struct inspecting *x, int fd)
{
	struct iob_target_info *info = &x->out->info;
	struct iob_target_region region = {info->region_offset, info->region_size};
	struct iob_prepare p = {.plan = x->plan, .job = x->job, .write = iob_job_modifies(x->job)};

	info->sparse_bytes = iob_filesystem_sparse(fd, region.offset, region.size);
	if (x->out->job.code == 0)
		iob_prepare_check_holes(
			&p, x->path, &region, (uint64_t)x->st.st_size, &x->out->job);
}

static void inspect_file(struct inspecting *x)
{
	struct iob_inspection *out = x->out;
	struct iob_target_info *info = &out->info;
	uint64_t size = (uint64_t)x->st.st_size;

	out->kind = IOB_INSPECTED_FILE;
	info->kind = IOB_TARGET_FILE;
	info->size = size;
	iob_openers_find(&out->openers, &x->st, false);
	may_write_file(x);
	IOB_FD int fd = open_for_reading(x, 0);
	if (fd < 0)
		return;
	look_at_place(x, fd);
	if (out->openers.writers)
		snprintf(info->writer, sizeof(info->writer), "%.63s", out->openers.text);
	out->direct_align = info->logical_block_size;
	out->direct = iob_filesystem_direct(fd, &out->direct_align);
	out->has_extents = iob_filesystem_extents(fd, 0, size, &out->extents);
	if (size == 0) {
		iob_fail_usage(&out->error, "%s is empty, and a file that exists is never extended",
			x->path);
		return;
	}
	check_job(x, size, out->direct_align);
	if (info->region_size)
		check_filled(x, fd);
	if (info->direct && out->direct == IOB_DIRECT_NO && out->job.code == 0)
		iob_fail_usage(&out->job,
			"%s: the file system (%s) refuses direct I/O; use --direct=0", x->path,
			info->filesystem);
}

/* A file would be made here, or in here. */
static void inspect_place(struct inspecting *x, const char *wanted)
{
	struct iob_inspection *out = x->out;
	uint64_t size = x->job->size.bytes;

	if (iob_target_check_stored(x->path, &out->error) < 0)
		return;
	iob_guard_may_create(wanted, &out->write);
	IOB_FD int fd = open_for_reading(x, O_DIRECTORY);
	if (fd < 0)
		return;
	look_at_place(x, fd);
	out->direct = iob_filesystem_direct(fd, &out->direct_align);
	out->info.direct = x->job->direct;
	if (access(x->path, W_OK | X_OK) < 0 && out->write.code == 0)
		iob_fail(&out->write, -errno, "%s: no file can be made there: %m", x->path);
	if (out->kind == IOB_INSPECTED_DIRECTORY || size > 0)
		iob_scratch_size(x->path, size, &out->info.region_size, &out->job);
	if (out->write.code)
		out->error = out->write;
}

static void inspect_new(struct inspecting *x)
{
	char wanted[IOB_PATH_MAX];
	const char *directory;

	x->out->kind = IOB_INSPECTED_NEW;
	x->out->info.kind = IOB_TARGET_CREATED;
	memcpy(wanted, x->path, sizeof(wanted));
	directory = dirname(x->path);
	memmove(x->path, directory, strlen(directory) + 1);
	inspect_place(x, wanted);
}

static void inspect_directory(struct inspecting *x)
{
	char wanted[IOB_PATH_MAX + 16];

	x->out->kind = IOB_INSPECTED_DIRECTORY;
	x->out->info.kind = IOB_TARGET_SCRATCH;
	snprintf(wanted, sizeof(wanted), "%s/scratch", x->path);
	inspect_place(x, wanted);
}

static void inspect_generic(struct inspecting *x)
{
	struct iob_inspection *out = x->out;
	char disk[64] = "";

	if (iob_generic_kind_of("", &x->st) == IOB_GENERIC_NONE) {
		iob_fail_usage(&out->error,
			"%s is a character device; name a block device, a regular file or a "
			"directory",
			x->path);
		return;
	}
	out->kind = IOB_INSPECTED_GENERIC;
	iob_generic_disk("", &x->st, disk, sizeof(disk));
	snprintf(out->info.disk, sizeof(out->info.disk), "%s", disk);
	iob_openers_find(&out->openers, &x->st, false);
	iob_fail_refused(&out->write, "ask for its block device instead: %s%s",
		disk[0] ? "/dev/" : "none was found", disk);
}

static void inspect_path(struct inspecting *x)
{
	struct iob_error *err = &x->out->error;

	if (iob_target_check_name(x->path, err) < 0)
		return;
	if (stat(x->path, &x->st) < 0) {
		if (errno == ENOENT)
			inspect_new(x);
		else
			iob_target_stat_failed(-errno, x->path, err);
	} else if (S_ISBLK(x->st.st_mode)) {
		inspect_device(x);
	} else if (S_ISCHR(x->st.st_mode)) {
		inspect_generic(x);
	} else if (iob_target_check_stored(x->path, err) < 0) {
		return;
	} else if (S_ISREG(x->st.st_mode)) {
		inspect_file(x);
	} else if (S_ISDIR(x->st.st_mode)) {
		inspect_directory(x);
	} else {
		iob_fail_usage(err, "%s is no block device, regular file or directory", x->path);
	}
}

void iob_target_inspect(
	struct iob_inspection *out, const struct iob_plan *plan, const struct iob_job *job)
{
	struct inspecting x = {.out = out, .plan = plan, .job = job};
	bool named = job->filename[0] != '\0';
	bool join = job->directory[0] != '\0' && named && job->filename[0] != '/';

	memset(out, 0, sizeof(*out));
	out->info.facts.nomerges = out->info.facts.numa_node = -1;
	int n = snprintf(x.path, sizeof(x.path), "%s%s%s", join || !named ? job->directory : "",
		join ? "/" : "", job->filename);
	iob_text_clean(out->info.path, sizeof(out->info.path), x.path);
	if (n < 0 || (size_t)n >= sizeof(x.path))
		iob_fail_usage(&out->error, "%.200s...: the path is too long", x.path);
	else
		inspect_path(&x);
}
