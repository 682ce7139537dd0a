/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "job/report_file.h"
#include "target/filesystem.h"
#include "target/guard.h"
#include "target/open.h"
#include "target/openers.h"
#include "target/prepare.h"

/* Reports replace what they are written to. */
int iob_prepare_check_reports(
	const struct iob_plan *plan, const char *path, const struct stat *st, struct iob_error *err)
{
	struct iob_plan_report target = {0};

	if (st)
		target = (struct iob_plan_report){.dev = st->st_dev, .ino = st->st_ino};
	else if (plan->nreports == 0 || !iob_report_file(&target, path))
		return 0;
	for (unsigned i = 0; i < plan->nreports; i++) {
		if (!iob_report_file_is(&plan->report[i], &target))
			continue;
		iob_fail_usage(err,
			"%s is the target, and the report would replace it; name another file for "
			"--output or --save",
			path);
		err->code = IOB_TARGET_IS_REPORT;
		return err->code;
	}
	return 0;
}

/* No refusal: a database or a log may be what is to be measured. */
void iob_prepare_note_writer(
	struct iob_target_info *info, int fd, const struct stat *st, bool ours_writes)
{
	struct iob_openers others;

	if (!iob_openers_may_exist(fd, ours_writes))
		return;
	iob_openers_find(&others, st, true);
	if (others.count || !ours_writes)
		snprintf(info->writer, sizeof(info->writer), "%.63s",
			others.count ? others.text : "a process of another user");
}

int iob_prepare_existing(
	const struct iob_prepare *p, const char *path, const struct stat *st, struct iob_error *err)
{
	struct iob_target_info *info = &p->targets->info;
	struct iob_open_how how = {
		.write = p->write, .direct = p->job->direct, .sync = p->job->sync};
	struct iob_target_region region;
	uint64_t size = (uint64_t)st->st_size;

	if (p->job->nrfiles > 1)
		return iob_fail_usage(err,
			"nrfiles=%" PRIu64 ": %s is one file; use nrfiles=1 or name a directory",
			p->job->nrfiles, path);
	int rc = iob_prepare_check_reports(p->plan, path, st, err);
	if (rc == 0 && p->write)
		rc = iob_guard_may_write(path, st, p->plan, err);
	if (rc < 0)
		return rc;
	if (size == 0)
		return iob_fail_usage(err,
			"%s is empty, and a file that exists is never extended; name another file, "
			"or a new one with --size=...",
			path);
	rc = iob_target_region_of(&region, p->job, size, path, err);
	if (rc == 0)
		rc = iob_prepare_check_holes(p, path, &region, size, err);
	if (rc < 0)
		return rc;
	IOB_FD int fd = iob_target_open(path, path, &how, st, err);
	if (fd < 0)
		return fd;
	iob_targets_describe(info, fd, false);
	iob_prepare_note_writer(info, fd, st, p->write);
	if (how.direct) {
		if (iob_filesystem_direct(fd, &info->logical_block_size) == IOB_DIRECT_NO)
			return iob_target_direct_refused(fd, path, err);
		rc = iob_target_check_alignment(
			p->job, &region, info->logical_block_size, path, err);
		if (rc < 0)
			return rc;
	}
	if (p->job->invalidate)
		p->targets->info.cache_kept = !iob_target_invalidate(fd, &region, p->write, false);
	info->kind = iob_guard_is_created(st, p->plan) ? IOB_TARGET_CREATED : IOB_TARGET_FILE;
	info->direct = how.direct;
	info->writable = p->write;
	iob_text_clean(info->path, sizeof(info->path), path);
	rc = iob_targets_allocate(p->targets, 1, err);
	if (rc < 0)
		return rc;
	return iob_targets_add(p->targets, iob_steal_fd(&fd), path, size, &region, err);
}
