/* SPDX-License-Identifier: MIT */
/* A folder that stands for / with a /proc of ours, for the tests of measure/. */
#ifndef IOB_TESTS_SUPPORT_MEASURE_ROOT_H
#define IOB_TESTS_SUPPORT_MEASURE_ROOT_H

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* path: "sys/class/x/y"; the folders are made.  Written in place, since readers keep the file open;
 * cut to the new length. */
static inline void measure_root_write(const char *path, const char *content)
{
	char full[256];

	snprintf(full, sizeof(full), "%s/%s", measure_root, path);
	for (char *c = full + strlen(measure_root) + 1; (c = strchr(c, '/')); *c++ = '/') {
		*c = '\0';
		if (mkdir(full, 0700) < 0 && errno != EEXIST)
			abort();
	}
	FILE *f = fopen(full, "w");
	if (!f || fputs(content, f) < 0 || fclose(f) != 0)
		abort();
}

static inline void measure_root_put(const char *name, const char *content)
{
	char path[128];

	snprintf(path, sizeof(path), "proc/%s", name);
	measure_root_write(path, content);
}

static inline int measure_root_drop(
	const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st, (void)type, (void)where;
	return remove(path);
}

static inline void measure_root_remove(void)
{
	nftw(measure_root, measure_root_drop, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
