/* SPDX-License-Identifier: MIT */
/*
 * The files of fio's jobs: any number of them, devices among them, existing or not.  What does not
 * exist is made, with its directories, and stays; a job that only writes gets a file without
 * content.  What exists keeps its content and its length unless somebody agreed to more.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "target/filesystem.h"
#include "target/guard.h"
#include "target/kin.h"
#include "target/layout.h"
#include "target/mark.h"
#include "target/names.h"
#include "target/new_file.h"
#include "target/open.h"
#include "target/prepare_list.h"
#include "target/stored.h"

bool iob_list_wants_content(const struct iob_job *job)
{
	/* A mapping cannot make a file longer. */
	return iob_job_does(job, IOB_READ) || job->files.overwrite ||
	       strcmp(job->ioengine, "mmap") == 0;
}

static int device_size(const char *path, uint64_t *size, struct iob_error *err)
{
	IOB_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return iob_target_open_failed(-errno, path, false, err);
	if (ioctl(fd, BLKGETSIZE64, size) < 0)
		return iob_fail(err, -errno, "size of %s: %m", path);
	return 0;
}

static int look(struct iob_list_item *item, const char *path, struct iob_error *err)
{
	struct iob_list_file *f = &item->file;

	f->path = path;
	int rc = iob_target_check_name(path, err);
	if (rc < 0)
		return rc;
	if (stat(path, &item->st) < 0) {
		if (errno == ENOENT && lstat(path, &item->st) == 0)
			return iob_fail_usage(err,
				"%s is a symbolic link that leads nowhere; remove it or name "
				"another file",
				path);
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		return iob_target_stat_failed(-errno, path, err);
	}
	f->exists = true;
	f->real = (uint64_t)item->st.st_size;
	if (S_ISREG(item->st.st_mode))
		return iob_target_check_stored(path, err);
	if (!S_ISBLK(item->st.st_mode))
		return iob_fail_usage(err,
			"%s is neither a regular file nor a block device; name one of these", path);
	f->fixed = true;
	return device_size(path, &f->real, err);
}

static int describe(const struct iob_prepare *p, int fd, const struct iob_list_item *item,
	struct iob_error *err)
{
	struct iob_target_info *info = &p->targets->info;
	uint32_t block = info->logical_block_size;
	bool device = item->file.fixed;
	int logical = 0;

	if (p->targets->count == 0) {
		iob_targets_describe(info, fd, device);
		info->direct = p->job->direct;
		info->writable = p->write;
		iob_text_clean(info->path, sizeof(info->path), item->file.path);
		block = info->logical_block_size;
	}
	if (device && ioctl(fd, BLKSSZGET, &logical) == 0 && logical >= 512)
		block = (uint32_t)logical;
	else if (p->job->direct && iob_filesystem_direct(fd, &block) == IOB_DIRECT_NO)
		return iob_target_direct_refused(fd, item->file.path, err);
	if (block > info->logical_block_size)
		info->logical_block_size = block;
	if (!p->job->direct)
		return 0;
	return iob_target_check_alignment(p->job, &item->file.region, block, item->file.path, err);
}

/* made: just now; ours: that, or by an earlier job or command, and nobody else has changed it. */
static int add(const struct iob_prepare *p, int fd, const struct iob_list_item *item, bool made,
	bool ours, struct iob_error *err)
{
	struct iob_targets *targets = p->targets;
	int rc = iob_targets_add(
		targets, fd, item->file.path, item->file.end, &item->file.region, err);
	struct iob_target *t = &targets->item[targets->count - 1];

	t->made = made;
	t->ours = ours;
	t->remove = ours && (p->job->files.unlink || p->job->files.unlink_each_loop);
	iob_list_promise_space(p, item, fd);
	if (item->file.fixed) {
		t->size = item->file.real;
		t->block_size = targets->info.logical_block_size;
	}
	return rc;
}

/* Clones of one command hold a device together: the kernel's claim is with the first of them. */
static int open_existing(const struct iob_prepare *p, const struct iob_list_item *item,
	const struct stat *st, struct iob_error *err)
{
	const char *path = item->file.path;
	struct iob_open_how how = {.write = p->write,
		.direct = p->job->direct,
		.exclusive = p->write && item->file.fixed &&
			     !iob_kin_has_device(&iob_kin_own, st->st_rdev),
		.sync = p->job->sync};
	IOB_FD int fd = iob_target_open(path, path, &how, st, err);

	if (fd == -EBUSY && how.exclusive)
		return iob_guard_refuse_busy(path, st, err);
	if (fd >= 0 && how.exclusive) {
		int rc = iob_guard_check_claimed(path, st, err);

		if (rc < 0)
			return rc;
		iob_kin_hold_device(st->st_rdev, fd);
	}
	return iob_steal_fd(&fd);
}

static int write_tail(const struct iob_prepare *p, const struct iob_list_item *item, int fd,
	struct iob_error *err)
{
	struct iob_layout layout = {.from = item->file.exists ? item->file.real : 0,
		.size = item->file.end,
		.seed = p->plan->seed + p->targets->count,
		.fallocate = item->fallocate,
		.empty = !iob_list_wants_content(p->job),
		.no_fsync = p->job->files.no_create_fsync,
		.progress = p->progress,
		.stop = p->stop};
	int rc = iob_layout_fill(fd, item->file.path, &layout, err);

	if (rc == 0 && !layout.empty)
		p->targets->info.layout_bytes += layout.size - layout.from;
	return rc;
}

/* Too short for the job: fio makes such a file anew; here its content stays. */
static int may_grow(
	const struct iob_prepare *p, const struct iob_list_item *item, struct iob_error *err)
{
	const struct iob_list_file *f = &item->file;
	char have[32], need[32];
	struct iob_error why = {0};

	if (p->job->files.no_file_create)
		return iob_fail_usage(err,
			"%s has %s and the job needs %s, and allow_file_create=0 or --readonly "
			"forbids to make it longer; give a smaller size",
			f->path, iob_format_bytes(have, sizeof(have), f->real),
			iob_format_bytes(need, sizeof(need), f->end));
	if (iob_guard_may_write(f->path, &item->st, p->plan, &why) < 0) {
		iob_fail_refused(err,
			"%s has %s and the job needs %s; fio would make it anew, a file that was "
			"not made by this run is kept here: remove it, give a smaller size, or say "
			"--allow-write=%s to have it made longer",
			f->path, iob_format_bytes(have, sizeof(have), f->real),
			iob_format_bytes(need, sizeof(need), f->end), f->path);
		if (why.code != IOB_GUARD_ASKS)
			*err = why;
		err->code = why.code;
		return err->code;
	}
	return 0;
}

static bool must_grow(const struct iob_list_item *item)
{
	return !item->file.fixed && item->file.end > item->file.real;
}

/* May it be used as the job wants to? */
static int may_take(
	const struct iob_prepare *p, const struct iob_list_item *item, struct iob_error *err)
{
	const char *path = item->file.path;

	if (!item->file.exists && p->job->files.no_file_create)
		return iob_fail_usage(err,
			"%s: no such file, and allow_file_create=0 or --readonly forbids to make it",
			path);
	if (!item->file.exists) {
		int rc = iob_guard_may_create(path, err);

		return rc < 0 ? rc : iob_prepare_check_reports(p->plan, path, NULL, err);
	}
	if (!item->file.fixed && !iob_guard_is_created(&item->st, p->plan) &&
		iob_mark_holds(path, &item->st))
		iob_guard_note_ours(&item->st);
	int rc = iob_prepare_check_reports(p->plan, path, &item->st, err);
	if (rc == 0 && must_grow(item))
		return may_grow(p, item, err);
	if (rc == 0 && p->write)
		return iob_guard_may_write(path, &item->st, p->plan, err);
	return rc;
}

static int grow(const struct iob_prepare *p, struct iob_list_item *item, struct iob_error *err)
{
	const char *path = item->file.path;
	struct iob_open_how how = {.write = true};
	IOB_FD int fd = iob_target_open(path, path, &how, &item->st, err);

	if (fd < 0)
		return fd;
	int rc = write_tail(p, item, fd, err);
	if (rc == 0 && iob_guard_is_created(&item->st, p->plan))
		iob_mark_set(fd);
	if (rc == 0 && fstat(fd, &item->st) < 0)
		rc = iob_fail(err, -errno, "stat %s: %m", path);
	return rc;
}

static int take_existing(
	const struct iob_prepare *p, struct iob_list_item *item, struct iob_error *err)
{
	int rc = may_take(p, item, err);
	bool ours = !item->file.fixed && iob_guard_is_created(&item->st, p->plan);

	if (rc == 0 && must_grow(item))
		rc = grow(p, item, err);
	if (rc < 0)
		return rc;
	IOB_FD int fd = open_existing(p, item, &item->st, err);
	if (fd < 0)
		return fd;
	rc = describe(p, fd, item, err);
	if (rc < 0)
		return rc;
	/* Later clones of one command meet the earlier ones there. */
	if (!item->file.fixed && p->plan->first_worker == 0 && !p->targets->info.writer[0])
		iob_prepare_note_writer(&p->targets->info, fd, &item->st, p->write);
	if (p->targets->count == 0)
		p->targets->info.kind = item->file.fixed ? IOB_TARGET_BLOCKDEV
					: ours           ? IOB_TARGET_CREATED
							 : IOB_TARGET_FILE;
	if (p->job->invalidate && !p->job->files.pre_read &&
		!iob_target_invalidate(fd, &item->file.region, p->write, item->file.fixed))
		p->targets->info.cache_kept = true;
	return add(p, iob_steal_fd(&fd), item, false, ours, err);
}

static int fill_new(const struct iob_prepare *p, struct iob_list_item *item,
	struct iob_new_file *file, struct iob_error *err)
{
	int rc = describe(p, file->fd, item, err);

	if (rc == 0)
		rc = write_tail(p, item, file->fd, err);
	if (rc == 0)
		rc = iob_new_file_publish(file, item->file.path, err);
	if (rc == 0 && fstat(file->fd, &item->st) < 0)
		rc = iob_fail(err, -errno, "stat %s: %m", item->file.path);
	if (rc < 0)
		return rc;
	IOB_FD int fd = open_existing(p, item, &item->st, err);
	if (fd < 0)
		return fd;
	iob_guard_note_created(&item->st);
	iob_mark_set(fd);
	if (p->targets->count == 0)
		p->targets->info.kind = IOB_TARGET_CREATED;
	return add(p, iob_steal_fd(&fd), item, true, true, err);
}

static int make(const struct iob_prepare *p, struct iob_list_item *item, struct iob_error *err)
{
	const char *path = item->file.path;
	struct iob_new_file file = {.fd = -1};

	int rc = may_take(p, item, err);
	if (rc == 0)
		rc = iob_names_make_directories(path, err);
	if (rc == 0)
		rc = iob_new_file_open(&file, path, false, err);
	if (rc < 0)
		return rc;
	rc = fill_new(p, item, &file, err);
	if (rc < 0)
		iob_new_file_discard(&file, path);
	else
		close(file.fd);
	return rc;
}

static int take(const struct iob_prepare *p, struct iob_list_item *item, struct iob_error *err)
{
	int rc = 0;

	/* The list may name a file twice: then it is there by now. */
	if (!item->file.exists)
		rc = look(item, item->file.path, err);
	if (rc < 0)
		return rc;
	return item->file.exists ? take_existing(p, item, err) : make(p, item, err);
}

/* *layout: bytes that are to be written before the run. */
static int measure_all(const struct iob_prepare *p, struct iob_list_item *items, unsigned n,
	uint64_t *layout, struct iob_error *err)
{
	struct iob_rng rng;

	*layout = 0;
	iob_rng_seed(&rng, p->plan->seed, n);
	for (unsigned i = 0; i < n; i++) {
		struct iob_list_place at = {i, n, p->job->pattern.clone};
		int rc = iob_list_measure(&items[i].file, p->job, at, &rng, err);

		if (rc == 0)
			rc = may_take(p, &items[i], err);
		if (rc < 0)
			return rc;
		if (iob_list_wants_content(p->job) && must_grow(&items[i]))
			*layout += items[i].file.end - items[i].file.real;
	}
	return 0;
}

/* All that can be refused is refused before anything is made. */
static int prepare_items(
	const struct iob_prepare *p, struct iob_list_item *items, unsigned n, struct iob_error *err)
{
	uint64_t layout = 0;
	int rc = measure_all(p, items, n, &layout, err);

	if (rc == 0)
		rc = iob_list_check_space(p, items, n, err);
	if (rc == 0)
		rc = iob_targets_allocate(p->targets, n, err);
	if (rc == 0 && p->progress) {
		atomic_store(&p->progress->done, 0);
		atomic_store(&p->progress->total, layout);
	}
	for (unsigned i = 0; rc == 0 && i < n; i++)
		rc = take(p, &items[i], err);
	return rc;
}

/* Who comes before may make what is missing now, or make it longer: only what no turn of others can
 * change is said. */
static int survey_items(
	const struct iob_prepare *p, struct iob_list_item *items, unsigned n, struct iob_error *err)
{
	uint64_t layout = 0;
	int rc = measure_all(p, items, n, &layout, err);

	if (rc == 0)
		rc = iob_list_check_space(p, items, n, err);
	return rc == -ENOSPC || err->kind == IOB_ERR_REFUSED ? rc : 0;
}

typedef int with_items(
	const struct iob_prepare *, struct iob_list_item *, unsigned n, struct iob_error *);

static int with_list(const struct iob_prepare *p, with_items *act, struct iob_error *err)
{
	const struct iob_job *job = p->job;
	struct iob_names names;

	int rc = job->ctl.opendir[0] ? iob_names_below(&names, job->ctl.opendir, err)
				     : iob_names_split(&names, job->filename, job->directory, err);
	if (rc < 0)
		return rc;
	IOB_FREE struct iob_list_item *items = calloc(names.count, sizeof(*items));
	if (!items) {
		iob_names_free(&names);
		return iob_fail(err, -ENOMEM, "files: %m");
	}
	for (unsigned i = 0; rc == 0 && i < names.count; i++)
		rc = look(&items[i], names.name[i], err);
	if (rc == 0)
		rc = act(p, items, names.count, err);
	iob_names_free(&names);
	return rc;
}

int iob_prepare_list(const struct iob_prepare *p, struct iob_error *err)
{
	return with_list(p, prepare_items, err);
}

int iob_prepare_survey(const struct iob_prepare *p, struct iob_error *err)
{
	return with_list(p, survey_items, err);
}
