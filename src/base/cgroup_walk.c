/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/cgroup_walk.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define LINE 4600

/* One tree: where it is mounted, which of its groups stands at the mount, and ours.  On the stack:
 * whoever asks how much memory there is may have none. */
struct tree {
	char mount[2048];
	char top[1024];
	char group[PATH_MAX];
};

static FILE *open_of_process(const char *root, const char *name)
{
	char path[1024];

	if (snprintf(path, sizeof(path), "%s/proc/self/%s", root, name) >= (int)sizeof(path))
		return NULL;
	return fopen(path, "re");
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(list, word); p; p = strstr(p + 1, word))
		if ((p == list || p[-1] == ',') && (p[n] == '\0' || p[n] == ',' || p[n] == '\n'))
			return true;
	return false;
}

/* "5:cpu,cpuacct:/group"; of version 2 "0::/group". */
static bool find_group(struct tree *t, const char *root, const char *controller)
{
	IOB_FILE FILE *f = open_of_process(root, "cgroup");
	char line[LINE];

	while (f && fgets(line, sizeof(line), f)) {
		char *list = strchr(line, ':');
		char *group = list ? strchr(list + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		if (controller[0] ? !has_word(list + 1, controller) : list[1] != '\0')
			continue;
		group[strcspn(group, "\n")] = '\0';
		return snprintf(t->group, sizeof(t->group), "%s", group) < PATH_MAX;
	}
	return false;
}

/* "30 23 0:26 /top /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu" */
static bool find_mount(struct tree *t, const char *root, const char *controller)
{
	IOB_FILE FILE *f = open_of_process(root, "mountinfo");
	char line[LINE], top[1024], point[1024];

	while (f && fgets(line, sizeof(line), f)) {
		const char *rest = strstr(line, " - cgroup");
		const char *options = rest ? strrchr(rest, ' ') : NULL;
		bool second = rest && strncmp(rest, " - cgroup2 ", 11) == 0;

		if (!options || second != (controller[0] == '\0') ||
			(!second && !has_word(options + 1, controller)))
			continue;
		if (sscanf(line, "%*s %*s %*s %1023s %1023s", top, point) != 2)
			continue;
		snprintf(t->top, sizeof(t->top), "%s", strcmp(top, "/") == 0 ? "" : top);
		return snprintf(t->mount, sizeof(t->mount), "%s%s", root, point) <
		       (int)sizeof(t->mount);
	}
	return false;
}

static bool find_tree(struct tree *t, const char *root, const char *controller)
{
	if (!find_group(t, root, controller) || !find_mount(t, root, controller))
		return false;
	size_t n = strlen(t->top);
	/* In a container the mount shows a part of the tree. */
	if (n && strncmp(t->group, t->top, n) == 0 && strchr("/", t->group[n]))
		memmove(t->group, t->group + n, strlen(t->group + n) + 1);
	if (strcmp(t->group, "/") == 0)
		t->group[0] = '\0';
	return true;
}

bool iob_cgroup_walk(const char *root, const char *controller, iob_cgroup_visit *visit, void *arg)
{
	struct tree t;
	char folder[PATH_MAX];

	if (!find_tree(&t, root, controller))
		return false;
	for (;;) {
		if (snprintf(folder, sizeof(folder), "%s%s", t.mount, t.group) <
			(int)sizeof(folder))
			visit(arg, folder);
		char *slash = strrchr(t.group, '/');
		if (!slash)
			return true;
		*slash = '\0';
	}
}
