/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "measure/diskpaths.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"

/* "nvme0c3n1" is the way over controller 3 to "nvme0n1", namespace 1 of subsystem 0. */
bool iob_diskpaths_is_one(const char *name, const char *disk)
{
	unsigned subsystem, controller, space, s, n;
	int end = 0;

	if (sscanf(name, "nvme%uc%un%u%n", &subsystem, &controller, &space, &end) != 3 ||
		name[end] != '\0')
		return false;
	if (!disk)
		return true;
	return sscanf(disk, "nvme%un%u%n", &s, &n, &end) == 2 && disk[end] == '\0' &&
	       s == subsystem && n == space;
}

/* Those in one folder.  Returns how many there were. */
static unsigned visit_folder(
	const char *folder, const char *disk, iob_diskpaths_visit *visit, void *arg)
{
	DIR *d = opendir(folder);
	unsigned n = 0;

	for (const struct dirent *e; d && (e = readdir(d));) {
		char stat[NAME_MAX + sizeof("/stat")];

		if (!iob_diskpaths_is_one(e->d_name, disk))
			continue;
		snprintf(stat, sizeof(stat), "%s/stat", e->d_name);
		IOB_FD int fd = openat(dirfd(d), stat, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		visit(arg, e->d_name, iob_steal_fd(&fd));
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

void iob_diskpaths_visit_all(
	const char *root, const char *disk, iob_diskpaths_visit *visit, void *arg)
{
	char path[PATH_MAX];

	/* Kernels since 6.15 have them below the disk; before, each is below its controller alone.
	 */
	if (disk) {
		snprintf(path, sizeof(path), "%s/sys/block/%s/multipath", root, disk);
		if (visit_folder(path, disk, visit, arg) > 0)
			return;
	}
	snprintf(path, sizeof(path), "%s/sys/class/nvme", root);
	DIR *d = opendir(path);
	for (const struct dirent *e; d && (e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%.2000s/sys/class/nvme/%s", root, e->d_name);
		visit_folder(path, disk, visit, arg);
	}
	if (d)
		closedir(d);
}

static void keep(void *arg, const char *name, int fd)
{
	struct iob_diskpaths *p = arg;

	(void)name;
	if (p->count < IOB_DISKPATHS_MOST)
		p->fd[p->count++] = fd;
	else
		close(fd);
}

void iob_diskpaths_open(struct iob_diskpaths *p, const char *root, const char *disk)
{
	*p = (struct iob_diskpaths){0};
	iob_diskpaths_visit_all(root, disk, keep, p);
}

static void read_one(int fd, struct iob_diskstat *last)
{
	char text[512];
	struct iob_diskstat now;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return;
	text[n] = '\0';
	if (iob_diskstat_parse_counters(text, &now) == 0)
		*last = now;
}

bool iob_diskpaths_read(struct iob_diskpaths *p, struct iob_diskstat *sum)
{
	uint64_t in_flight = 0;

	*sum = (struct iob_diskstat){0};
	for (unsigned i = 0; i < p->count; i++) {
		read_one(p->fd[i], &p->last[i]);
		iob_diskstat_add(sum, &p->last[i]);
		in_flight += p->last[i].in_flight;
	}
	sum->in_flight = in_flight;
	return p->count > 0;
}

void iob_diskpaths_close(struct iob_diskpaths *p)
{
	for (unsigned i = 0; i < p->count; i++)
		close(p->fd[i]);
	*p = (struct iob_diskpaths){0};
}
