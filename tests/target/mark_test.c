/* SPDX-License-Identifier: MIT */
/* The mark of files that we made holds for that file alone, and while nobody else writes to it. */
#include <config.h>

#include "target/mark.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tests/support/target_fixture.h"

#define NAME "user.iotop-bench.written"

static struct stat st;

TestSuite(mark, .init = fixture_open, .fini = fixture_close, .timeout = 10);

static bool holds(const char *path)
{
	cr_assert_eq(stat(path, &st), 0);
	return iob_mark_holds(path, &st);
}

/* A file with a mark; NULL where there are no such attributes. */
static const char *marked(void)
{
	const char *path = fixture_data("mine", 8192);
	int fd = open(path, O_RDWR);

	cr_assert_geq(fd, 0);
	cr_assert_not(holds(path), "it has none yet");
	iob_mark_set(fd);
	close(fd);
	return getxattr(path, NAME, NULL, 0) > 0 ? path : NULL;
}

#define NEED(path)                                                                                 \
	if (!(path))                                                                               \
	fixture_skip("no extended attributes here")

Test(mark, holds_for_the_file_as_it_was)
{
	const char *path = marked();

	NEED(path);
	cr_assert(holds(path));
	const char *moved = fixture_path("moved");
	cr_assert_eq(rename(path, moved), 0);
	cr_assert(holds(moved), "the same file");
}

/* A file system that keeps whole seconds: a change within the same one could not be seen. */
Test(mark, does_not_hold_where_times_are_coarse)
{
	const struct timespec whole[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
	const char *path = marked();

	NEED(path);
	int fd = open(path, O_RDWR);
	cr_assert_eq(futimens(fd, whole), 0);
	iob_mark_set(fd);
	close(fd);
	cr_assert_not(holds(path));
}

Test(mark, does_not_hold_for_a_copy_with_all_that_it_had)
{
	const char *path = marked();
	char text[256];

	NEED(path);
	ssize_t n = getxattr(path, NAME, text, sizeof(text));
	cr_assert_eq(stat(path, &st), 0);
	const struct timespec times[2] = {st.st_atim, st.st_mtim};
	const char *copy = fixture_data("copy", 8192);
	cr_assert_eq(setxattr(copy, NAME, text, (size_t)n, 0), 0);
	cr_assert_eq(utimensat(AT_FDCWD, copy, times, 0), 0);
	cr_assert_not(holds(copy));
	cr_assert(holds(path));
}

Test(mark, does_not_hold_once_it_was_written_or_linked)
{
	const char *path = marked();

	NEED(path);
	const struct timespec times[2] = {st.st_atim, st.st_mtim};
	const char *other = fixture_path("other");
	cr_assert_eq(link(path, other), 0);
	cr_assert_not(holds(path), "somebody gave it a second name");
	cr_assert_eq(unlink(other), 0);
	cr_assert(holds(path));
	cr_assert_eq(truncate(path, 4096), 0);
	cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	cr_assert_not(holds(path), "another size, though the time is the same");
}
