/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/cgroup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/sysfs.h"

#define LINE 4600

/* One hierarchy: where it is mounted, which of its groups stands at the mount, and ours. */
struct hierarchy {
	char mount[PATH_MAX];
	char top[PATH_MAX];
	char group[PATH_MAX];
	bool found;
};

struct where {
	const char *root;
	unsigned major, minor;
	struct iob_cgroup *out;
};

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(list, word); p; p = strstr(p + 1, word))
		if ((p == list || p[-1] == ',') && (p[n] == '\0' || p[n] == ',' || p[n] == '\n'))
			return true;
	return false;
}

/* "5:cpu,cpuacct:/group"; controller "" is version 2, "0::/group". */
static bool find_group(struct hierarchy *h, const char *root, const char *controller)
{
	char path[PATH_MAX], line[LINE];

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	IOB_FILE FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		char *list = strchr(line, ':');
		char *group = list ? strchr(list + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		if (controller[0] ? !has_word(list + 1, controller) : list[1] != '\0')
			continue;
		group[strcspn(group, "\n")] = '\0';
		return snprintf(h->group, sizeof(h->group), "%s", group) < PATH_MAX;
	}
	return false;
}

/* "30 23 0:26 /top /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu" */
static bool find_mount(struct hierarchy *h, const char *root, const char *controller)
{
	char path[PATH_MAX], line[LINE], top[1024], point[1024];

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	IOB_FILE FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *rest = strstr(line, " - cgroup");
		const char *options = rest ? strrchr(rest, ' ') : NULL;
		bool second = rest && strncmp(rest, " - cgroup2 ", 11) == 0;

		if (!options || second != (controller[0] == '\0') ||
			(!second && !has_word(options + 1, controller)))
			continue;
		if (sscanf(line, "%*s %*s %*s %1023s %1023s", top, point) != 2)
			continue;
		snprintf(h->mount, sizeof(h->mount), "%s%s", root, point);
		snprintf(h->top, sizeof(h->top), "%s", strcmp(top, "/") == 0 ? "" : top);
		return true;
	}
	return false;
}

static void find_hierarchy(struct hierarchy *h, const char *root, const char *controller)
{
	h->found = find_group(h, root, controller) && find_mount(h, root, controller);
	size_t n = h->found ? strlen(h->top) : 0;
	/* In a container the mount shows a part of the tree. */
	if (n && strncmp(h->group, h->top, n) == 0)
		memmove(h->group, h->group + n, strlen(h->group + n) + 1);
	if (h->found && strcmp(h->group, "/") == 0)
		h->group[0] = '\0';
}

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

static void read_quota(const char *folder, const struct where *w)
{
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

static void read_io(const char *folder, const struct where *w)
{
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

/* From our group up to the mount: a limit of an outer one binds all the same. */
static void walk(struct hierarchy *h, const struct where *w,
	void (*read)(const char *folder, const struct where *))
{
	char folder[2 * PATH_MAX];

	for (;;) {
		snprintf(folder, sizeof(folder), "%s%s", h->mount, h->group);
		if (strlen(folder) < PATH_MAX)
			read(folder, w);
		char *slash = strrchr(h->group, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
}

void iob_cgroup_read(struct iob_cgroup *out, const char *root, unsigned major, unsigned minor)
{
	static const struct {
		const char *controller;
		void (*read)(const char *, const struct where *);
	} parts[] = {{"cpu", read_quota}, {"", read_quota}, {"blkio", read_io}, {"", read_io}};
	struct where w = {.root = root, .major = major, .minor = minor, .out = out};
	IOB_FREE struct hierarchy *h = calloc(1, sizeof(*h));

	*out = (struct iob_cgroup){0};
	for (size_t i = 0; h && i < sizeof(parts) / sizeof(parts[0]); i++) {
		find_hierarchy(h, root, parts[i].controller);
		if (h->found)
			walk(h, &w, parts[i].read);
	}
}
