/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/openers.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/sysfs.h"

/* What any process has open may lie on a server that does not answer: only what the kernel knows
 * anyway is asked. */
static bool is_it(int folder, const char *name, const struct stat *st)
{
	struct statx there;

	if (statx(folder, name, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &there) < 0 ||
		(there.stx_mode & S_IFMT) != (st->st_mode & S_IFMT))
		return false;
	if (S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode))
		return makedev(there.stx_rdev_major, there.stx_rdev_minor) == st->st_rdev;
	return there.stx_ino == st->st_ino &&
	       makedev(there.stx_dev_major, there.stx_dev_minor) == st->st_dev;
}

/* "flags:\t0100002", the flags of open in octal. */
static bool may_write(const char *pid, const char *fd)
{
	char path[600], line[128];

	snprintf(path, sizeof(path), "/proc/%.64s/fdinfo/%.256s", pid, fd);
	IOB_FILE FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "flags:", 6) == 0)
			return (strtoul(line + 6, NULL, 8) & O_ACCMODE) != O_RDONLY;
	return false;
}

/* 0 = has it not; 1 = reads, 2 = writes; negative errno: it cannot be looked into. */
static int holds(const char *pid, const struct stat *st)
{
	char path[600];
	const struct dirent *e = NULL;
	int how = 0;

	snprintf(path, sizeof(path), "/proc/%.64s/fd", pid);
	DIR *d = opendir(path);
	if (!d)
		return -errno;
	while (how < 2 && (e = readdir(d))) {
		if (!isdigit((unsigned char)e->d_name[0]) || !is_it(dirfd(d), e->d_name, st))
			continue;
		int now = may_write(pid, e->d_name) ? 2 : 1;
		how = now > how ? now : how;
	}
	closedir(d);
	return how;
}

static void name_it(struct iob_openers *o, const char *pid, bool writes)
{
	char folder[128], name[32];
	size_t used = strlen(o->text);

	snprintf(folder, sizeof(folder), "/proc/%.64s", pid);
	if (!iob_sysfs_text(folder, "comm", name, sizeof(name)))
		snprintf(name, sizeof(name), "?");
	snprintf(o->text + used, sizeof(o->text) - used, "%s%s (%.16s%s)", used ? ", " : "", name,
		pid, writes ? ", writing" : "");
}

/* In a container /proc shows its own processes only; the first name space has a fixed number. */
static bool sees_its_own_alone(void)
{
	static const char first[] = "pid:[4026531836]";
	char name[32];
	ssize_t n = readlink("/proc/self/ns/pid", name, sizeof(name));

	return n != (ssize_t)strlen(first) || memcmp(name, first, (size_t)n) != 0;
}

void iob_openers_find(struct iob_openers *o, const struct stat *st, bool writers_only)
{
	DIR *d = opendir("/proc");
	const struct dirent *e = NULL;

	/* Without root they may not even be listed (hidepid). */
	*o = (struct iob_openers){.unseen = !d || geteuid() != 0 || sees_its_own_alone()};
	while (d && (e = readdir(d))) {
		if (!isdigit((unsigned char)e->d_name[0]) ||
			strtol(e->d_name, NULL, 10) == (long)getpid())
			continue;
		int how = holds(e->d_name, st);
		o->unseen |= how == -EACCES || how == -EPERM;
		if (how <= 0 || (writers_only && how < 2))
			continue;
		o->count++;
		o->writers += how == 2 ? 1 : 0;
		name_it(o, e->d_name, how == 2);
	}
	if (d)
		closedir(d);
}

bool iob_openers_may_exist(int fd, bool ours_writes)
{
	/* A lease for reading is given when nobody has the file open for writing, one for writing
	 * when nobody has it open at all.  Its signal is one that does nothing by itself. */
	if (fcntl(fd, F_SETSIG, SIGURG) < 0)
		return false;
	bool busy = fcntl(fd, F_SETLEASE, ours_writes ? F_WRLCK : F_RDLCK) < 0 && errno == EAGAIN;
	(void)fcntl(fd, F_SETLEASE, F_UNLCK);
	(void)fcntl(fd, F_SETSIG, 0);
	return busy;
}
