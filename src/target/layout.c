/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/rng.h"
#include "base/units.h"
#include "target/filesystem.h"
#include "target/space.h"

#define BLOCK      ((size_t)1 << 20)
/* Covers every logical block size and DMA alignment that O_DIRECT asks for. */
#define ALIGNMENT  4096
/* So often the room is looked at. */
#define LOOK_EVERY (16 * BLOCK)

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

static int write_failed(int code, const char *path, const struct iob_layout *layout,
	const struct iob_room *room, struct iob_error *err)
{
	char doing[IOB_PATH_MAX + 16];

	if (code != -ENOSPC && code != -EDQUOT)
		return iob_fail(err, code, "write %s: %m", path);
	snprintf(doing, sizeof(doing), "laying out %s", path);
	return iob_space_refuse(code, doing, layout->size - layout->from, room, 0, err);
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

/* Others may take the room that there was.  Not asked for the last part: what the file system needs
 * for itself is in no sum. */
static bool others_took_it(int fd, const char *path, uint64_t left)
{
	struct iob_room room;

	return left >= LOOK_EVERY && iob_filesystem_room(fd, path, &room, NULL) == 0 &&
	       room.usable == 0;
}

/* A negative errno without words.  taken: the space is set aside. */
static int write_all(
	int fd, const char *path, const struct iob_layout *layout, bool taken, uint64_t *buffer)
{
	int flags = fcntl(fd, F_GETFL);

	/* Refused is fine: then the page cache takes it. */
	if (flags >= 0 && layout->from % BLOCK == 0)
		(void)fcntl(fd, F_SETFL, flags | O_DIRECT);
	for (uint64_t at = layout->from, number = 0; at < layout->size; number++) {
		size_t n = layout->size - at < BLOCK ? (size_t)(layout->size - at) : BLOCK;

		if (layout->stop && atomic_load(layout->stop))
			return -ECANCELED;
		if (!taken && number % (LOOK_EVERY / BLOCK) == 0 &&
			others_took_it(fd, path, layout->size - at))
			return -ENOSPC;
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

/* Returns 1 if the space is taken, 0 if not, or a negative errno; what the file system cannot do is
 * no failure. */
static int set_aside(int fd, const struct iob_layout *layout)
{
	off_t from = (off_t)layout->from, length = (off_t)(layout->size - layout->from);
	int rc = 0;

	switch ((enum iob_fallocate)layout->fallocate) {
	case IOB_FALLOCATE_NONE:
		return 0;
	case IOB_FALLOCATE_POSIX:
		rc = posix_fallocate(fd, from, length);
		return rc == 0 ? 1 : -rc;
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
	if (rc == 0)
		return 1;
	return errno == ENOSPC || errno == EDQUOT ? -errno : 0;
}

int iob_layout_fill(
	int fd, const char *path, const struct iob_layout *layout, struct iob_error *err)
{
	IOB_FREE uint64_t *buffer = aligned_alloc(ALIGNMENT, BLOCK);
	int flags = fcntl(fd, F_GETFL);
	struct iob_room room;

	if (!buffer)
		return iob_fail(err, -ENOMEM, "laying out %s: %m", path);
	(void)iob_filesystem_room(fd, path, &room, NULL);
	/* Ask for the space first: less fragments, and "no space" before a long wait.  Not every
	 * file system can. */
	int rc = set_aside(fd, layout);
	if (rc < 0)
		return write_failed(rc, path, layout, &room, err);
	if (layout->empty)
		return 0;
	rc = write_all(fd, path, layout, rc > 0, buffer);
	if (rc == -ECANCELED)
		return iob_fail(err, rc, "laying out %s was stopped", path);
	if (rc < 0)
		return write_failed(rc, path, layout, &room, err);
	if (flags >= 0)
		(void)fcntl(fd, F_SETFL, flags);
	if (!layout->no_fsync && fsync(fd) < 0)
		return iob_fail(err, -errno, "fsync %s: %m", path);
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}
