/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/diskfacts.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/disklink.h"
#include "target/sysfs.h"

#define SECTOR 512

static uint32_t read_u32(const char *folder, const char *attribute)
{
	uint64_t value = 0;

	return iob_sysfs_uint(folder, attribute, &value) && value <= UINT32_MAX ? (uint32_t)value
										: 0;
}

/* -1 where nothing is told; /sys itself says -1 for "no matter". */
static int read_small(const char *folder, const char *attribute)
{
	uint64_t value = 0;

	return iob_sysfs_uint(folder, attribute, &value) && value < INT_MAX ? (int)value : -1;
}

static char *folder_of(const char *root, unsigned major, unsigned minor)
{
	char link[PATH_MAX];

	snprintf(link, sizeof(link), "%s/sys/dev/block/%u:%u", root, major, minor);
	return realpath(link, NULL);
}

/* For the folder of a partition that of its disk, in place. */
static void go_to_disk(char *folder)
{
	char *slash = strrchr(folder, '/');

	if (slash && iob_sysfs_exists(folder, "partition"))
		*slash = '\0';
}

static bool read_hwmon(const char *folder, const char *name, int32_t *now, int32_t *limit)
{
	char path[PATH_MAX];
	uint64_t value = 0;
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	if (n < 0 || (size_t)n >= sizeof(path) || !iob_sysfs_uint(path, "temp1_input", &value) ||
		value > INT32_MAX)
		return false;
	*now = (int32_t)value;
	/* The warning threshold; some disks name the critical one alone. */
	if ((iob_sysfs_uint(path, "temp1_max", &value) && value > 0 && value <= INT32_MAX) ||
		(iob_sysfs_uint(path, "temp1_crit", &value) && value <= INT32_MAX))
		*limit = (int32_t)value;
	return true;
}

/* The sensor's folder is under the device (NVMe) or in a folder hwmon there (drivetemp). */
static bool find_hwmon(const char *folder, int32_t *now, int32_t *limit)
{
	static const char *const places[] = {"device", "device/hwmon", "device/device/hwmon"};
	bool found = false;

	for (size_t i = 0; !found && i < sizeof(places) / sizeof(places[0]); i++) {
		char path[PATH_MAX];
		int n = snprintf(path, sizeof(path), "%s/%s", folder, places[i]);
		DIR *d = n > 0 && (size_t)n < sizeof(path) ? opendir(path) : NULL;
		const struct dirent *e = NULL;

		while (d && !found && (e = readdir(d)))
			found = strncmp(e->d_name, "hwmon", 5) == 0 && e->d_name[5] != '\0' &&
				read_hwmon(path, e->d_name, now, limit);
		if (d)
			closedir(d);
	}
	return found;
}

static void read_queue(struct iob_diskfacts *f, const char *folder)
{
	f->minimum_io = read_u32(folder, "queue/minimum_io_size");
	f->optimal_io = read_u32(folder, "queue/optimal_io_size");
	f->max_request = read_u32(folder, "queue/max_sectors_kb") * 1024;
	f->read_ahead = read_u32(folder, "queue/read_ahead_kb") * 1024;
	f->nr_requests = read_u32(folder, "queue/nr_requests");
	f->nomerges = read_small(folder, "queue/nomerges");
	iob_sysfs_text(folder, "queue/write_cache", f->write_cache, sizeof(f->write_cache));
	f->numa_node = read_small(folder, "device/numa_node");
	if (f->numa_node < 0)
		f->numa_node = read_small(folder, "device/device/numa_node");
}

void iob_diskfacts_read(struct iob_diskfacts *f, const char *root, unsigned major, unsigned minor)
{
	IOB_FREE char *folder = folder_of(root, major, minor);
	uint64_t sectors = 0;

	*f = (struct iob_diskfacts){.nomerges = -1, .numa_node = -1};
	if (!folder)
		return;
	if (iob_sysfs_exists(folder, "partition") && iob_sysfs_uint(folder, "start", &sectors) &&
		sectors <= UINT64_MAX / SECTOR)
		f->start_bytes = sectors * SECTOR;
	f->alignment_offset = read_u32(folder, "alignment_offset");
	go_to_disk(folder);
	read_queue(f, folder);
	(void)find_hwmon(folder, &f->temp_mc, &f->temp_limit_mc);
	iob_disklink_find(f, folder);
}

int32_t iob_diskfacts_temperature(const char *root, unsigned major, unsigned minor)
{
	IOB_FREE char *folder = folder_of(root, major, minor);
	int32_t now = 0, limit = 0;

	if (folder)
		go_to_disk(folder);
	return folder && find_hwmon(folder, &now, &limit) ? now : 0;
}
