/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/denied.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "target/filesystem.h"

typedef char name[40];

/* False, and the number, when the file on this machine does not have it. */
static bool user_name(name out, uid_t uid)
{
	IOB_FILE FILE *f = fopen("/etc/passwd", "re");

	for (const struct passwd *p; f && (p = fgetpwent(f));)
		if (p->pw_uid == uid) {
			iob_text_clean(out, sizeof(name), p->pw_name);
			return true;
		}
	snprintf(out, sizeof(name), "%u", uid);
	return false;
}

static void group_name(name out, gid_t gid)
{
	IOB_FILE FILE *f = fopen("/etc/group", "re");

	for (const struct group *g; f && (g = fgetgrent(f));)
		if (g->gr_gid == gid) {
			iob_text_clean(out, sizeof(name), g->gr_name);
			return;
		}
	snprintf(out, sizeof(name), "%u", gid);
}

static bool is_on_nfs(const char *path)
{
	struct iob_filesystem fs = {0};
	IOB_FD int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd >= 0)
		iob_filesystem_of(fd, &fs);
	return strncmp(fs.type, "nfs", 3) == 0;
}

static void say_remedy(FILE *f, const char *path, const struct stat *st)
{
	name group;

	if (geteuid() == 0 && is_on_nfs(path)) {
		fputs("the NFS server takes root for somebody else (root_squash): run as its owner",
			f);
	} else if (geteuid() == 0) {
		fputs("not even root may here: a sandbox, a security module or another user's FUSE "
		      "mount forbids it",
			f);
	} else if (st && (S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode)) && st->st_gid != 0 &&
		   (st->st_mode & S_IRGRP)) {
		group_name(group, st->st_gid);
		fprintf(f, "run as root, or join the group %s", group);
	} else {
		fputs("run as root, or as a user who may", f);
	}
}

char *iob_denied_why(char *buf, size_t n, const char *path)
{
	name who, owner, group;
	struct stat st;

	memset(buf, 0, n);
	IOB_FILE FILE *f = fmemopen(buf, n - 1, "w");
	if (!f)
		return buf;
	fprintf(f, "uid %u", geteuid());
	if (user_name(who, geteuid()))
		fprintf(f, " (%s)", who);
	bool seen = stat(path, &st) == 0;
	if (seen) {
		user_name(owner, st.st_uid);
		group_name(group, st.st_gid);
		fprintf(f, " may not: it is %s:%s %04o; ", owner, group, st.st_mode & 07777);
	} else {
		fputs(" may not; ", f);
	}
	say_remedy(f, path, seen ? &st : NULL);
	return buf;
}
