/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/runs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/user_dir.h"

#define SUFFIX ".json"
#define STAMP  15 /* "20260518-140211" */

/* What we made lies in a place of ours, whatever XDG_STATE_HOME names. */
static int check_owner(const char *folder, struct iob_error *err)
{
	struct stat there, behind;

	if (lstat(folder, &there) < 0 || stat(folder, &behind) < 0)
		return iob_fail(err, -errno, "%s: %m", folder);
	if (there.st_uid != geteuid() || behind.st_uid != geteuid())
		return iob_fail(err, -EPERM,
			"%s is somebody else's: no run is kept there; set XDG_STATE_HOME to a "
			"directory of your own",
			folder);
	return 0;
}

/* Letters that make no trouble in a file's name. */
static void tame(char *text)
{
	for (char *p = text; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '.' && *p != '_')
			*p = '_';
	if (text[0] == '.')
		text[0] = '_';
}

char *iob_runs_target(char *buf, size_t n, const struct iob_target_info *t)
{
	const char *slash = strrchr(t->path, '/');
	const char *name = slash && slash[1] ? slash + 1 : t->path;

	if (t->kind == IOB_TARGET_NULL)
		name = "null";
	else if (t->kind == IOB_TARGET_SCRATCH || !name[0])
		name = "scratch";
	snprintf(buf, n, "%.60s", name);
	tame(buf);
	return buf;
}

/* "nvme0n1-20260518-140211.json", maybe with "-2" before the suffix. */
static bool parse_name(const char *name, struct iob_runs_entry *e)
{
	size_t n = strlen(name), suffix = strlen(SUFFIX);
	const char *dash = strchr(name, '-');
	char d[STAMP + 1];

	if (n < suffix + STAMP + 2 || strcmp(name + n - suffix, SUFFIX) != 0 || !dash ||
		(size_t)(dash - name) >= sizeof(e->target) || strlen(dash) < STAMP + 1 + suffix)
		return false;
	memcpy(d, dash + 1, STAMP);
	d[STAMP] = '\0';
	if (strspn(d, "0123456789") != 8 || d[8] != '-' || strspn(d + 9, "0123456789") != 6)
		return false;
	snprintf(e->target, sizeof(e->target), "%.*s", (int)(dash - name), name);
	snprintf(e->when, sizeof(e->when), "%.4s-%.2s-%.2s %.2s:%.2s", d, d + 4, d + 6, d + 9,
		d + 11);
	return true;
}

/* By time, the newest first; the names begin with the target. */
static int newest_first(const struct dirent **a, const struct dirent **b)
{
	const char *x = strchr((*a)->d_name, '-'), *y = strchr((*b)->d_name, '-');

	return strcmp(y ? y : "", x ? x : "");
}

static int is_run(const struct dirent *d)
{
	struct iob_runs_entry e;

	/* A pipe of such a name would be waited for. */
	return (d->d_type == DT_REG || d->d_type == DT_LNK || d->d_type == DT_UNKNOWN) &&
	       parse_name(d->d_name, &e);
}

static void free_names(struct dirent **names, int n)
{
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

int iob_runs_list(
	struct iob_runs_entry **list, const char *target, size_t most, struct iob_error *err)
{
	char folder[IOB_PATH_MAX];
	struct dirent **names = NULL;
	size_t count = 0;

	*list = NULL;
	int r = iob_user_dir(IOB_USER_STATE, folder, sizeof(folder) - 300, err);
	if (r < 0)
		return r;
	int n = scandir(folder, &names, is_run, newest_first);
	if (n < 0)
		return errno == ENOENT ? 0 : iob_fail(err, -errno, "list %s: %m", folder);
	struct iob_runs_entry *found = calloc(most ? most : 1, sizeof(*found));
	for (int i = 0; found && i < n && count < most; i++) {
		struct iob_runs_entry *e = &found[count];

		parse_name(names[i]->d_name, e);
		if (target && strcmp(e->target, target) != 0)
			continue;
		snprintf(e->path, sizeof(e->path), "%.3700s/%.255s", folder, names[i]->d_name);
		count++;
	}
	free_names(names, n);
	*list = found;
	return found ? (int)count : iob_fail(err, -ENOMEM, "list %s: %m", folder);
}

static void prune(const char *folder)
{
	struct dirent **names = NULL;
	int n = scandir(folder, &names, is_run, newest_first);
	char path[IOB_PATH_MAX + 300];

	for (int i = IOB_RUNS_MOST; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
		unlink(path);
	}
	if (n >= 0)
		free_names(names, n);
}

static int keep(const struct iob_runs_document *d, char *path, size_t n, struct iob_error *err)
{
	char folder[IOB_PATH_MAX], stamp[STAMP + 1];
	struct tm tm;
	int r = iob_user_dir(IOB_USER_STATE, folder, sizeof(folder) - 300, err);

	if (r == 0)
		r = iob_user_dir_make(folder, err);
	if (r == 0)
		r = check_owner(folder, err);
	if (r < 0)
		return r;
	localtime_r(&d->started_s, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	snprintf(path, n, "%s/%s-%s" SUFFIX, folder, d->name, stamp);
	for (int i = 2; i < 100 && access(path, F_OK) == 0; i++)
		snprintf(path, n, "%s/%s-%s-%d" SUFFIX, folder, d->name, stamp, i);
	r = iob_document_save(&d->document, path, err);
	if (r == 0)
		prune(folder);
	return r;
}

int iob_runs_rescue_document(
	const struct iob_runs_document *d, char *path, size_t n, struct iob_error *err)
{
	const char *const places[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
	int rc = keep(d, path, n, err);

	for (size_t i = 0; rc < 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		struct iob_error later;
		uint64_t number = 0;

		if (!places[i] || places[i][0] != '/' || getrandom(&number, sizeof(number), 0) < 0)
			continue;
		snprintf(path, n, "%s/iotop-bench-%016llx" SUFFIX, places[i],
			(unsigned long long)number);
		rc = iob_document_save(&d->document, path, &later);
	}
	return rc;
}

static int write_result(const void *result, FILE *f, struct iob_error *err)
{
	return iob_format_find("json")->write(result, f, err);
}

/* target: room for the word that stands for it. */
static struct iob_runs_document document_of(const struct iob_result *r, char *target, size_t n)
{
	return (struct iob_runs_document){
		.name = iob_runs_target(target, n, &r->target),
		.started_s = (time_t)r->started_s,
		.document = {write_result, r, iob_result_has_hung(r)},
	};
}

int iob_runs_keep(const struct iob_result *result, char *path, size_t n, struct iob_error *err)
{
	char target[64];
	struct iob_runs_document d = document_of(result, target, sizeof(target));

	return keep(&d, path, n, err);
}

int iob_runs_rescue(const struct iob_result *result, char *path, size_t n, struct iob_error *err)
{
	char target[64];
	struct iob_runs_document d = document_of(result, target, sizeof(target));

	return iob_runs_rescue_document(&d, path, n, err);
}
