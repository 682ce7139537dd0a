/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/units.h"
#include "target/filesystem.h"
#include "target/kin.h"

#define BLOCK     ((size_t)1 << 20)
/* Covers every logical block size and DMA alignment that O_DIRECT asks for. */
#define ALIGNMENT 4096

/* Four independent sequences, so that the processor has more than one multiplication in flight. */
static void fill_block(uint64_t *words, size_t bytes, uint64_t seed, uint64_t number)
{
	struct iob_rng rng[4];

	for (unsigned i = 0; i < 4; i++)
		iob_rng_seed(&rng[i], seed, number * 4 + i);
	for (size_t w = 0; w < bytes / sizeof(*words); w += 4) {
		words[w] = iob_rng_next(&rng[0]);
		words[w + 1] = iob_rng_next(&rng[1]);
		words[w + 2] = iob_rng_next(&rng[2]);
		words[w + 3] = iob_rng_next(&rng[3]);
	}
}

/* What was free before the first byte, and what of it is for other files of ours. */
struct space {
	struct iob_room room;
	uint64_t others;
};

static int write_failed(int code, const char *path, const struct iob_layout *layout,
	const struct space *space, struct iob_error *err)
{
	const struct iob_room *room = &space->room;
	char needed[32], there[32], others[64] = "", bytes[32];

	if (code != -ENOSPC && code != -EDQUOT)
		return iob_fail(err, code, "write %s: %m", path);
	if (room->available == UINT64_MAX)
		snprintf(there, sizeof(there), "an unknown amount");
	else
		iob_format_bytes(there, sizeof(there), room->available);
	if (space->others)
		snprintf(others, sizeof(others), "%s are for other files of this command and ",
			iob_format_bytes(bytes, sizeof(bytes), space->others));
	return iob_fail(err, code,
		"laying out %s: %m (%s wanted, %s free, of which %s%d %% of the file system are left "
		"alone); give a smaller size or another place",
		path, iob_format_bytes(needed, sizeof(needed), layout->size), there, others,
		IOB_KEEP_FREE_PERCENT);
}

/* One whole block; falls back to buffered writes where direct ones turn out not to work. */
static int write_block(int fd, const char *data, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t rc = pwrite(fd, data + done, n - done, (off_t)(offset + done));

		if (rc > 0) {
			done += (size_t)rc;
			continue;
		}
		if (rc == 0)
			return -EIO;
		if (errno == EINTR)
			continue;
		int flags = fcntl(fd, F_GETFL);
		if (errno != EINVAL || flags < 0 || (flags & O_DIRECT) == 0)
			return -errno;
		if (fcntl(fd, F_SETFL, flags & ~O_DIRECT) < 0)
			return -errno;
	}
	return 0;
}

/* A negative errno without words. */
static int write_all(int fd, const struct iob_layout *layout, uint64_t *buffer)
{
	int flags = fcntl(fd, F_GETFL);

	/* Refused is fine: then the page cache takes it. */
	if (flags >= 0 && layout->from % BLOCK == 0)
		(void)fcntl(fd, F_SETFL, flags | O_DIRECT);
	for (uint64_t at = layout->from, number = 0; at < layout->size; number++) {
		size_t n = layout->size - at < BLOCK ? (size_t)(layout->size - at) : BLOCK;

		if (layout->stop && atomic_load(layout->stop))
			return -ECANCELED;
		if (n % ALIGNMENT != 0)
			(void)fcntl(fd, F_SETFL, flags & ~O_DIRECT);
		fill_block(buffer, BLOCK, layout->seed, number);
		int rc = write_block(fd, (const char *)buffer, n, at);
		if (rc < 0)
			return rc;
		at += n;
		if (layout->progress)
			atomic_fetch_add(&layout->progress->done, n);
	}
	return 0;
}

/* Returns 0 or a negative errno; what the file system cannot do is no failure. */
static int set_aside(int fd, const struct iob_layout *layout)
{
	off_t from = (off_t)layout->from, length = (off_t)(layout->size - layout->from);
	int rc = 0;

	switch ((enum iob_fallocate)layout->fallocate) {
	case IOB_FALLOCATE_NONE:
		return 0;
	case IOB_FALLOCATE_POSIX:
		return -posix_fallocate(fd, from, length);
	case IOB_FALLOCATE_TRUNCATE:
		rc = ftruncate(fd, from + length);
		return rc < 0 ? -errno : 0;
	case IOB_FALLOCATE_KEEP:
		rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, from, length);
		break;
	case IOB_FALLOCATE_NATIVE:
		rc = fallocate(fd, 0, from, length);
		break;
	}
	return rc < 0 && (errno == ENOSPC || errno == EDQUOT) ? -errno : 0;
}

/* Holes count: they are filled in the end. */
static bool has_room(struct space *space, const struct stat *file, const struct iob_layout *layout)
{
	uint64_t wanted = layout->size - layout->from, usable = space->room.usable;

	if (wanted <= iob_kin_promised(file->st_dev, file->st_ino, &space->others) ||
		usable == UINT64_MAX)
		return true;
	return space->others <= usable && wanted <= usable - space->others;
}

/* What the file will take beyond what it has: others must leave it that. */
static void promise_rest(const struct stat *before, int fd, const struct iob_layout *layout)
{
	uint64_t wanted = layout->size - layout->from, taken = 0;
	struct stat now;

	if (fstat(fd, &now) == 0 && now.st_blocks > before->st_blocks)
		taken = (uint64_t)(now.st_blocks - before->st_blocks) * 512;
	iob_kin_promise(before->st_dev, before->st_ino, wanted > taken ? wanted - taken : 0);
}

int iob_layout_fill(
	int fd, const char *path, const struct iob_layout *layout, struct iob_error *err)
{
	IOB_FREE uint64_t *buffer = aligned_alloc(ALIGNMENT, BLOCK);
	int flags = fcntl(fd, F_GETFL);
	struct space space = {.others = 0};
	struct stat before;

	if (!buffer)
		return iob_fail(err, -ENOMEM, "laying out %s: %m", path);
	if (fstat(fd, &before) < 0)
		return iob_fail(err, -errno, "stat %s: %m", path);
	(void)iob_filesystem_room(fd, path, &space.room, NULL);
	if (!has_room(&space, &before, layout))
		return write_failed(-ENOSPC, path, layout, &space, err);
	/* Ask for the space first: less fragments, and "no space" before a long wait.  Not every
	 * file system can. */
	int rc = set_aside(fd, layout);
	if (rc < 0)
		return write_failed(rc, path, layout, &space, err);
	if (layout->empty) {
		promise_rest(&before, fd, layout);
		return 0;
	}
	rc = write_all(fd, layout, buffer);
	if (rc == -ECANCELED)
		return iob_fail(err, rc, "laying out %s was stopped", path);
	if (rc < 0)
		return write_failed(rc, path, layout, &space, err);
	if (flags >= 0)
		(void)fcntl(fd, F_SETFL, flags);
	if (!layout->no_fsync && fsync(fd) < 0)
		return iob_fail(err, -errno, "fsync %s: %m", path);
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}
