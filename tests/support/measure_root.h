/* SPDX-License-Identifier: MIT */
/* A folder that stands for / with a /proc of ours, for the tests of measure/. */
#ifndef IOB_TESTS_SUPPORT_MEASURE_ROOT_H
#define IOB_TESTS_SUPPORT_MEASURE_ROOT_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char measure_root[64];

static inline void measure_root_make(void)
{
	char proc[80];

	snprintf(measure_root, sizeof(measure_root), "/tmp/iob-measure-XXXXXX");
	if (!mkdtemp(measure_root))
		abort();
	snprintf(proc, sizeof(proc), "%s/proc", measure_root);
	if (mkdir(proc, 0700) < 0)
		abort();
}

/* Written in place, since readers keep the file open; cut to the new length. */
static inline void measure_root_put(const char *name, const char *content)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/%s", measure_root, name);
	FILE *f = fopen(path, "w");
	if (!f || fputs(content, f) < 0 || fclose(f) != 0)
		abort();
}

static inline void measure_root_remove(void)
{
	static const char *const names[] = {"/proc/diskstats", "/proc/stat", "/proc", ""};
	char path[128];

	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", measure_root, names[i]);
		remove(path);
	}
}

#endif
