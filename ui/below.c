/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/below.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define MOST_DEPTH 4 /* LVM on RAID on partitions is three */

static bool read_number(const char *path, unsigned *major, unsigned *minor)
{
	char text[32];
	FILE *f = fopen(path, "re");
	bool good = f && fgets(text, sizeof(text), f);
	char *colon = good ? strchr(text, ':') : NULL;

	if (f)
		fclose(f);
	if (!colon)
		return false;
	*major = (unsigned)strtoul(text, NULL, 10);
	*minor = (unsigned)strtoul(colon + 1, NULL, 10);
	return true;
}

static void add(struct iob_below *b, const char *root, const char *name)
{
	struct iob_below_disk *d = &b->disk[b->count];
	char path[400];
	unsigned major, minor;
	struct iob_error err;

	if (b->count == IOB_BELOW_MOST)
		return;
	for (unsigned i = 0; i < b->count; i++)
		if (strcmp(b->disk[i].name, name) == 0)
			return;
	snprintf(path, sizeof(path), "%.200s/sys/class/block/%.63s/dev", root, name);
	memset(d, 0, sizeof(*d));
	if (!read_number(path, &major, &minor) ||
		iob_diskstat_open(&d->reader, root, major, minor, &err) < 0)
		return;
	snprintf(d->name, sizeof(d->name), "%.63s", name);
	b->count++;
}

/* Those that stand on nothing else. */
static void find(struct iob_below *b, const char *root, const char *name, int depth)
{
	char path[400];
	unsigned found = 0;

	snprintf(path, sizeof(path), "%.200s/sys/class/block/%.63s/slaves", root, name);
	DIR *dir = opendir(path);
	for (const struct dirent *e; dir && depth < MOST_DEPTH && (e = readdir(dir));) {
		if (e->d_name[0] == '.')
			continue;
		found++;
		find(b, root, e->d_name, depth + 1);
	}
	if (dir)
		closedir(dir);
	if (found == 0 && depth > 0)
		add(b, root, name);
}

static void read_disk(struct iob_below_disk *d, uint64_t now_ns)
{
	struct iob_diskstat now, delta;

	if (iob_diskstat_read(&d->reader, &now) < 0) {
		d->valid = false;
		d->last_ns = 0;
		return;
	}
	if (d->last_ns && now_ns > d->last_ns) {
		iob_diskstat_delta(&delta, &d->last, &now);
		iob_iostat_compute(&d->figures, &delta, now_ns - d->last_ns);
		d->valid = true;
	}
	d->last = now;
	d->last_ns = now_ns;
}

void iob_below_update(struct iob_below *b, const char *root, const char *disk, uint64_t now_ns)
{
	if (strcmp(b->of, disk) != 0) {
		iob_below_close(b);
		snprintf(b->of, sizeof(b->of), "%s", disk);
		find(b, root, disk, 0);
	}
	if (now_ns < b->due_ns)
		return;
	b->due_ns = now_ns + IOB_NS_PER_S;
	for (unsigned i = 0; i < b->count; i++)
		read_disk(&b->disk[i], now_ns);
}

void iob_below_close(struct iob_below *b)
{
	for (unsigned i = 0; i < b->count; i++)
		iob_diskstat_close(&b->disk[i].reader);
	memset(b, 0, sizeof(*b));
}
