/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/ioscheduler.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "target/sysfs.h"

struct offer {
	char names[256]; /* separated by blanks, without the brackets of the active one */
	char active[64];
};

static void take_list(struct offer *o, char *list)
{
	size_t used = 0;
	char *save = NULL;

	for (char *w = strtok_r(list, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (w[0] == '[') {
			w++;
			w[strcspn(w, "]")] = '\0';
			snprintf(o->active, sizeof(o->active), "%s", w);
		}
		if (used < sizeof(o->names))
			used += (size_t)snprintf(o->names + used, sizeof(o->names) - used, "%s%s",
				used ? " " : "", w);
	}
}

static bool offers(const struct offer *o, const char *name)
{
	size_t n = strlen(name);

	for (const char *w = o->names; *w; w += strspn(w, " ")) {
		size_t length = strcspn(w, " ");

		if (n == length && strncmp(w, name, n) == 0)
			return true;
		w += length;
	}
	return false;
}

static const char *successor(const char *name)
{
	static const char *const renamed[][2] = {
		{"noop", "none"}, {"deadline", "mq-deadline"}, {"cfq", "bfq"}};

	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (strcmp(name, renamed[i][0]) == 0)
			return renamed[i][1];
	return name;
}

int iob_ioscheduler_find(struct iob_ioscheduler *s, const char *root, const char *disk,
	const char *name, struct iob_error *err)
{
	struct offer o = {"", ""};
	char directory[256], list[256];

	snprintf(directory, sizeof(directory), "%s/sys/block/%s/queue", root, disk);
	if (!iob_sysfs_text(directory, "scheduler", list, sizeof(list)))
		return iob_fail(err, -ENOENT,
			"ioscheduler=%s: %s/scheduler cannot be read; leave it out", name,
			directory);
	take_list(&o, list);
	const char *known = offers(&o, name) ? name : successor(name);
	if (!offers(&o, known))
		return iob_fail_usage(err,
			"ioscheduler=%s: not one of those that the kernel has for %s: %s", name,
			disk, o.names);
	snprintf(s->name, sizeof(s->name), "%s", known);
	snprintf(s->active, sizeof(s->active), "%s", o.active);
	return 0;
}
