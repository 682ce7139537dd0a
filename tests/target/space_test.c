/* SPDX-License-Identifier: MIT */
/* What files will take of their file systems, and what is promised to them. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/filesystem.h"
#include "target/guard.h"
#include "target/kin.h"
#include "target/space.h"
#include "target/space_total.h"
#include "target/target.h"
#include "tests/support/target_fixture.h"

#define MIB    (UINT64_C(1) << 20)
#define NO_CAP UINT64_MAX
#define SUM(p) iob_space_total((p), sizeof(p) / sizeof((p)[0]))
#define P(o, file, m, h, c)                                                                        \
	{                                                                                          \
		.fs = 1, .owner = (o), .dev = 1, .ino = (file), .most = (m), .has = (h),           \
		.cap = (c)                                                                         \
	}

static struct iob_error err;
static struct iob_plan plan;
static struct iob_job *job = &plan.stage[0];
static struct iob_targets targets;
static struct iob_layout_progress progress;
static struct iob_kin others;

static const struct iob_space_asker us = {.owner = 1, .cap = NO_CAP};

static void fresh(void)
{
	fixture_open();
	fixture_plan(&plan, IOB_RW_RANDWRITE, "");
	job->files.fio = true;
	job->time_based = true;
	job->invalidate = false;
	job->files.fallocate = IOB_FALLOCATE_NONE;
	snprintf(job->directory, sizeof(job->directory), "%s", fixture_dir);
}

static struct iob_targets others_have[8];
static unsigned nothers;

/* Those of others stay open while a test goes on. */
static void leave_open(void)
{
	if (targets.item) {
		cr_assert_lt(nothers, 8);
		others_have[nothers++] = targets;
	}
	targets = (struct iob_targets){0};
}

static void done(void)
{
	leave_open();
	while (nothers)
		iob_targets_close(&others_have[--nothers], NULL);
	fixture_close();
}

/* 20 MiB, of which 19 may be taken. */
static void small_filesystem(void)
{
	if (geteuid() != 0)
		fixture_skip("needs root to mount a small file system");
	fixture_mount("none", fixture_dir, "tmpfs", "size=20m");
}

static int wish(const char *name, uint64_t laid, uint64_t may)
{
	struct iob_space_wish w = {.path = fixture_path(name), .laid = laid, .may = may};

	err = (struct iob_error){0};
	return iob_space_check(&w, 1, &us, &err);
}

static int prepare(const char *names)
{
	leave_open();
	err = (struct iob_error){0};
	snprintf(job->filename, sizeof(job->filename), "%s", names);
	return iob_targets_prepare(&targets, &plan, job, true, &progress, NULL, &err);
}

/* Who comes next knows what we promise. */
static void become_next(uint32_t owner)
{
	iob_kin_add_promises(&others, &iob_kin_own);
	iob_kin_meet(&others);
	iob_kin_forget_promises();
	leave_open();
	plan.first_worker = owner;
}

static void fill(const char *name, uint64_t bytes)
{
	static char data[MIB];
	IOB_FD int fd = open(fixture_path(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0);
	for (; bytes > 0; bytes -= MIB)
		cr_assert_eq(write(fd, data, MIB), (ssize_t)MIB);
}

static void make_sparse(const char *name, uint64_t bytes)
{
	IOB_FD int fd = open(fixture_path(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(ftruncate(fd, (off_t)bytes), 0);
	cr_assert_eq(iob_plan_allow_write(&plan, fixture_path(name), &err), 0);
}

TestSuite(space, .init = fresh, .fini = done, .timeout = 30);

Test(space, a_file_of_several_is_filled_once)
{
	struct iob_kin_promise p[] = {
		P(1, 7, 100, 20, NO_CAP), P(2, 7, 120, 30, NO_CAP), P(2, 8, 10, 0, NO_CAP)};

	cr_expect_eq(SUM(p), 90 + 10);
}

Test(space, nobody_takes_more_than_his_cap)
{
	struct iob_kin_promise p[] = {
		P(1, 7, 100, 0, 30), P(1, 8, 100, 0, 30), P(2, 9, 100, 0, NO_CAP)};

	cr_expect_eq(SUM(p), 30 + 100);
}

Test(space, caps_on_one_file_take_no_more_than_the_file)
{
	struct iob_kin_promise p[] = {
		P(1, 7, 100, 0, 60), P(2, 7, 100, 0, 60), P(3, 7, 100, 0, 60)};

	cr_expect_eq(SUM(p), 100);
}

Test(space, a_cap_is_beside_what_others_fill_anyway)
{
	struct iob_kin_promise p[] = {P(1, 7, 100, 0, NO_CAP), P(2, 7, 130, 0, 60)};

	cr_expect_eq(SUM(p), 100 + 30);
}

Test(space, who_asks_again_is_counted_once)
{
	struct iob_kin_promise p[] = {P(1, 7, 100, 0, 30), P(1, 8, 100, 0, 30),
		P(1, 7, 100, 10, 30), P(1, 8, 100, 0, 30)};

	cr_expect_eq(SUM(p), 30);
}

Test(space, nothing_is_lost_of_more_promises_than_there_is_room_for)
{
	static struct iob_kin kin;
	uint64_t n = IOB_KIN_MAX_PROMISES + 100;

	for (uint64_t i = 1; i <= n; i++)
		iob_kin_promise(&(struct iob_kin_promise)P(1, i, MIB, 0, NO_CAP));
	iob_kin_add(&kin, &iob_kin_own);
	cr_expect_eq(iob_space_total(kin.promise, kin.npromises), n * MIB);
}

Test(space, who_has_ended_has_filled_what_others_need_not)
{
	static struct iob_kin kin, ended;

	iob_kin_promise(&(struct iob_kin_promise)P(1, 7, 100, 0, NO_CAP));
	iob_kin_add(&kin, &iob_kin_own);
	iob_kin_own.promise[0].owner = 2;
	iob_kin_own.promise[0].has = 80;
	iob_kin_add(&ended, &iob_kin_own);
	iob_kin_note_end(&kin, &ended);
	cr_expect_eq(iob_space_total(kin.promise, kin.npromises), 20);
}

Test(space, a_twentieth_of_the_file_system_stays_free)
{
	small_filesystem();
	cr_expect_eq(wish("f", 19 * MIB + 4096, 0), -ENOSPC);
	cr_expect_not_null(strstr(err.text, "5 %"), "%s", err.text);
	cr_expect_not_null(strstr(err.text, "20MiB free"), "%s", err.text);
	cr_expect_not_null(strstr(err.text, fixture_path("f")), "%s", err.text);
	cr_expect_eq(wish("not/there/yet/f", 10 * MIB, 9 * MIB), 0, "%s", err.text);
	cr_expect_eq(wish("f", 10 * MIB, 9 * MIB + 4096), -ENOSPC);
	cr_expect_eq(wish("f", 0, 0), 0, "%s", err.text);
}

Test(space, all_files_are_asked_for_together)
{
	small_filesystem();
	struct iob_space_wish two[] = {{.path = "/a", .laid = 10 * MIB}, {.laid = 10 * MIB}};
	char path[600];

	snprintf(path, sizeof(path), "%s/b", fixture_dir);
	two[0].path = fixture_path("a");
	two[1].path = path;
	cr_expect_eq(iob_space_check(two, 2, &us, &err), -ENOSPC);
	cr_expect_not_null(strstr(err.text, "1 more"), "%s", err.text);
	/* The same one twice, by different ways. */
	snprintf(path, sizeof(path), "%s/a", fixture_dir);
	cr_expect_eq(iob_space_check(two, 2, &us, &err), 0, "%s", err.text);
	/* On another file system. */
	two[1].path = "/proc/none";
	cr_expect_eq(iob_space_check(two, 2, &us, &err), 0, "%s", err.text);
}

Test(space, what_is_promised_is_not_free)
{
	small_filesystem();
	job->size.bytes = 10 * MIB;
	cr_assert_eq(prepare("a"), 0, "%s", err.text);
	become_next(2);
	cr_expect_eq(prepare("b"), -ENOSPC);
	cr_expect_not_null(strstr(err.text, "10MiB are for other files"), "%s", err.text);
	job->size.bytes = 9 * MIB;
	cr_expect_eq(prepare("b"), 0, "%s", err.text);
}

Test(space, what_was_promised_and_is_written_does_not_count_twice)
{
	small_filesystem();
	job->size.bytes = 10 * MIB;
	cr_assert_eq(prepare("a"), 0, "%s", err.text);
	fill("a", 8 * MIB);
	become_next(2);
	job->size.bytes = 9 * MIB;
	cr_expect_eq(prepare("b"), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	job->size.bytes = 10 * MIB;
	cr_expect_eq(prepare("c"), -ENOSPC);
}

Test(space, a_file_without_a_name_is_still_to_be_filled)
{
	small_filesystem();
	job->size.bytes = 10 * MIB;
	cr_assert_eq(prepare("a"), 0, "%s", err.text);
	cr_assert_eq(unlink(fixture_path("a")), 0);
	become_next(2);
	cr_expect_eq(prepare("b"), -ENOSPC);
}

Test(space, what_is_trimmed_is_not_for_others)
{
	small_filesystem();
	job->rw = IOB_RW_RANDTRIMWRITE;
	job->size.bytes = 15 * MIB;
	job->files.fallocate = IOB_FALLOCATE_NATIVE;
	cr_assert_eq(prepare("a"), 0, "%s", err.text);
	cr_assert_eq(fallocate(targets.item[0].fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			     10 * MIB),
		0);
	become_next(2);
	job->rw = IOB_RW_WRITE;
	job->size.bytes = 5 * MIB;
	cr_expect_eq(prepare("b"), -ENOSPC);
	job->size.bytes = 4 * MIB;
	cr_expect_eq(prepare("b"), 0, "%s", err.text);
}

Test(space, a_large_file_of_which_little_is_written_is_no_matter)
{
	small_filesystem();
	job->size.bytes = 100 * MIB;
	job->files.fallocate = IOB_FALLOCATE_NATIVE;
	cr_expect_eq(prepare("a"), -ENOSPC);
	job->number_ios = 1024;
	cr_expect_eq(prepare("a"), 0, "%s", err.text);
	become_next(2);
	cr_expect_eq(prepare("b:c"), 0, "%s", err.text);
	become_next(3);
	job->number_ios = 12 * 256;
	cr_expect_eq(prepare("d"), -ENOSPC);
	job->number_ios = 11 * 256;
	cr_expect_eq(prepare("d"), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	/* What was asked for is done. */
	job->files.fallocate = IOB_FALLOCATE_POSIX;
	cr_expect_eq(prepare("e"), -ENOSPC);
	/* And a file that is read is there as a whole. */
	job->files.fallocate = IOB_FALLOCATE_NATIVE;
	job->rw = IOB_RW_RANDREAD;
	cr_expect_eq(prepare("f"), -ENOSPC);
}

Test(space, holes_of_a_file_that_exists_are_to_be_taken)
{
	small_filesystem();
	make_sparse("s", 40 * MIB);
	for (unsigned fio = 0; fio < 2; fio++) {
		job->files.fio = fio;
		cr_expect_eq(prepare("s"), -ENOSPC);
		cr_expect_not_null(strstr(err.text, "filling the holes in"), "%s", err.text);
		job->size.bytes = 18 * MIB;
		cr_expect_eq(prepare("s"), 0, "%s", err.text);
		iob_targets_close(&targets, NULL);
		job->size.bytes = 0;
		job->rw = IOB_RW_TRIM;
		cr_expect_eq(prepare("s"), 0, "trims take nothing: %s", err.text);
		iob_targets_close(&targets, NULL);
		plan.tunable = true;
		cr_expect_eq(prepare("s"), -ENOSPC, "trims can be turned into writes");
		plan.tunable = false;
		job->rw = IOB_RW_RANDREAD;
		cr_expect_eq(prepare("s"), 0, "%s", err.text);
		iob_targets_close(&targets, NULL);
		job->rw = IOB_RW_RANDWRITE;
	}
	/* Only what lacks, and only of the region. */
	fill("s", 18 * MIB);
	job->size.bytes = 18 * MIB;
	cr_expect_eq(prepare("s"), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	job->size.bytes = 20 * MIB;
	cr_expect_eq(prepare("s"), -ENOSPC);
}

Test(space, all_is_refused_before_anything_is_made)
{
	small_filesystem();
	fixture_data("theirs", 8192);
	job->rw = IOB_RW_WRITE;
	job->files.overwrite = true;
	job->size.bytes = 4 * MIB;
	cr_expect_eq(prepare("new/a:theirs"), IOB_GUARD_ASKS);
	cr_expect_eq(access(fixture_path("new"), F_OK), -1);
	job->size.bytes = 40 * MIB;
	cr_expect_eq(prepare("new/a:new/b"), -ENOSPC);
	cr_expect_eq(access(fixture_path("new"), F_OK), -1);
	cr_expect_eq(atomic_load(&progress.total), 0, "it was announced");
	job->files.fio = false;
	cr_expect_eq(prepare("c"), -ENOSPC);
	cr_expect_eq(atomic_load(&progress.total), 0, "it was announced");
	job->filename[0] = '\0';
	cr_expect_eq(
		iob_targets_prepare(&targets, &plan, job, true, &progress, NULL, &err), -ENOSPC);
	cr_expect_eq(atomic_load(&progress.total), 0, "it was announced");
}
