/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/sysfs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

static bool join(char path[PATH_MAX], const char *directory, const char *attribute)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", directory, attribute);

	return n > 0 && n < PATH_MAX;
}

bool iob_sysfs_text(const char *directory, const char *attribute, char *buf, size_t n)
{
	char path[PATH_MAX], line[4096];

	buf[0] = '\0';
	if (!join(path, directory, attribute))
		return false;
	IOB_FILE FILE *f = fopen(path, "re");
	if (!f || !fgets(line, sizeof(line), f))
		return false;
	for (char *c = line; *c; c++) {
		if (*c == '\n') {
			*c = '\0';
			break;
		}
	}
	iob_text_clean(buf, n, line);
	return true;
}

bool iob_sysfs_uint(const char *directory, const char *attribute, uint64_t *value)
{
	char text[64], *end = NULL;

	if (!iob_sysfs_text(directory, attribute, text, sizeof(text)))
		return false;
	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0')
		return false;
	*value = v;
	return true;
}

bool iob_sysfs_devno(const char *directory, unsigned *major, unsigned *minor)
{
	char text[64], *end = NULL;

	if (!iob_sysfs_text(directory, "dev", text, sizeof(text)))
		return false;
	unsigned long a = strtoul(text, &end, 10);
	if (end == text || *end != ':')
		return false;
	char *second = end + 1;
	unsigned long b = strtoul(second, &end, 10);
	if (end == second || *end != '\0' || a > UINT_MAX || b > UINT_MAX)
		return false;
	*major = (unsigned)a;
	*minor = (unsigned)b;
	return true;
}

bool iob_sysfs_exists(const char *directory, const char *attribute)
{
	char path[PATH_MAX];

	return join(path, directory, attribute) && access(path, F_OK) == 0;
}
