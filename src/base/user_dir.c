/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/user_dir.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define FOLDER "iotop-bench"

static const char *home_of_root(void)
{
	const struct passwd *root = getpwuid(0);

	return root && root->pw_dir ? root->pw_dir : "/root";
}

static bool is_of_others(const char *path)
{
	struct stat st;

	return geteuid() == 0 && stat(path, &st) == 0 && st.st_uid != 0;
}

int iob_user_dir(enum iob_user_dir which, char *buf, size_t n, struct iob_error *err)
{
	static const struct {
		const char *variable, *below, *what;
	} dirs[] = {
		[IOB_USER_STATE] = {"XDG_STATE_HOME", ".local/state", "to keep runs"},
		[IOB_USER_CONFIG] = {"XDG_CONFIG_HOME", ".config", "settings are"},
	};
	const char *base = getenv(dirs[which].variable), *home = getenv("HOME");
	int used;

	if (base && base[0] == '/' && !is_of_others(base)) {
		used = snprintf(buf, n, "%s/" FOLDER, base);
	} else {
		if (!home || home[0] != '/' || is_of_others(home))
			home = geteuid() == 0 ? home_of_root() : NULL;
		if (!home)
			return iob_fail(err, -ENOENT, "neither %s nor HOME says where %s",
				dirs[which].variable, dirs[which].what);
		used = snprintf(buf, n, "%s/%s/" FOLDER, home, dirs[which].below);
	}
	if (used < 0 || (size_t)used >= n)
		return iob_fail(err, -ENAMETOOLONG, "the name of the directory is too long");
	return 0;
}

int iob_user_dir_make(const char *path, struct iob_error *err)
{
	IOB_FREE char *part = strdup(path);

	if (!part)
		return iob_fail(err, -ENOMEM, "%s: %m", path);
	for (char *slash = strchr(part + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return iob_fail(err, -errno, "make %s: %m", part);
		if (!slash)
			return 0;
		*slash = '/';
	}
}
