/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "target/filesystem.h"
#include "target/guard.h"

/* Of the space that is free the default leaves this much to others. */
#define DEFAULT_KEEPS_PERCENT 10

static bool usable(const char *directory)
{
	char probe[IOB_PATH_MAX + 16];

	if (!directory || directory[0] != '/' || access(directory, W_OK | X_OK) < 0)
		return false;
	int n = snprintf(probe, sizeof(probe), "%s/scratch", directory);
	return n > 0 && (size_t)n < sizeof(probe) && iob_guard_may_create(probe, NULL) == 0;
}

static bool in_memory(const char *directory)
{
	struct statfs fs;

	if (statfs(directory, &fs) < 0)
		return false;
	return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
}

int iob_scratch_directory(char *buf, size_t n, struct iob_error *err)
{
	const char *places[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!usable(places[i]))
			continue;
		if (!in_memory(places[i])) {
			found = places[i];
			break;
		}
		if (!found)
			found = places[i];
	}
	if (!found)
		return iob_fail(err, -EACCES,
			"no place for a scratch file: none of $TMPDIR, /var/tmp and /tmp can be "
			"written; name a directory as TARGET");
	int len = snprintf(buf, n, "%s", found);
	if (len < 0 || (size_t)len >= n)
		return iob_fail(err, -ENAMETOOLONG, "scratch directory %s: %m", found);
	return 0;
}

int iob_scratch_size(const char *directory, uint64_t wanted, uint64_t *size, struct iob_error *err)
{
	char a[32], b[32];
	struct iob_room room;
	IOB_FD int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return iob_fail(err, -errno, "open %s: %m", directory);
	int rc = iob_filesystem_room(fd, directory, &room, err);
	if (rc < 0)
		return rc;
	if (wanted == 0) {
		uint64_t most = room.available / 100 * (100 - DEFAULT_KEEPS_PERCENT);

		if (most > room.usable)
			most = room.usable;
		wanted = most < IOB_SCRATCH_DEFAULT_SIZE ? most >> 20 << 20
							 : IOB_SCRATCH_DEFAULT_SIZE;
		if (wanted < IOB_SCRATCH_LEAST_SIZE)
			wanted = IOB_SCRATCH_LEAST_SIZE;
	}
	if (wanted > room.usable)
		return iob_fail(err, -ENOSPC,
			"%s: no space for a scratch file of %s: %s free, of which %d %% of the file "
			"system are left alone; give a smaller size or another directory",
			directory, iob_format_bytes(a, sizeof(a), wanted),
			iob_format_bytes(b, sizeof(b), room.available), IOB_KEEP_FREE_PERCENT);
	*size = wanted;
	return 0;
}
