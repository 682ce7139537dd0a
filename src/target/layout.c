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

/* room: what was free before the first byte. */
static int write_failed(int code, const char *path, const struct iob_layout *layout,
	const struct iob_room *room, struct iob_error *err)
{
	char needed[32], there[32];

	if (code != -ENOSPC && code != -EDQUOT)
		return iob_fail(err, code, "write %s: %m", path);
	if (room->available == UINT64_MAX)
		snprintf(there, sizeof(there), "an unknown amount");
	else
		iob_format_bytes(there, sizeof(there), room->available);
	return iob_fail(err, code,
		"laying out %s: %m (%s wanted, %s free, of which %d %% of the file system are left "
		"alone); give a smaller size or another place",
		path, iob_format_bytes(needed, sizeof(needed), layout->size), there,
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

/* Not a file that was asked for with holes only. */
static bool takes_space(const struct iob_layout *layout)
{
	return !layout->empty || (layout->fallocate != IOB_FALLOCATE_NONE &&
					 layout->fallocate != IOB_FALLOCATE_TRUNCATE);
}

int iob_layout_fill(
	int fd, const char *path, const struct iob_layout *layout, struct iob_error *err)
{
	IOB_FREE uint64_t *buffer = aligned_alloc(ALIGNMENT, BLOCK);
	int flags = fcntl(fd, F_GETFL);

	if (!buffer)
		return iob_fail(err, -ENOMEM, "laying out %s: %m", path);
	struct iob_room room;
	(void)iob_filesystem_room(fd, path, &room, NULL);
	if (takes_space(layout) && layout->size - layout->from > room.usable)
		return write_failed(-ENOSPC, path, layout, &room, err);
	/* Ask for the space first: less fragments, and "no space" before a long wait.  Not every
	 * file system can. */
	int rc = set_aside(fd, layout);
	if (rc < 0)
		return write_failed(rc, path, layout, &room, err);
	if (layout->empty)
		return 0;
	rc = write_all(fd, layout, buffer);
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
