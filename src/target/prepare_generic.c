/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "target/generic.h"
#include "target/guard.h"
#include "target/open.h"
#include "target/prepare.h"

static const char *const engine_of[] = {
	[IOB_GENERIC_NVME] = "io_uring_cmd",
	[IOB_GENERIC_SCSI] = "sg",
};

static int refuse(
	enum iob_generic_kind kind, const char *path, const char *disk, struct iob_error *err)
{
	if (kind == IOB_GENERIC_NONE)
		return iob_fail_usage(err,
			"%s is a character device; name a block device, a regular file or a directory",
			path);
	return iob_fail_usage(err,
		"%s is a character device that takes %s commands alone; use --ioengine=%s, or name "
		"its block device%s%s",
		path, kind == IOB_GENERIC_NVME ? "NVMe" : "SCSI", engine_of[kind],
		disk[0] ? " /dev/" : "", disk);
}

/* Consent that names the character device is consent for its block device. */
static void translate(struct iob_consent *consent, const struct stat *st, const char *block)
{
	for (unsigned i = 0; i < consent->count; i++) {
		struct stat named;

		if (stat(consent->path[i], &named) == 0 && S_ISCHR(named.st_mode) &&
			named.st_rdev == st->st_rdev)
			snprintf(consent->path[i], sizeof(consent->path[i]), "%s", block);
	}
}

/* A command asks nobody whether the medium is in use: its block device does, and is held. */
static int claim(const struct iob_prepare *p, const char *path, const struct stat *st,
	const char *disk, struct iob_error *err)
{
	struct iob_consent consent = p->plan->consent;
	struct stat block;
	char node[72];

	snprintf(node, sizeof(node), "/dev/%s", disk);
	if (disk[0] == '\0' || stat(node, &block) < 0 || !S_ISBLK(block.st_mode))
		return iob_fail_refused(err,
			"%s: its block device was not found, so nobody can tell whether it is in "
			"use; it is never written",
			path);
	translate(&consent, st, node);
	int rc = iob_guard_may_write_device(node, &block, &consent, err);
	if (rc < 0)
		return rc;
	int fd = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);
	if (fd < 0)
		return iob_fail_refused(err,
			"%s: its block device %s is not given away exclusively: %m; it is never "
			"written",
			path, node);
	return fd;
}

static int measure(const struct iob_prepare *p, enum iob_generic_kind kind, int fd,
	struct iob_geometry *g, struct iob_error *err)
{
	struct iob_target_info *info = &p->targets->info;
	int rc = iob_generic_geometry(g, kind, fd, err);

	if (rc < 0)
		return rc;
	info->kind = IOB_TARGET_BLOCKDEV;
	info->logical_block_size = info->physical_block_size = g->block;
	info->direct = true;
	info->writable = p->write;
	return 0;
}

static int add(const struct iob_prepare *p, int *fd, int *held, const char *path,
	const struct iob_geometry *g, struct iob_error *err)
{
	struct iob_target_region region;
	int rc = iob_target_region_of(&region, p->job, g->size, path, err);

	if (rc == 0)
		rc = iob_target_check_alignment(p->job, &region, g->block, path, err);
	if (rc == 0)
		rc = iob_targets_allocate(p->targets, 1, err);
	if (rc < 0)
		return rc;
	rc = iob_targets_add(p->targets, iob_steal_fd(fd), path, g->size, &region, err);
	p->targets->item[0].block_size = g->block;
	p->targets->item[0].claim = iob_steal_fd(held);
	return rc;
}

int iob_prepare_generic(
	const struct iob_prepare *p, const char *path, const struct stat *st, struct iob_error *err)
{
	enum iob_generic_kind kind = iob_generic_kind_of("", st);
	const struct iob_open_how how = {.write = p->write};
	struct iob_geometry geometry;
	char disk[64] = "";

	iob_generic_disk("", st, disk, sizeof(disk));
	if (kind == IOB_GENERIC_NONE || strcmp(p->job->ioengine, engine_of[kind]) != 0)
		return refuse(kind, path, disk, err);
	if (p->job->nrfiles > 1)
		return iob_fail_usage(
			err, "nrfiles: %s is one device; use nrfiles=1 or name a directory", path);
	IOB_FD int held = p->write ? claim(p, path, st, disk, err) : -1;
	if (p->write && held < 0)
		return held;
	IOB_FD int fd = iob_target_open(path, path, &how, st, err);
	if (fd < 0)
		return fd;
	int rc = measure(p, kind, fd, &geometry, err);
	if (rc < 0) {
		iob_error_prefix(err, "%s: ", path);
		return rc;
	}
	iob_text_clean(p->targets->info.path, sizeof(p->targets->info.path), path);
	snprintf(p->targets->info.disk, sizeof(p->targets->info.disk), "%s", disk);
	return add(p, &fd, &held, path, &geometry, err);
}
