/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/diskset.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define FIRST_ROOM 16384

static int read_all(int fd, char **out)
{
	size_t room = FIRST_ROOM, used = 0;
	IOB_FREE char *text = malloc(room);

	while (text) {
		ssize_t n = read(fd, text + used, room - used - 1);
		if (n < 0)
			return -errno;
		used += (size_t)n;
		text[used] = '\0';
		if (n == 0) {
			*out = iob_steal(&text);
			return 0;
		}
		if (used + 1 < room)
			continue;
		char *grown = realloc(text, room *= 2);
		if (!grown)
			break;
		text = grown;
	}
	return -ENOMEM;
}

int iob_diskset_read(struct iob_diskset *set, const char *root)
{
	char path[4096];
	char *text = NULL;

	snprintf(path, sizeof(path), "%s/proc/diskstats", root);
	IOB_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int rc = read_all(fd, &text);
	if (rc < 0)
		return rc;
	iob_diskset_free(set);
	set->text = text;
	set->at_ns = iob_now_ns();
	return 0;
}

bool iob_diskset_find(
	const struct iob_diskset *set, unsigned major, unsigned minor, struct iob_diskstat *out)
{
	return set->text && iob_diskstat_parse(set->text, major, minor, out) == 0;
}

void iob_diskset_free(struct iob_diskset *set)
{
	free(set->text);
	*set = (struct iob_diskset){0};
}
