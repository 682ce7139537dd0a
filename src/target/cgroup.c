/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/cgroup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup_walk.h"
#include "base/cleanup.h"
#include "target/sysfs.h"

struct where {
	unsigned major, minor;
	struct iob_cgroup *out;
};

static uint64_t tighter(uint64_t a, uint64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

/* "name value" lines of cpu.stat; unit: of what there is of the time. */
static void read_held(const char *folder, struct iob_cgroup *out)
{
	char path[PATH_MAX + 16], line[256], name[64];
	uint64_t value = 0;

	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	IOB_FILE FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %" SCNu64, name, &value) != 2)
			continue;
		if (strcmp(name, "nr_throttled") == 0)
			out->cpu_held += value;
		else if (strcmp(name, "throttled_time") == 0)
			out->cpu_held_ns += value;
		else if (strcmp(name, "throttled_usec") == 0 && value < UINT64_MAX / 1000)
			out->cpu_held_ns += value * 1000;
	}
}

static void read_quota(void *arg, const char *folder)
{
	const struct where *w = arg;
	char text[128];
	uint64_t quota = 0, period = 0;
	bool have = false;

	if (iob_sysfs_text(folder, "cpu.max", text, sizeof(text)))
		have = sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) == 2;
	else
		have = iob_sysfs_uint(folder, "cpu.cfs_quota_us", &quota) &&
		       iob_sysfs_uint(folder, "cpu.cfs_period_us", &period);
	if (!have || period == 0)
		return;
	double cpus = (double)quota / (double)period;
	if (w->out->cpu_quota <= 0 || cpus < w->out->cpu_quota)
		w->out->cpu_quota = cpus;
	read_held(folder, w->out);
}

/* The line of the disk in a file of many: what follows "8:0 ". */
static bool find_line(const char *folder, const char *name, const struct where *w, char line[256])
{
	char path[PATH_MAX + 64], devno[32];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	snprintf(devno, sizeof(devno), "%u:%u ", w->major, w->minor);
	IOB_FILE FILE *f = fopen(path, "re");
	while (f && fgets(line, 256, f))
		if (strncmp(line, devno, strlen(devno)) == 0) {
			memmove(line, line + strlen(devno), strlen(line) - strlen(devno) + 1);
			return true;
		}
	return false;
}

static void take(uint64_t *limit, const char *text)
{
	char *end = NULL;
	unsigned long long value = strtoull(text, &end, 10);

	if (end != text)
		*limit = tighter(*limit, value);
}

static void read_io(void *arg, const char *folder)
{
	const struct where *w = arg;
	static const char *const keys[] = {"rbps=", "wbps=", "riops=", "wiops="};
	static const char *const files[] = {"blkio.throttle.read_bps_device",
		"blkio.throttle.write_bps_device", "blkio.throttle.read_iops_device",
		"blkio.throttle.write_iops_device"};
	uint64_t *const limits[] = {
		&w->out->bps[0], &w->out->bps[1], &w->out->iops[0], &w->out->iops[1]};
	char line[256];

	if (find_line(folder, "io.max", w, line))
		for (int i = 0; i < 4; i++) {
			const char *at = strstr(line, keys[i]);

			if (at)
				take(limits[i], at + strlen(keys[i]));
		}
	for (int i = 0; i < 4; i++)
		if (find_line(folder, files[i], w, line))
			take(limits[i], line);
}

void iob_cgroup_read(struct iob_cgroup *out, const char *root, unsigned major, unsigned minor)
{
	struct where w = {.major = major, .minor = minor, .out = out};

	*out = (struct iob_cgroup){0};
	iob_cgroup_walk(root, "cpu", read_quota, &w);
	iob_cgroup_walk(root, IOB_CGROUP_V2, read_quota, &w);
	iob_cgroup_walk(root, "blkio", read_io, &w);
	iob_cgroup_walk(root, IOB_CGROUP_V2, read_io, &w);
}
