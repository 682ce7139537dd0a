/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "job/param.h"
#include "target/kin.h"
#include "target/mark.h"
#include "target/open.h"
#include "target/prepare.h"
#include "target/scratch.h"
#include "target/space.h"
#include "target/stored.h"

#define PRE_READ ((size_t)1 << 20)

static int prepare_null(const struct iob_prepare *p, struct iob_error *err)
{
	struct iob_target_info *info = &p->targets->info;
	struct iob_target_region region;
	uint64_t each = 0;
	uint64_t size = p->job->size.bytes ? p->job->size.bytes : IOB_SCRATCH_DEFAULT_SIZE;

	int rc = iob_target_region_made(&region, p->job, size, 1, &each, err);
	if (rc == 0)
		rc = iob_targets_allocate(p->targets, 1, err);
	if (rc < 0)
		return rc;
	info->kind = IOB_TARGET_NULL;
	info->logical_block_size = info->physical_block_size = 512;
	return iob_targets_add(p->targets, -1, "", each, &region, err);
}

/* filename, in directory= if it is relative and that is given too. */
static int named_path(const struct iob_job *job, char *path, size_t n, struct iob_error *err)
{
	bool join = job->directory[0] != '\0' && job->filename[0] != '/';
	int len = snprintf(
		path, n, "%s%s%s", join ? job->directory : "", join ? "/" : "", job->filename);

	if (len < 0 || (size_t)len >= n)
		return iob_fail_usage(err, "filename=%.200s...: the path is too long", path);
	return 0;
}

static int not_a_target(const char *path, mode_t mode, struct iob_error *err)
{
	const char *what = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "no file";

	return iob_fail_usage(
		err, "%s is %s; name a block device, a regular file or a directory", path, what);
}

static int prepare_path(const struct iob_prepare *p, const char *path, struct iob_error *err)
{
	struct stat st;

	int rc = iob_target_check_name(path, err);
	if (rc < 0)
		return rc;
	if (stat(path, &st) < 0) {
		if (errno == ENOENT)
			return iob_prepare_created(p, path, err);
		return iob_target_stat_failed(-errno, path, err);
	}
	if (S_ISBLK(st.st_mode))
		return iob_prepare_device(p, path, &st, err);
	if (S_ISCHR(st.st_mode))
		return iob_prepare_generic(p, path, &st, err);
	rc = iob_target_check_stored(path, err);
	if (rc < 0)
		return rc;
	if (S_ISREG(st.st_mode))
		return iob_prepare_existing(p, path, &st, err);
	if (S_ISDIR(st.st_mode))
		return iob_prepare_scratch(p, path, false, err);
	return not_a_target(path, st.st_mode, err);
}

static int prepare_directory(const struct iob_prepare *p, struct iob_error *err)
{
	const char *path = p->job->directory;
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno == ENOENT)
			return iob_fail_usage(
				err, "directory=%s: no such directory; make it first", path);
		if (errno == ENOTDIR)
			return iob_fail_usage(err,
				"directory=%s: not a directory; leave the slash out, or name it as "
				"filename=",
				path);
		return iob_fail(err, -errno, "directory=%s: %m", path);
	}
	if (!S_ISDIR(st.st_mode))
		return iob_fail_usage(
			err, "directory=%s: not a directory; name it as filename=", path);
	int rc = iob_target_check_stored(path, err);
	return rc < 0 ? rc : iob_prepare_scratch(p, path, false, err);
}

static bool is_list(const struct iob_job *job)
{
	return job->files.fio && (job->filename[0] || job->ctl.opendir[0]);
}

static int prepare(const struct iob_prepare *p, bool needs_target, struct iob_error *err)
{
	char path[IOB_PATH_MAX];

	if (!needs_target)
		return prepare_null(p, err);
	if (is_list(p->job))
		return iob_prepare_list(p, err);
	if (p->job->filename[0] != '\0') {
		int rc = named_path(p->job, path, sizeof(path), err);
		return rc < 0 ? rc : prepare_path(p, path, err);
	}
	if (p->job->directory[0] != '\0')
		return prepare_directory(p, err);
	int rc = iob_scratch_directory(path, sizeof(path), err);
	return rc < 0 ? rc : iob_prepare_scratch(p, path, true, err);
}

/* Into the page cache, whatever the descriptor of the job bypasses. */
static int pre_read(const struct iob_target *t, struct iob_error *err)
{
	const struct iob_target_region *r = &t->region;
	IOB_FREE char *buffer = malloc(PRE_READ);
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", t->fd);
	IOB_FD int fd = open(self, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !buffer)
		return iob_fail(err, -errno, "pre_read: open %s: %m", t->path);
	for (uint64_t done = 0; done < r->size;) {
		size_t n = r->size - done < PRE_READ ? (size_t)(r->size - done) : PRE_READ;
		ssize_t got = pread(fd, buffer, n, (off_t)(r->offset + done));

		if (got < 0)
			return iob_fail(err, -errno, "pre_read: %s: %m", t->path);
		if (got == 0)
			break;
		done += (uint64_t)got;
	}
	return 0;
}

/* fio's default is a hint, ours is none: the kernel decides by what it sees, as for others. */
static int advice_of(const struct iob_job *job)
{
	uint32_t hint = job->files.fadvise;

	if (job->files.fio && !iob_param_is_given(job, IOB_PARAM_OF(files.fadvise)))
		hint = IOB_FADVISE_PATTERN;
	switch ((enum iob_fadvise)hint) {
	case IOB_FADVISE_SEQUENTIAL:
		return POSIX_FADV_SEQUENTIAL;
	case IOB_FADVISE_RANDOM:
		return POSIX_FADV_RANDOM;
	case IOB_FADVISE_NOREUSE:
		return POSIX_FADV_NOREUSE;
	case IOB_FADVISE_PATTERN:
		return iob_rw_is_random(job->rw) ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL;
	case IOB_FADVISE_NONE:
		break;
	}
	return POSIX_FADV_NORMAL;
}

/* "none" is the state of a file of which nothing was said, unless somebody asks for it. */
static int give_write_hint(
	const struct iob_target *t, const struct iob_job *job, struct iob_error *err)
{
	const struct iob_param *p = IOB_PARAM_OF(write_hint);
	uint64_t hint = job->write_hint;
	char word[16];

	if (!iob_param_is_given(job, p) || fcntl(t->fd, F_SET_RW_HINT, &hint) == 0)
		return 0;
	return iob_fail(err, -errno, "%s=%s: %s: %m; leave it out", p->name,
		iob_param_get(job, p, word, sizeof(word)), t->path);
}

/* What is done to each open file, however it came to be. */
static int make_ready(const struct iob_target *t, const struct iob_job *job, struct iob_error *err)
{
	int advice = advice_of(job);

	if (t->fd < 0)
		return 0;
	if (advice != POSIX_FADV_NORMAL)
		(void)posix_fadvise(t->fd, (off_t)t->region.offset, (off_t)t->region.size, advice);
	int rc = give_write_hint(t, job, err);
	return rc == 0 && job->files.pre_read ? pre_read(t, err) : rc;
}

/* The contract with run/: these seven are all there is to know. */
/* NOLINTNEXTLINE(readability-function-size) */
int iob_targets_prepare(struct iob_targets *targets, const struct iob_plan *plan,
	const struct iob_job *job, bool needs_target, struct iob_layout_progress *progress,
	const _Atomic unsigned *stop, struct iob_error *err)
{
	struct iob_prepare p = {.targets = targets,
		.plan = plan,
		.job = job,
		.progress = progress,
		.stop = stop,
		.write = iob_job_modifies(job)};

	memset(targets, 0, sizeof(*targets));
	/* Those of the stage before. */
	iob_kin_forget_promises();
	int rc = prepare(&p, needs_target, err);
	for (unsigned i = 0; rc == 0 && i < targets->count; i++)
		rc = make_ready(&targets->item[i], job, err);
	if (rc < 0) {
		for (unsigned i = 0; i < targets->count; i++)
			targets->item[i].remove = targets->item[i].made;
		iob_targets_close(targets, NULL);
		memset(targets, 0, sizeof(*targets));
	}
	return rc;
}

int iob_targets_survey(
	const struct iob_plan *plan, const struct iob_job *job, struct iob_error *err)
{
	struct iob_prepare p = {
		.plan = plan, .job = job, .write = iob_job_modifies(job), .ahead = true};

	iob_kin_forget_promises();
	return is_list(job) ? iob_prepare_survey(&p, err) : 0;
}

int iob_targets_sync(struct iob_targets *targets, struct iob_error *err)
{
	int first = 0;

	for (unsigned i = 0; targets->info.writable && i < targets->count; i++) {
		const struct iob_target *t = &targets->item[i];

		if (t->fd >= 0 && fsync(t->fd) < 0 && first == 0)
			first = iob_fail(err, -errno, "fsync %s: %m (data was lost)", t->path);
	}
	return first;
}

/* The name may have been given to another file meanwhile: that one is not ours. */
static void remove_made(const struct iob_target *t)
{
	struct stat st;

	if (lstat(t->path, &st) == 0 && st.st_dev == t->dev && st.st_ino == t->ino)
		unlink(t->path);
}

int iob_targets_close(struct iob_targets *targets, struct iob_error *err)
{
	int first = 0;

	for (unsigned i = 0; i < targets->count; i++) {
		struct iob_target *t = &targets->item[i];

		if (t->claim > 0)
			close(t->claim);
		t->claim = 0;
		if (t->fd < 0)
			continue;
		iob_space_settle(t->fd);
		if (t->remove)
			remove_made(t);
		else if (t->ours && targets->info.writable)
			iob_mark_set(t->fd);
		if (close(t->fd) < 0 && targets->info.writable && first == 0)
			first = iob_fail(err, -errno, "close %s: %m (data was lost)", t->path);
		t->fd = -1;
	}
	free(targets->item);
	targets->item = NULL;
	targets->count = 0;
	return first;
}
