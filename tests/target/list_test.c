/* SPDX-License-Identifier: MIT */
/* Files of fio's jobs: names, sizes, what is made and what is kept. */
#include <config.h>

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/param.h"
#include "target/list_size.h"
#include "target/names.h"
#include "target/target.h"
#include "tests/support/target_fixture.h"

#define MIB (UINT64_C(1) << 20)

static struct iob_plan plan;
static struct iob_job *job = &plan.stage[0];
static struct iob_targets targets;
static struct iob_error err;

static void fresh(void)
{
	fixture_open();
	fixture_plan(&plan, IOB_RW_RANDREAD, "");
	job->files.fio = true;
	snprintf(job->directory, sizeof(job->directory), "%s", fixture_dir);
}

static void done(void)
{
	iob_targets_close(&targets, NULL);
	fixture_close();
}

static int prepare(const char *names)
{
	err = (struct iob_error){0};
	snprintf(job->filename, sizeof(job->filename), "%s", names);
	return iob_targets_prepare(&targets, &plan, job, true, NULL, NULL, &err);
}

static struct stat stat_of(const char *name)
{
	struct stat st = {0};

	cr_assert_eq(stat(fixture_path(name), &st), 0, "%s", name);
	return st;
}

TestSuite(list, .init = fresh, .fini = done, .timeout = 30);

Test(list, names_are_divided_by_plain_colons)
{
	struct iob_names names;

	cr_assert_eq(iob_names_split(&names, "a:/b\\:c::d\\\\e:", "dir", &err), 0);
	cr_assert_eq(names.count, 3);
	cr_assert_str_eq(names.name[0], "dir/a");
	cr_assert_str_eq(names.name[1], "/b:c");
	cr_assert_str_eq(names.name[2], "dir/d\\e");
	iob_names_free(&names);
	cr_assert_lt(iob_names_split(&names, "::", "", &err), 0);
}

Test(list, files_are_made_with_their_directories_and_stay)
{
	job->rw = IOB_RW_READ;
	job->size.bytes = 1 * MIB;
	cr_assert_eq(prepare("x/y/a:b:c"), 0, "%s", err.text);
	cr_expect_eq(targets.count, 3);
	cr_expect_eq(targets.info.kind, IOB_TARGET_CREATED);
	cr_expect_eq(targets.info.region_size, MIB);
	/* 256 blocks among three: the first has one more. */
	cr_expect_eq(targets.item[0].region.size, 86 * 4096);
	cr_expect_eq(targets.item[2].region.size, 85 * 4096);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
	cr_expect_eq(stat_of("x").st_mode & 0777, 0700);
	cr_expect_eq(stat_of("x/y/a").st_size, 86 * 4096);
	cr_expect_gt(stat_of("x/y/a").st_blocks, 0);
}

Test(list, a_job_that_writes_gets_files_without_content)
{
	job->rw = IOB_RW_WRITE;
	job->size.bytes = 4 * MIB;
	job->files.fallocate = IOB_FALLOCATE_NONE;
	cr_assert_eq(prepare("none"), 0, "%s", err.text);
	cr_expect_eq(stat_of("none").st_size, 0);
	cr_expect_eq(targets.item[0].region.size, 4 * MIB);
	cr_expect(targets.info.writable);
	cr_expect_eq(targets.info.layout_bytes, 0);
	iob_targets_close(&targets, NULL);
	job->files.fallocate = IOB_FALLOCATE_TRUNCATE;
	cr_assert_eq(prepare("truncate"), 0, "%s", err.text);
	cr_expect_eq(stat_of("truncate").st_size, 4 * MIB);
	cr_expect_eq(stat_of("truncate").st_blocks, 0);
	iob_targets_close(&targets, NULL);
	job->files.overwrite = true;
	cr_assert_eq(prepare("full"), 0, "%s", err.text);
	cr_expect_geq((uint64_t)stat_of("full").st_blocks, 4 * MIB / 512);
}

Test(list, unlink_removes_what_was_made_and_nothing_else)
{
	fixture_data("old", MIB);
	job->rw = IOB_RW_READ;
	job->size.bytes = 2 * MIB;
	job->files.unlink = true;
	cr_assert_eq(prepare("old:new"), 0, "%s", err.text);
	cr_expect_eq(stat_of("new").st_size, MIB);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
	cr_expect_eq(access(fixture_path("new"), F_OK), -1);
	cr_expect_eq(access(fixture_path("old"), F_OK), 0);
}

Test(list, a_file_that_is_too_short_is_kept_without_consent)
{
	const char *path = fixture_data("short", MIB);
	uint64_t digest = fixture_digest(path);

	job->size.bytes = 2 * MIB;
	cr_assert_lt(prepare("short"), 0);
	cr_expect_eq(err.kind, IOB_ERR_REFUSED);
	cr_expect_not_null(strstr(err.text, "--allow-write="), "%s", err.text);
	cr_expect_eq(fixture_digest(path), digest);
	cr_assert_eq(iob_plan_allow_write(&plan, path, &err), 0);
	cr_assert_eq(prepare("short"), 0, "%s", err.text);
	cr_expect_eq(stat_of("short").st_size, 2 * MIB);
	iob_targets_close(&targets, NULL);
	cr_assert_eq(truncate(path, MIB), 0);
	cr_expect_eq(fixture_digest(path), digest, "its content stays, it only became longer");
}

Test(list, an_existing_file_is_written_with_consent_or_when_a_sibling_made_it)
{
	const char *path = fixture_data("f", MIB);
	struct stat st = stat_of("f");

	job->rw = IOB_RW_RANDWRITE;
	cr_assert_lt(prepare("f"), 0);
	cr_expect_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
	plan.ncreated = 1;
	plan.created[0] = (struct iob_plan_report){.dev = st.st_dev, .ino = st.st_ino};
	cr_assert_eq(prepare("f"), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_CREATED);
	(void)path;
}

Test(list, nothing_is_left_when_one_of_several_fails)
{
	fixture_data("short", 4096);
	job->size.bytes = 2 * MIB;
	cr_assert_lt(prepare("first:short"), 0);
	cr_expect_eq(access(fixture_path("first"), F_OK), -1);
	job->files.no_file_create = true;
	cr_assert_lt(prepare("first"), 0);
	cr_expect_not_null(strstr(err.text, "allow_file_create"), "%s", err.text);
}

Test(list, files_below_a_directory_are_the_targets)
{
	fixture_write("d/b", "12345678");
	fixture_write("d/e/a", "1234567812345678");
	job->bs[IOB_READ] = (struct iob_range){8, 8};
	snprintf(job->ctl.opendir, sizeof(job->ctl.opendir), "%s", fixture_path("d"));
	cr_assert_eq(prepare(""), 0, "%s", err.text);
	cr_expect_eq(targets.count, 2);
	cr_expect_eq(targets.info.size, 24);
}

Test(list, nothing_is_made_below_dev)
{
	job->size.bytes = MIB;
	cr_assert_lt(prepare("/dev/iotop-bench-test/f"), 0);
	cr_expect_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
}

static struct iob_list_file measured(uint64_t real, bool fixed, struct iob_list_place at)
{
	struct iob_list_file f = {.path = "f", .real = real, .exists = real != 0, .fixed = fixed};
	struct iob_rng rng;

	iob_rng_seed(&rng, 1, 1);
	cr_assert_eq(iob_list_measure(&f, job, at, &rng, &err), 0, "%s", err.text);
	return f;
}

Test(list, sizes_follow_the_order_of_fio)
{
	const struct iob_list_place one = {0, 1, 0};
	struct iob_list_file f = measured(10 * MIB, false, one);

	cr_expect_eq(f.region.size, 10 * MIB);
	job->offset.bytes = 2 * MIB;
	f = measured(10 * MIB, false, one);
	cr_expect_eq(f.region.size, 8 * MIB);
	job->size.bytes = 10 * MIB;
	f = measured(10 * MIB, true, one);
	cr_expect_eq(f.region.size, 8 * MIB, "a device ends where it ends");
	f = measured(10 * MIB, false, one);
	cr_expect_eq(f.end, 12 * MIB, "a file is to grow");
	job->size = (struct iob_amount){.percent_micro = 25000000};
	job->offset = (struct iob_amount){.percent_micro = 10000000};
	f = measured(10 * MIB + 4097, true, one);
	cr_expect_eq(f.region.size, (10 * MIB + 4097) / 4 / 4096 * 4096, "rounded down");
	cr_expect_eq(f.region.offset, ((10 * MIB + 4097) / 10 + 4095) / 4096 * 4096, "and up");
	job->size = job->offset = (struct iob_amount){0};
	job->pattern.offset_increment.bytes = 3 * MIB;
	f = measured(10 * MIB, true, (struct iob_list_place){0, 1, 2});
	cr_expect_eq(f.region.offset, 6 * MIB);
	job->pattern.offset_increment = (struct iob_amount){0};
	job->files.filesize = (struct iob_range){MIB, 2 * MIB};
	f = measured(0, false, one);
	cr_expect(f.end >= MIB && f.end <= 2 * MIB && f.end % 4096 == 0);
	f = measured(MIB + 5, false, one);
	cr_expect_eq(f.end, MIB + 5, "it is within the range already");
}
