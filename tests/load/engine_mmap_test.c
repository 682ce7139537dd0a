/* SPDX-License-Identifier: MIT */
/* What is special about mmap: bus errors, windows, whole pages, read-only targets. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "job/param.h"
#include "tests/support/engine_drive.h"

#define TIB (UINT64_C(1) << 40)

static unsigned mmap_index(void)
{
	unsigned index = 0;

	while (strcmp(iob_engines[index]->name, "mmap") != 0)
		index++;
	return index;
}

static void expect_survival(enum iob_op op)
{
	cr_assert_eq(drive_perform(op, 20 * BLOCK, BLOCK, 0), BLOCK);
	cr_assert_eq(ftruncate(d.target[0].fd, 8 * BLOCK), 0);
	for (unsigned i = 0; i < 3; i++)
		cr_assert_eq(drive_perform(op, (uint64_t)(20 + i) * BLOCK, BLOCK, 0), -EIO);
	const char *why = d.engine->explain(d.state, &d.req[0]);
	cr_assert(why && strstr(why, "became shorter"), "%s", why);
	cr_assert_eq(drive_perform(op, 2 * BLOCK, BLOCK, 0), BLOCK);
}

Test(mmap, a_shrunken_file_is_an_error_of_the_request, .timeout = 30)
{
	drive_start(mmap_index());
	expect_survival(IOB_OP_READ);
	drive_finish();
	drive_start(mmap_index());
	expect_survival(IOB_OP_WRITE);
	drive_finish();
}

/* As the workers are: a bus error while SIGBUS is blocked kills the process. */
static void *with_all_signals_blocked(void *arg)
{
	sigset_t all;

	(void)arg;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	drive_start(mmap_index());
	expect_survival(IOB_OP_READ);
	drive_finish();
	return NULL;
}

Test(mmap, a_worker_survives_too, .timeout = 30)
{
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, with_all_signals_blocked, NULL), 0);
	pthread_join(thread, NULL);
}

/* Not every bus error is the engine's. */
Test(mmap, a_bus_error_elsewhere_kills, .signal = SIGBUS, .timeout = 30)
{
	signal(SIGBUS, SIG_DFL);
	drive_start(mmap_index());
	cr_assert_eq(drive_perform(IOB_OP_READ, 0, BLOCK, 0), BLOCK);
	void *map = mmap(NULL, BLOCK, PROT_READ, MAP_SHARED, d.target[1].fd, 60 * BLOCK);
	cr_assert_neq(map, MAP_FAILED);
	cr_assert_eq(ftruncate(d.target[1].fd, 0), 0);
	(void)*(const volatile char *)map;
}

Test(mmap, a_large_file_is_seen_through_windows, .timeout = 30)
{
	static const uint64_t places[] = {0, TIB, 3 * TIB - BLOCK, 64 * (TIB >> 10) - BLOCK / 2,
		128 * (TIB >> 10) - BLOCK / 2, 0, TIB};
	int fd = drive_file(0);

	if (ftruncate(fd, 3 * (off_t)TIB) < 0)
		cr_skip_test("the file system has no files of 3 TiB: %m");
	drive_start_with(mmap_index(), 1, fd, -1);
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		drive_fill(d.req[0].buf, BLOCK, places[i], 4);
		cr_assert_eq(drive_perform(IOB_OP_WRITE, places[i], BLOCK, 0), BLOCK);
	}
	cr_assert_eq(drive_perform(IOB_OP_FSYNC, 0, 0, 0), 0);
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		unsigned char seen[BLOCK];

		cr_assert_eq(pread(fd, seen, BLOCK, (off_t)places[i]), BLOCK);
		drive_expect(seen, BLOCK, places[i], 4);
		memset(d.req[0].buf, 0, BLOCK);
		cr_assert_eq(drive_perform(IOB_OP_READ, places[i], BLOCK, 0), BLOCK);
		drive_expect(d.req[0].buf, BLOCK, places[i], 4);
	}
	cr_assert_eq(drive_perform(IOB_OP_READ, 3 * TIB - BLOCK, 2 * BLOCK, 0), BLOCK);
	drive_finish();
}

Test(mmap, a_write_beyond_the_end_has_no_space, .timeout = 30)
{
	drive_start(mmap_index());
	cr_assert_eq(drive_perform(IOB_OP_WRITE, (BLOCKS + 1) * BLOCK, BLOCK, 0), -ENOSPC);
	cr_assert_eq(drive_perform(IOB_OP_WRITE, BLOCKS * BLOCK, BLOCK, 0), TAIL);
	drive_finish();
}

Test(mmap, direct_wants_whole_pages, .timeout = 30)
{
	struct iob_error err = {0};
	int fd = drive_file(0);

	iob_job_defaults(&d.job);
	cr_assert_eq(iob_param_set_named(&d.job, "bs", "4k-6k", &err), 0, "%s", err.text);
	d.ntargets = 1;
	d.direct = true;
	drive_target(0, fd);
	cr_assert_lt(drive_try(iob_engines[mmap_index()], 1, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, "bs=6144: "), "%s", err.text);
	d.direct = false;
	cr_assert_eq(drive_try(iob_engines[mmap_index()], 1, &err), 0, "%s", err.text);
	drive_finish();
}

static unsigned resident_pages(int fd)
{
	unsigned char resident[BLOCKS];
	unsigned n = 0;
	void *map = mmap(NULL, BLOCKS * BLOCK, PROT_READ, MAP_SHARED, fd, 0);

	cr_assert_neq(map, MAP_FAILED);
	cr_assert_eq(mincore(map, BLOCKS * BLOCK, resident), 0);
	for (unsigned i = 0; i < BLOCKS; i++)
		n += resident[i] & 1;
	munmap(map, BLOCKS * BLOCK);
	return n;
}

/* The law of direct I/O: nothing of it stays in the page cache. */
static void expect_nothing_stays(const char *rw, unsigned pages)
{
	struct iob_error err = {0};
	int fd = drive_file(0);

	cr_assert_eq(fsync(fd), 0);
	cr_assert_eq(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	if (resident_pages(fd) > 1)
		cr_skip_test("the file system of the temporary folder keeps all in memory");
	iob_job_defaults(&d.job);
	cr_assert_eq(iob_param_set_named(&d.job, "rw", rw, &err), 0, "%s", err.text);
	d.ntargets = 1;
	d.direct = true;
	drive_target(0, fd);
	drive_open(mmap_index(), 1);
	unsigned char *large = aligned_alloc(BLOCK, BLOCKS * BLOCK);
	d.req[0].buf = large;
	for (unsigned i = 0; i < BLOCKS; i += pages) {
		enum iob_op op = i / pages % 2 ? IOB_OP_WRITE : IOB_OP_READ;

		drive_fill(large, pages * BLOCK, (uint64_t)i * BLOCK, 0);
		cr_assert_eq(drive_perform(op, (uint64_t)i * BLOCK, pages * BLOCK, 0),
			(int64_t)pages * BLOCK);
		drive_expect(large, pages * BLOCK, (uint64_t)i * BLOCK, 0);
		cr_expect_eq(resident_pages(fd), 0, "%s of %u pages: page %u", rw, pages, i);
	}
	drive_finish();
	free(large);
}

Test(mmap, direct_leaves_nothing_in_the_page_cache, .timeout = 30)
{
	expect_nothing_stays("randrw", 1);
	expect_nothing_stays("rw", 1);
	expect_nothing_stays("rw", 8);
}
