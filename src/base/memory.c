/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cgroup_walk.h"
#include "base/cleanup.h"

/* The kernel's word for no limit in version 1: nearly 2^63. */
#define NO_LIMIT (UINT64_C(1) << 62)

struct group_files {
	const char *controller, *limit, *used, *cache; /* cache: prefix of what can be dropped */
	const char *name;
};

static const struct group_files versions[] = {
	{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_",
		"memory.limit_in_bytes of the control group"},
	{IOB_CGROUP_V2, "memory.max", "memory.current", "", "memory.max of the control group"},
};

/* What a visit to a group is about. */
struct look {
	struct iob_memory *memory;
	const struct group_files *files;
};

static void lower(struct iob_memory *m, uint64_t bytes, const char *limit)
{
	if (bytes < m->available) {
		m->available = bytes;
		m->limit = limit;
	}
}

static void lower_space(struct iob_memory *m, uint64_t bytes, const char *limit)
{
	if (bytes < m->space) {
		m->space = bytes;
		m->space_limit = limit;
	}
}

static FILE *open_in(const char *folder, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* False when there is no number, as with "max". */
static bool read_number(const char *folder, const char *name, uint64_t *value)
{
	IOB_FILE FILE *f = open_in(folder, name);
	unsigned long long number;

	if (!f || fscanf(f, "%llu", &number) != 1)
		return false;
	*value = number;
	return true;
}

static void look_at_machine(struct iob_memory *m, const char *root)
{
	IOB_FILE FILE *f = open_in(root, "proc/meminfo");
	char line[128];
	unsigned long long kib;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			lower(m, (uint64_t)kib * 1024, "MemAvailable");
}

/* Page cache is charged to the group, and given back when memory is wanted. */
static uint64_t group_cache(const struct group_files *g, const char *folder)
{
	IOB_FILE FILE *f = open_in(folder, "memory.stat");
	char line[128], name[100];
	unsigned long long value;
	uint64_t sum = 0;
	size_t skip = strlen(g->cache);

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%99s %llu", name, &value) != 2 ||
			strncmp(name, g->cache, skip) != 0)
			continue;
		if (strcmp(name + skip, "inactive_file") == 0 ||
			strcmp(name + skip, "active_file") == 0)
			sum += value;
	}
	return sum;
}

static void look_at_group(void *arg, const char *folder)
{
	const struct look *look = arg;
	const struct group_files *g = look->files;
	uint64_t limit, used;

	if (!read_number(folder, g->limit, &limit) || limit >= NO_LIMIT ||
		!read_number(folder, g->used, &used))
		return;
	uint64_t cache = group_cache(g, folder);
	used -= cache < used ? cache : used;
	lower(look->memory, limit > used ? limit - used : 0, g->name);
}

/* The group's own limit and those of the groups around it. */
static void look_at_control_groups(struct iob_memory *m, const char *root)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		struct look look = {m, &versions[i]};

		iob_cgroup_walk(root, versions[i].controller, look_at_group, &look);
	}
}

static void look_at_limit(struct iob_memory *m, int resource, uint64_t used, const char *name)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)resource, &limit) == 0 &&
		limit.rlim_cur != RLIM_INFINITY)
		lower_space(m, limit.rlim_cur > used ? limit.rlim_cur - used : 0, name);
}

static void look_at_process(struct iob_memory *m, const char *root)
{
	IOB_FILE FILE *f = open_in(root, "proc/self/statm");
	unsigned long long size, data;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!f || fscanf(f, "%llu %*u %*u %*u %*u %llu", &size, &data) != 2)
		return;
	look_at_limit(m, RLIMIT_AS, size * page, "RLIMIT_AS (ulimit -v)");
	look_at_limit(m, RLIMIT_DATA, data * page, "RLIMIT_DATA (ulimit -d)");
}

void iob_memory_look(struct iob_memory *m, const char *root)
{
	*m = (struct iob_memory){.available = UINT64_MAX, .space = UINT64_MAX};
	look_at_machine(m, root);
	look_at_control_groups(m, root);
	look_at_process(m, root);
}
