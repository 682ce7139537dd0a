/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "target/filesystem.h"
#include "target/guard.h"
#include "target/ioscheduler.h"
#include "target/layout.h"
#include "target/new_file.h"
#include "target/open.h"
#include "target/prepare.h"
#include "target/scratch.h"
#include "target/space.h"
#include "target/stored.h"

/* What the files of one stage have in common. */
struct making {
	const struct iob_prepare *p;
	struct iob_target_region region;
	uint64_t each; /* bytes of one file */
	bool scratch;
	bool may_buffer;
};

/* Can O_DIRECT be set, and does it mean anything here? */
static bool takes_direct(int fd, uint32_t *alignment)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_DIRECT) < 0)
		return false;
	(void)fcntl(fd, F_SETFL, flags);
	return iob_filesystem_direct(fd, alignment) != IOB_DIRECT_NO;
}

/* All that can be refused is refused before a byte is written. */
static int check_first(const struct making *m, int fd, const char *path, struct iob_error *err)
{
	struct iob_target_info *info = &m->p->targets->info;

	iob_targets_describe(info, fd, false);
	info->direct = m->p->job->direct;
	if (info->direct && !takes_direct(fd, &info->logical_block_size)) {
		if (!m->may_buffer)
			return iob_target_direct_refused(fd, path, err);
		info->direct = false;
		info->direct_refused = true;
	}
	if (m->p->job->ioscheduler[0] && info->disk[0]) {
		struct iob_ioscheduler found;
		int rc = iob_ioscheduler_find(&found, "", info->disk, m->p->job->ioscheduler, err);

		if (rc < 0 && rc != -ENOENT)
			return rc;
		/* Of a disk that has none it is said later. */
		*err = (struct iob_error){0};
	}
	if (!info->direct)
		return 0;
	return iob_target_check_alignment(
		m->p->job, &m->region, info->logical_block_size, path, err);
}

static int finish(
	const struct making *m, struct iob_new_file *file, const char *path, struct iob_error *err)
{
	struct iob_targets *targets = m->p->targets;
	struct iob_open_how how = {
		.write = m->p->write, .direct = targets->info.direct, .sync = m->p->job->sync};
	struct iob_layout layout = {.size = m->each,
		.seed = m->p->plan->seed + targets->count,
		.progress = m->p->progress,
		.fallocate = m->p->job->files.fallocate,
		.no_fsync = m->p->job->files.no_create_fsync,
		.stop = m->p->stop};
	char self[64];
	struct stat st;

	int rc = iob_layout_fill(file->fd, path, &layout, err);
	if (rc < 0)
		return rc;
	if (!m->scratch) {
		rc = iob_new_file_publish(file, path, err);
		if (rc < 0)
			return rc;
	}
	if (fstat(file->fd, &st) < 0)
		return iob_fail(err, -errno, "stat %s: %m", path);
	/* A second descriptor with the job's own flags; through /proc since there may be no name.
	 */
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	int fd = iob_target_open(self, path, &how, &st, err);
	if (fd < 0)
		return fd;
	if (!m->scratch)
		iob_guard_note_created(&st);
	targets->info.layout_bytes += m->each;
	targets->info.writable = m->p->write;
	rc = iob_targets_add(targets, fd, path, m->each, &m->region, err);
	struct iob_target *t = &targets->item[targets->count - 1];
	t->made = !m->scratch;
	t->remove = t->made && m->p->job->files.unlink;
	return rc;
}

static int make_one(const struct making *m, const char *path, struct iob_error *err)
{
	struct iob_new_file file;

	int rc = iob_new_file_open(&file, path, m->scratch, err);
	if (rc < 0)
		return rc;
	if (m->p->targets->count == 0)
		rc = check_first(m, file.fd, path, err);
	if (rc == 0)
		rc = finish(m, &file, path, err);
	if (rc < 0) {
		if (iob_new_file_discard(&file, path) < 0)
			iob_error_prefix(err,
				"%s is left behind unfinished, since it could not be removed either: ",
				path);
		return rc;
	}
	close(file.fd);
	return 0;
}

static int check_room(const char *path, uint64_t bytes, struct iob_error *err)
{
	const struct iob_space_asker asker = {.cap = UINT64_MAX};
	const struct iob_space_wish wish = {.path = path, .laid = bytes};

	return iob_space_check(&wish, 1, &asker, err);
}

static void announce(const struct iob_prepare *p, uint64_t total)
{
	if (!p->progress)
		return;
	atomic_store(&p->progress->done, 0);
	atomic_store(&p->progress->total, total);
}

/* Names that could not be given to a file at the end are refused before it is laid out. */
static int check_name(const char *path, struct iob_error *err)
{
	struct stat st;
	size_t n = strlen(path);

	if (n > 0 && path[n - 1] == '/')
		return iob_fail_usage(err, "%s: no such directory; make it first", path);
	if (lstat(path, &st) == 0)
		return iob_fail_usage(err,
			"%s is a symbolic link that leads nowhere; remove it or name another file",
			path);
	int rc = iob_guard_may_create(path, err);
	if (rc < 0)
		return rc;
	IOB_FREE char *copy = strdup(path);
	return copy ? iob_target_check_stored(dirname(copy), err) : 0;
}

/* On failure the file is gone again: make_one has unlinked it. */
int iob_prepare_created(const struct iob_prepare *p, const char *path, struct iob_error *err)
{
	struct making m = {.p = p};
	struct iob_target_info *info = &p->targets->info;

	if (p->job->nrfiles > 1)
		return iob_fail_usage(err,
			"nrfiles=%" PRIu64 ": %s names one file; use nrfiles=1 or name a directory",
			p->job->nrfiles, path);
	if (p->job->files.no_file_create)
		return iob_fail_usage(err,
			"%s: no such file, and allow_file_create=0 or --readonly forbids to make it",
			path);
	int rc = check_name(path, err);
	if (rc == 0)
		rc = iob_prepare_check_reports(p->plan, path, NULL, err);
	if (rc < 0)
		return rc;
	if (p->job->size.bytes == 0 && p->job->size.percent_micro == 0)
		return iob_fail_usage(
			err, "%s: no such file; give --size=... to have it made", path);
	rc = iob_target_region_made(&m.region, p->job, p->job->size.bytes, 1, &m.each, err);
	if (rc == 0)
		rc = check_room(path, m.each, err);
	if (rc < 0)
		return rc;
	info->kind = IOB_TARGET_CREATED;
	iob_text_clean(info->path, sizeof(info->path), path);
	rc = iob_targets_allocate(p->targets, 1, err);
	if (rc < 0)
		return rc;
	announce(p, m.each);
	return make_one(&m, path, err);
}

/* How much each scratch file holds, and whether that fits. */
static int measure_scratch(struct making *m, const char *directory, struct iob_error *err)
{
	const struct iob_job *job = m->p->job;
	uint64_t total = job->size.bytes, needed = 0;

	if (total == 0 && job->size.percent_micro == 0) {
		int rc = iob_scratch_size(directory, 0, &total, err);
		if (rc < 0)
			return rc;
	}
	int rc = iob_target_region_made(&m->region, job, total, job->nrfiles, &m->each, err);
	if (rc < 0)
		return rc;
	if (__builtin_mul_overflow(m->each, job->nrfiles, &needed))
		return iob_fail_usage(err, "size: all files together exceed 64 bits");
	if (job->size.bytes == 0 && job->offset.bytes == 0)
		return 0;
	return check_room(directory, needed, err);
}

int iob_prepare_scratch(
	const struct iob_prepare *p, const char *directory, bool may_buffer, struct iob_error *err)
{
	struct making m = {.p = p, .scratch = true, .may_buffer = may_buffer};
	struct iob_target_info *info = &p->targets->info;
	char path[IOB_PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/.iotop-bench", directory);
	if (iob_guard_may_create(path, NULL) < 0)
		return iob_fail_refused(err,
			"%s: nothing is created under /dev, no scratch file either; name a "
			"directory elsewhere",
			directory);
	int rc = measure_scratch(&m, directory, err);
	if (rc == 0)
		rc = iob_targets_allocate(p->targets, (unsigned)p->job->nrfiles, err);
	if (rc < 0)
		return rc;
	info->kind = IOB_TARGET_SCRATCH;
	iob_text_clean(info->path, sizeof(info->path), directory);
	announce(p, m.each * p->job->nrfiles);
	for (unsigned i = 0; i < p->job->nrfiles; i++) {
		int n = snprintf(
			path, sizeof(path), "%s/.iotop-bench.%ld.%u", directory, (long)getpid(), i);
		if (n < 0 || n >= IOB_PATH_MAX)
			return iob_fail_usage(err, "directory %s: the path is too long", directory);
		rc = make_one(&m, path, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}
