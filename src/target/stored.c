/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/stored.h"

#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"

/* As many links as the kernel follows. */
#define MOST_LINKS 40

/* Where linux/magic.h has none. */
#define CONFIGFS 0x62656570
#define FUSECTL  0x65735543
#define MQUEUE   0x19800202

static const struct {
	unsigned long magic;
	const char *name;
} made_up[] = {
	{PROC_SUPER_MAGIC, "proc"},
	{SYSFS_MAGIC, "sysfs"},
	{DEBUGFS_MAGIC, "debugfs"},
	{TRACEFS_MAGIC, "tracefs"},
	{SECURITYFS_MAGIC, "securityfs"},
	{SELINUX_MAGIC, "selinuxfs"},
	{CGROUP_SUPER_MAGIC, "cgroup"},
	{CGROUP2_SUPER_MAGIC, "cgroup2"},
	{EFIVARFS_MAGIC, "efivarfs"},
	{PSTOREFS_MAGIC, "pstore"},
	{BPF_FS_MAGIC, "bpf"},
	{BINFMTFS_MAGIC, "binfmt_misc"},
	{DEVPTS_SUPER_MAGIC, "devpts"},
	{NSFS_MAGIC, "nsfs"},
	{CONFIGFS, "configfs"},
	{FUSECTL, "fusectl"},
	{MQUEUE, "mqueue"},
};

int iob_target_check_stored(const char *path, struct iob_error *err)
{
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return 0;
	for (size_t i = 0; i < sizeof(made_up) / sizeof(made_up[0]); i++)
		if ((unsigned long)fs.f_type == made_up[i].magic)
			return iob_fail_usage(err,
				"%s is not stored anywhere: the kernel makes it up (%s); name a "
				"file or directory on a disk",
				path, made_up[i].name);
	return 0;
}

/* Below /proc/self, which is a link to the number that we have there. */
static bool is_own_folder(const char *directory)
{
	char self[32];
	struct statfs fs;

	if (statfs(directory, &fs) < 0 || (unsigned long)fs.f_type != PROC_SUPER_MAGIC)
		return false;
	IOB_FREE char *real = realpath(directory, NULL);
	ssize_t n = readlink("/proc/self", self, sizeof(self));
	return real && n > 0 && strncmp(real, "/proc/", 6) == 0 &&
	       strncmp(real + 6, self, (size_t)n) == 0 &&
	       (real[6 + n] == '/' || real[6 + n] == '\0');
}

/* What the link at path leads to, from where it lies. */
static bool follow(char path[PATH_MAX], const char *directory)
{
	char link[PATH_MAX], next[2 * PATH_MAX];
	ssize_t n = readlink(path, link, sizeof(link) - 1);

	if (n <= 0)
		return false;
	link[n] = '\0';
	int len = snprintf(next, sizeof(next), "%s%s%s", link[0] == '/' ? "" : directory,
		link[0] == '/' ? "" : "/", link);
	if (len >= PATH_MAX)
		return false;
	memcpy(path, next, (size_t)len + 1);
	return true;
}

static bool is_own(const char *name)
{
	char path[PATH_MAX], copy[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s", name) >= (int)sizeof(path))
		return false;
	for (unsigned i = 0; i < MOST_LINKS; i++) {
		memcpy(copy, path, sizeof(copy));
		const char *directory = dirname(copy);

		if (is_own_folder(directory))
			return true;
		if (!follow(path, directory))
			return false;
	}
	return false;
}

int iob_target_check_name(const char *path, struct iob_error *err)
{
	if (!is_own(path))
		return 0;
	return iob_fail_usage(err,
		"%s means another file in each process, here one of the program itself; name the "
		"file by a path of its own",
		path);
}
