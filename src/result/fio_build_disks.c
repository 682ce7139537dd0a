/* SPDX-License-Identifier: MIT */
/* The disks below the targets: what each did since the first clone started, and of one that lies on
 * others also the means over these. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "result/fio_build.h"
#include "target/sysfs.h"

/* dm on md on dm on partitions: deeper is a loop. */
#define DEEPEST 8

struct work {
	struct iob_fio_report *report;
	const struct iob_diskset *before;
	struct iob_diskset now;
};

static bool is_known(const struct iob_fio_report *r, const char *name)
{
	for (size_t i = 0; i < r->ndisks; i++)
		if (strcmp(r->disk[i].name, name) == 0)
			return true;
	return false;
}

static bool measure(const struct work *w, const char *name, struct iob_fio_disk *out)
{
	struct iob_diskstat a, b;
	unsigned major, minor;
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/block/%.60s", name);
	if (!iob_sysfs_devno(path, &major, &minor) ||
		!iob_diskset_find(w->before, major, minor, name, &a, NULL) ||
		!iob_diskset_find(&w->now, major, minor, name, &b, NULL))
		return false;
	memset(out, 0, sizeof(*out));
	snprintf(out->name, sizeof(out->name), "%s", name);
	iob_diskstat_delta(&out->delta, &a, &b);
	double ms = (double)(w->now.at_ns - w->before->at_ns) / 1e6;
	out->util = ms > 0 ? 100 * (double)out->delta.io_ms / ms : 0;
	if (out->util > 100)
		out->util = 100;
	return true;
}

static void divide(struct iob_diskstat *s, unsigned n)
{
	uint64_t *const field[] = {&s->reads, &s->read_merges, &s->read_sectors, &s->read_ms,
		&s->writes, &s->write_merges, &s->write_sectors, &s->write_ms, &s->io_ms,
		&s->weighted_ms};

	for (size_t i = 0; i < sizeof(field) / sizeof(field[0]); i++)
		*field[i] /= n;
}

static struct iob_fio_disk *append(struct work *w, const struct iob_fio_disk *disk)
{
	struct iob_fio_report *r = w->report;
	struct iob_fio_disk *grown = iob_array_extend(r->disk, r->ndisks, sizeof(*grown));

	if (!grown)
		return NULL;
	r->disk = grown;
	r->disk[r->ndisks] = *disk;
	return &r->disk[r->ndisks++];
}

/* The names of those that a disk lies on. */
static unsigned slaves_of(const char *name, char slave[][64], unsigned most)
{
	char path[128];
	unsigned n = 0;

	snprintf(path, sizeof(path), "/sys/class/block/%.60s/slaves", name);
	DIR *dir = opendir(path);
	if (!dir)
		return 0;
	for (const struct dirent *e; n < most && (e = readdir(dir));)
		if (e->d_name[0] != '.')
			snprintf(slave[n++], sizeof(slave[0]), "%.63s", e->d_name);
	closedir(dir);
	return n;
}

#define MOST_SLAVES 64

static int add_disk(struct work *w, const char *name, unsigned depth)
{
	IOB_FREE char(*slave)[64] = calloc(MOST_SLAVES, sizeof(*slave));
	struct iob_fio_disk disk, below;

	if (!slave)
		return -ENOMEM;
	if (depth > DEEPEST || is_known(w->report, name) || !measure(w, name, &disk))
		return 0;
	unsigned n = slaves_of(name, slave, MOST_SLAVES);
	for (unsigned i = 0; i < n; i++) {
		if (!measure(w, slave[i], &below))
			continue;
		iob_diskstat_add(&disk.mean, &below.delta);
		disk.max_util = below.util > disk.max_util ? below.util : disk.max_util;
		disk.members++;
	}
	disk.aggregated = disk.members > 0;
	disk.below = depth > 0;
	if (disk.aggregated)
		divide(&disk.mean, disk.members);
	if (!append(w, &disk))
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		int rc = add_disk(w, slave[i], depth + 1);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int iob_fio_build_disks(struct iob_fio_report *r, struct iob_fleet *f, struct iob_error *err)
{
	IOB_FREE struct iob_snapshot *snap = malloc(sizeof(*snap));
	struct work w = {.report = r, .before = &f->disks_before};
	int rc = snap ? 0 : -ENOMEM;

	/* Without /proc there are no disks to tell of. */
	if (rc == 0 && iob_diskset_read(&w.now, "") < 0)
		return 0;
	for (unsigned i = 0; i < f->count && rc == 0; i++) {
		if (!f->clone[i].run || !f->clone[i].settings.ctl.disk_util)
			continue;
		iob_run_snapshot(f->clone[i].run, snap);
		if (snap->target.has_disk)
			rc = add_disk(&w, snap->target.disk, 0);
	}
	iob_diskset_free(&w.now);
	return rc < 0 ? iob_fail(err, rc, "making the report: %m") : 0;
}
