/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/report_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/checksum.h"
#include "base/cleanup.h"

static uint64_t hash_of(const char *name)
{
	uint8_t out[IOB_CHECKSUM_MAX];
	uint64_t hash;

	iob_checksum_find("fnv")->compute(out, name, strlen(name));
	memcpy(&hash, out, sizeof(hash));
	return hash ? hash : 1;
}

bool iob_report_file(struct iob_plan_report *r, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct stat st;

	*r = (struct iob_plan_report){0};
	if (stat(path, &st) == 0) {
		*r = (struct iob_plan_report){.dev = st.st_dev, .ino = st.st_ino};
		return S_ISREG(st.st_mode);
	}
	if (errno != ENOENT || name[0] == '\0')
		return false;
	IOB_FREE char *directory = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
	if (!directory || stat(directory, &st) < 0)
		return false;
	*r = (struct iob_plan_report){
		.dev = st.st_dev, .ino = st.st_ino, .name_hash = hash_of(name)};
	return true;
}

bool iob_report_file_is(const struct iob_plan_report *a, const struct iob_plan_report *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->name_hash == b->name_hash;
}
