/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

#include "base/cleanup.h"
#include "base/nearest.h"
#include "job/profile.h"
#include "job/profile_scan.h"

#define MOST_DIRECTORIES 16

struct search {
	unsigned count;
	char directory[MOST_DIRECTORIES][IOB_PATH_MAX];
};

static void add_directory(struct search *s, const char *text, size_t n, const char *below)
{
	/* An empty entry would mean "here"; nobody wants profiles of a chance directory. */
	if (n == 0 || s->count == MOST_DIRECTORIES)
		return;
	int length = snprintf(s->directory[s->count], IOB_PATH_MAX, "%.*s%s", (int)n, text, below);
	if (length > 0 && length < IOB_PATH_MAX)
		s->count++;
}

/* A program that runs where it was built finds the profiles of its source tree. */
static void add_build_tree(struct search *s)
{
	char program[IOB_PATH_MAX];
	char mark[IOB_PATH_MAX + 16];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (n <= 0)
		return;
	program[n] = '\0';
	*strrchr(program, '/') = '\0';
	snprintf(mark, sizeof(mark), "%s/config.status", program);
	if (access(mark, F_OK) < 0)
		return;
	add_directory(s, program, strlen(program), "/profiles");
	add_directory(s, program, strlen(program), "/../profiles");
}

static struct search *search_path(void)
{
	struct search *s = calloc(1, sizeof(*s));
	const char *list = getenv("IOTOP_BENCH_PROFILES");
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (!s)
		return NULL;
	while (list && *list != '\0') {
		size_t n = strcspn(list, ":");

		add_directory(s, list, n, "");
		list += n + (list[n] == ':');
	}
	/* The XDG rules say that a relative path is to be ignored. */
	if (config && config[0] == '/')
		add_directory(s, config, strlen(config), "/iotop-bench/profiles");
	else if (home && home[0] == '/')
		add_directory(s, home, strlen(home), "/.config/iotop-bench/profiles");
	add_build_tree(s);
	add_directory(s, IOB_PROFILE_DIR, strlen(IOB_PROFILE_DIR), "");
	return s;
}

static bool ends_in_ini(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, ".ini") == 0;
}

static int fail_unknown(const char *name, struct iob_error *err)
{
	struct iob_error ignored = {0};
	IOB_FREE struct iob_profile_entry *list = NULL;
	struct iob_nearest nearest = {.typed = name};
	int n = iob_profile_list(&list, &ignored);

	for (int i = 0; i < n; i++)
		iob_nearest_offer(&nearest, list[i].name);
	if (nearest.best)
		return iob_fail_usage(err,
			"profile %.64s: there is none; did you mean %s?  "
			"\"iotop-bench profiles\" lists them",
			name, nearest.best);
	return iob_fail_usage(err,
		"profile %.64s: there is none; \"iotop-bench profiles\" lists them, and a file is "
		"named by its path",
		name);
}

int iob_profile_path(char *path, size_t n, const char *name, struct iob_error *err)
{
	if (name[0] == '\0')
		return iob_fail_usage(err, "profile: the name is empty; \"iotop-bench profiles\" "
					   "lists them");
	if (strlen(name) >= n)
		return iob_fail_usage(err, "profile %.64s...: the name is too long", name);
	if (strchr(name, '/') || ends_in_ini(name)) {
		snprintf(path, n, "%s", name);
		return 0;
	}
	IOB_FREE struct search *s = search_path();
	for (unsigned i = 0; s && i < s->count; i++) {
		int length = snprintf(path, n, "%s/%s.ini", s->directory[i], name);
		if (length > 0 && (size_t)length < n && access(path, F_OK) == 0)
			return 0;
	}
	return fail_unknown(name, err);
}

static int rank(const char *name)
{
	static const char *const first[] = {"iops", "bandwidth", "latency", "mixed", NULL};
	int i = 0;

	while (first[i] && strcmp(first[i], name) != 0)
		i++;
	return i;
}

static int compare(const void *a, const void *b)
{
	const struct iob_profile_entry *x = a;
	const struct iob_profile_entry *y = b;
	int by_rank = rank(x->name) - rank(y->name);

	return by_rank != 0 ? by_rank : strcmp(x->name, y->name);
}

struct listing {
	struct iob_profile_entry *entries;
	size_t count;
};

static bool is_listed(const struct listing *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		size_t n = strlen(l->entries[i].name);

		if (strncmp(l->entries[i].name, name, n) == 0 && strcmp(name + n, ".ini") == 0)
			return true;
	}
	return false;
}

static int add_file(struct listing *l, const char *directory, const char *name)
{
	char path[IOB_PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s", directory, name);

	if (length >= IOB_PATH_MAX || strlen(name) >= IOB_NAME_MAX + 4 || is_listed(l, name))
		return 0;
	void *grown = iob_array_extend(l->entries, l->count, sizeof(*l->entries));
	if (!grown)
		return -ENOMEM;
	l->entries = grown;
	int rc = iob_profile_describe(&l->entries[l->count], path);
	if (rc == 0)
		l->count++;
	return rc;
}

static int add_files(struct listing *l, const char *directory)
{
	DIR *d = opendir(directory);
	int rc = 0;

	if (!d)
		return 0;
	for (;;) {
		const struct dirent *e = readdir(d);

		if (!e || rc < 0)
			break;
		if (e->d_name[0] != '.' && ends_in_ini(e->d_name))
			rc = add_file(l, directory, e->d_name);
	}
	closedir(d);
	return rc;
}

int iob_profile_list(struct iob_profile_entry **list, struct iob_error *err)
{
	struct listing l = {0};
	IOB_FREE struct search *s = search_path();
	int rc = s ? 0 : -ENOMEM;

	*list = NULL;
	for (unsigned i = 0; s && rc == 0 && i < s->count; i++)
		rc = add_files(&l, s->directory[i]);
	if (rc < 0) {
		free(l.entries);
		return iob_fail(err, rc, "list of profiles: %m");
	}
	if (l.count > 0)
		qsort(l.entries, l.count, sizeof(*l.entries), compare);
	*list = l.entries;
	return (int)l.count;
}
