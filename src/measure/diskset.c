/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/diskset.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "measure/diskpaths.h"

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

/* Under a number that no disk has. */
static void append_path(void *arg, const char *name, int fd)
{
	char **text = arg, counters[512], *longer;
	ssize_t n = read(fd, counters, sizeof(counters) - 1);

	close(fd);
	if (n <= 0)
		return;
	counters[n] = '\0';
	counters[strcspn(counters, "\n")] = '\0';
	if (asprintf(&longer, "%s0 0 %s %s\n", *text, name, counters) < 0)
		return;
	free(*text);
	*text = longer;
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
	iob_diskpaths_visit_all(root, NULL, append_path, &text);
	iob_diskset_free(set);
	set->text = text;
	set->at_ns = iob_now_ns();
	return 0;
}

static unsigned add_paths(const char *text, const char *disk, struct iob_diskstat *sum)
{
	unsigned n = 0;

	for (const char *line = strstr(text, "0 0 nvme"); line; line = strchr(line, '\n')) {
		struct iob_diskstat one;
		char name[64];
		int end = 0;

		line += *line == '\n';
		if (sscanf(line, "0 0 %63s%n", name, &end) != 1 ||
			!iob_diskpaths_is_one(name, disk) ||
			iob_diskstat_parse_counters(line + end, &one) < 0)
			continue;
		iob_diskstat_add(sum, &one);
		n++;
	}
	return n;
}

bool iob_diskset_find(const struct iob_diskset *set, unsigned major, unsigned minor,
	const char *name, struct iob_diskstat *out, unsigned *paths)
{
	unsigned n = 0;

	if (!set->text || iob_diskstat_parse(set->text, major, minor, out) < 0)
		return false;
	if (iob_diskstat_is_zero(out))
		n = add_paths(set->text, name, out);
	if (paths)
		*paths = n;
	return true;
}

void iob_diskset_free(struct iob_diskset *set)
{
	free(set->text);
	*set = (struct iob_diskset){0};
}
