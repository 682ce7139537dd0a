/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/filesystem.h"
#include "target/layout.h"
#include "target/new_file.h"
#include "tests/support/target_fixture.h"

#define MIB ((size_t)1 << 20)

static struct iob_error err;
static struct iob_layout_progress progress;

TestSuite(layout, .init = fixture_open, .fini = fixture_close, .timeout = 60);

static int make(const char *name, const struct iob_layout *layout)
{
	IOB_FD int fd = open(fixture_path(name), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0);
	return iob_layout_fill(fd, fixture_path(name), layout, &err);
}

Test(layout, writes_every_byte_and_counts_them)
{
	const struct iob_layout layout = {.size = 3 * MIB + 777, .seed = 5, .progress = &progress};
	struct stat st;

	cr_assert_eq(make("f", &layout), 0, "%s", err.text);
	cr_assert_eq(stat(fixture_path("f"), &st), 0);
	cr_expect_eq(st.st_size, (off_t)layout.size);
	cr_expect_geq((size_t)st.st_blocks * 512, layout.size);
	cr_expect_eq(atomic_load(&progress.done), layout.size);
}

/* Every 8-byte word occurs once: nothing for a compressor or a deduplicator. */
static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

Test(layout, data_does_not_repeat)
{
	const struct iob_layout layout = {.size = 2 * MIB, .seed = 5};
	size_t n = layout.size / sizeof(uint64_t);
	IOB_FREE uint64_t *words = malloc(layout.size);

	cr_assert_not_null(words);
	cr_assert_eq(make("f", &layout), 0);
	IOB_FD int fd = open(fixture_path("f"), O_RDONLY | O_CLOEXEC);
	cr_assert_eq(read(fd, words, layout.size), (ssize_t)layout.size);
	qsort(words, n, sizeof(*words), by_value);
	for (size_t i = 1; i < n; i++)
		cr_assert_neq(words[i], words[i - 1]);
}

Test(layout, follows_from_the_seed)
{
	cr_assert_eq(make("a", &(struct iob_layout){.size = MIB, .seed = 1}), 0);
	cr_assert_eq(make("b", &(struct iob_layout){.size = MIB, .seed = 1}), 0);
	cr_assert_eq(make("c", &(struct iob_layout){.size = MIB, .seed = 2}), 0);
	cr_expect_eq(fixture_digest(fixture_path("a")), fixture_digest(fixture_path("b")));
	cr_expect_neq(fixture_digest(fixture_path("a")), fixture_digest(fixture_path("c")));
}

Test(layout, stops_when_told)
{
	static _Atomic unsigned stop = 1;
	const struct iob_layout layout = {.size = 64 * MIB, .progress = &progress, .stop = &stop};

	cr_expect_eq(make("f", &layout), -ECANCELED);
	cr_expect_eq(atomic_load(&progress.done), 0);
}

Test(layout, keeps_the_flags_of_the_descriptor)
{
	IOB_FD int fd = open(fixture_path("f"), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	int before = fcntl(fd, F_GETFL);

	cr_assert_eq(iob_layout_fill(fd, "f", &(struct iob_layout){.size = MIB + 1}, &err), 0);
	cr_expect_eq(fcntl(fd, F_GETFL), before);
}

Test(layout, how_a_file_is_filled_is_counted)
{
	struct iob_extents extents;

	cr_assert_eq(make("f", &(struct iob_layout){.size = MIB}), 0);
	IOB_FD int fd = open(fixture_path("f"), O_RDWR | O_CLOEXEC);
	if (!iob_filesystem_extents(fd, 0, MIB, &extents))
		fixture_skip("no FIEMAP on this file system");
	cr_expect_eq(extents.written, MIB);
	cr_assert_eq(ftruncate(fd, 4 * MIB), 0);
	cr_assert_eq(fallocate(fd, 0, 2 * MIB, MIB), 0);
	cr_assert(iob_filesystem_extents(fd, 0, 4 * MIB, &extents));
	cr_expect_eq(extents.written, MIB);
	cr_expect_eq(extents.unwritten, MIB);
	cr_expect_eq(extents.holes, 2 * MIB);
	cr_expect_eq(iob_filesystem_sparse(fd, 0, 4 * MIB), 3 * MIB);
}

Test(layout, what_is_on_its_way_to_the_disk_counts_as_written)
{
	static char data[8 * MIB];
	struct iob_extents extents;

	memset(data, 'x', sizeof(data));
	IOB_FD int fd = open(fixture_path("f"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	cr_assert_eq(fallocate(fd, 0, 0, sizeof(data)), 0);
	cr_assert_eq(write(fd, data, sizeof(data)), (ssize_t)sizeof(data));
	cr_assert_eq(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE), 0);
	if (!iob_filesystem_extents(fd, 0, sizeof(data), &extents))
		fixture_skip("no FIEMAP on this file system");
	cr_expect_eq(extents.written, sizeof(data));
	cr_expect_eq(extents.unwritten, 0);
}

Test(layout, a_new_file_has_no_name_until_it_is_published)
{
	const char *path = fixture_path("new");
	struct iob_new_file file;

	cr_assert_eq(iob_new_file_open(&file, path, false, &err), 0);
	if (file.named)
		fixture_skip("no O_TMPFILE on this file system");
	cr_expect_eq(access(path, F_OK), -1);
	cr_assert_eq(iob_new_file_publish(&file, path, &err), 0);
	cr_expect_eq(access(path, F_OK), 0);
	iob_new_file_discard(&file, path);
	cr_expect_eq(fixture_count(fixture_dir), 0);
}

Test(layout, a_new_file_never_replaces_another)
{
	const char *path = fixture_path("new");
	struct iob_new_file file;

	cr_assert_eq(iob_new_file_open(&file, path, false, &err), 0);
	if (file.named)
		fixture_skip("no O_TMPFILE on this file system");
	fixture_data("new", 4096);
	uint64_t digest = fixture_digest(path);
	cr_expect_eq(iob_new_file_publish(&file, path, &err), -EEXIST);
	iob_new_file_discard(&file, path);
	cr_expect_eq(fixture_digest(path), digest);
}

Test(layout, a_scratch_file_has_no_name_at_all)
{
	struct iob_new_file file;

	cr_assert_eq(iob_new_file_open(&file, fixture_path("s"), true, &err), 0);
	cr_expect_eq(fixture_count(fixture_dir), 0);
	cr_expect_neq(iob_new_file_publish(&file, fixture_path("s"), NULL), 0);
	iob_new_file_discard(&file, fixture_path("s"));
}

Test(layout, a_file_system_that_counts_no_blocks_is_not_full)
{
	IOB_FD int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct iob_room room;

	if (fd < 0)
		cr_skip_test("/proc is not mounted");
	cr_assert_eq(iob_filesystem_room(fd, "/proc", &room, &err), 0, "%s", err.text);
	cr_assert_eq(room.usable, UINT64_MAX);
}

Test(layout, a_directory_that_takes_no_file_is_named_as_that)
{
	struct iob_new_file file;

	cr_assert_lt(iob_new_file_open(&file, "/proc/iotop-bench-test", false, &err), 0);
	cr_assert_null(strstr(err.text, "does not exist"), "%s", err.text);
}
