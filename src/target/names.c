/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/names.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "job/job.h"
#include "target/guard.h"

static int add(struct iob_names *names, const char *path, struct iob_error *err)
{
	if (strlen(path) >= IOB_PATH_MAX)
		return iob_fail_usage(err, "filename=%.200s...: the path is too long", path);
	if (names->count == IOB_NAMES_MOST)
		return iob_fail_usage(
			err, "filename: more than %d files; use fewer", IOB_NAMES_MOST);
	if (!names->name)
		names->name = calloc(IOB_NAMES_MOST, sizeof(char *));
	char *copy = strdup(path);
	if (!names->name || !copy) {
		free(copy);
		return iob_fail(err, -ENOMEM, "names of files: %m");
	}
	names->name[names->count++] = copy;
	return 0;
}

/* One name up to a plain colon; returns how much of the list it took. */
static size_t take_name(const char *list, char *out)
{
	const char *at = list;

	for (; *at && *at != ':'; at++) {
		if (*at == '\\' && (at[1] == ':' || at[1] == '\\'))
			at++;
		*out++ = *at;
	}
	*out = '\0';
	return (size_t)(at - list);
}

static int split(
	struct iob_names *names, const char *list, const char *directory, struct iob_error *err)
{
	char name[IOB_LIST_MAX], path[2 * IOB_LIST_MAX];

	while (*list) {
		list += take_name(list, name);
		list += *list == ':';
		if (name[0] == '\0')
			continue;
		bool join = directory[0] != '\0' && name[0] != '/';
		snprintf(
			path, sizeof(path), "%s%s%s", join ? directory : "", join ? "/" : "", name);
		int rc = add(names, path, err);
		if (rc < 0)
			return rc;
	}
	return names->count ? 0 : iob_fail_usage(err, "filename: there is no name in it");
}

int iob_names_split(
	struct iob_names *names, const char *list, const char *directory, struct iob_error *err)
{
	*names = (struct iob_names){0};
	int rc = split(names, list, directory, err);
	if (rc < 0)
		iob_names_free(names);
	return rc;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int iob_names_below(struct iob_names *names, const char *directory, struct iob_error *err)
{
	char copy[IOB_PATH_MAX];
	char *const roots[] = {copy, NULL};
	int rc = 0;

	*names = (struct iob_names){0};
	snprintf(copy, sizeof(copy), "%s", directory);
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!tree)
		return iob_fail(err, -errno, "opendir=%s: %m", directory);
	for (FTSENT *e = fts_read(tree); e && rc == 0; e = fts_read(tree)) {
		if (e->fts_info == FTS_F && S_ISREG(e->fts_statp->st_mode))
			rc = add(names, e->fts_path, err);
		else if (e->fts_info == FTS_NS || e->fts_info == FTS_DNR)
			rc = iob_fail(
				err, -e->fts_errno, "opendir=%s: %s: %m", directory, e->fts_path);
	}
	fts_close(tree);
	if (rc == 0 && names->count == 0)
		rc = iob_fail_usage(err, "opendir=%s: there is no file below it", directory);
	if (rc < 0)
		iob_names_free(names);
	else
		qsort(names->name, names->count, sizeof(char *), by_name);
	return rc;
}

void iob_names_free(struct iob_names *names)
{
	for (unsigned i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct iob_names){0};
}

/* Is there a ".." in it?  Where it leads to cannot be told before what it leads out of is there. */
static bool leads_back(const char *rest)
{
	for (const char *at = rest; *at; at += strspn(at, "/")) {
		size_t n = strcspn(at, "/");

		if (n == 2 && strncmp(at, "..", 2) == 0)
			return true;
		at += n;
	}
	return false;
}

int iob_names_make_directories(const char *path, struct iob_error *err)
{
	IOB_FREE char *copy = strdup(path);

	if (!copy)
		return iob_fail(err, -ENOMEM, "create %s: %m", path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (access(copy, F_OK) < 0) {
			int rc = leads_back(slash + 1)
					 ? iob_fail_usage(err,
						   "create %s: the directory %s does not exist, "
						   "and the path leads out of it again; make it "
						   "first",
						   path, copy)
					 : iob_guard_may_create(copy, err);

			if (rc < 0)
				return rc;
			if (mkdir(copy, S_IRWXU) < 0 && errno != EEXIST)
				return iob_fail(err, -errno, "make the directory %s: %m", copy);
		}
		*slash = '/';
	}
	return 0;
}
