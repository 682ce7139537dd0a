/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "target/mark.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#define NAME "user.iotop-bench.written"
#define ROOM 160

static int format(char text[ROOM], const struct stat *st)
{
	return snprintf(text, ROOM, "2 %u:%u %llu %lld %lld.%09ld", major(st->st_dev),
		minor(st->st_dev), (unsigned long long)st->st_ino, (long long)st->st_size,
		(long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

void iob_mark_set(int fd)
{
	char text[ROOM];
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		(void)fsetxattr(fd, NAME, text, (size_t)format(text, &st), 0);
}

bool iob_mark_holds(const char *path, const struct stat *st)
{
	char have[ROOM], want[ROOM];
	/* Whole seconds: a change within the same one would not be seen. */
	if (st->st_mtim.tv_nsec == 0)
		return false;
	ssize_t n = S_ISREG(st->st_mode) && st->st_nlink == 1
			    ? getxattr(path, NAME, have, sizeof(have))
			    : -1;

	return n > 0 && n == format(want, st) && memcmp(have, want, (size_t)n) == 0;
}
