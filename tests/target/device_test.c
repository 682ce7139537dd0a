/* SPDX-License-Identifier: MIT */
/* Block devices for real: loop devices, partitions, mounts and swap.  Root only. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/blockdev.h"
#include "target/guard.h"
#include "target/target.h"
#include "tests/support/target_fixture.h"

#define MIB (UINT64_C(1) << 20)

static struct iob_plan plan;
static struct iob_job *job = &plan.stage[0];
static struct iob_targets targets;
static struct iob_error err;
static char loop[64];

static void done(void)
{
	iob_targets_close(&targets, NULL);
	fixture_close();
}

TestSuite(device, .init = fixture_open, .fini = done, .timeout = 60);

static void need_loop(unsigned sector_size)
{
	const char *why = "";
	const char *device = fixture_loop(fixture_data("disk", 64 * MIB), sector_size, &why);

	if (!device)
		fixture_skip("%s", why);
	snprintf(loop, sizeof(loop), "%s", device);
	fixture_plan(&plan, IOB_RW_RANDWRITE, loop);
}

static void need_tool(const char *const argv[])
{
	int rc = fixture_run(argv);

	if (rc == 127)
		fixture_skip("%s is not installed", argv[0]);
	cr_assert_eq(rc, 0, "%s: exit status %d", argv[0], rc);
}

static void consent_to(const char *path)
{
	plan.consent.count = 1;
	snprintf(plan.consent.path[0], sizeof(plan.consent.path[0]), "%s", path);
}

static int prepare(void)
{
	err = (struct iob_error){0};
	return iob_targets_prepare(&targets, &plan, job, true, NULL, NULL, &err);
}

static void expect_refusal(const char *words)
{
	uint64_t before = fixture_digest(fixture_path("disk"));

	cr_expect_lt(prepare(), 0);
	cr_expect_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
	cr_expect_not_null(strstr(err.text, words), "%s", err.text);
	cr_expect_eq(fixture_digest(fixture_path("disk")), before);
}

Test(device, writing_needs_consent_that_names_it)
{
	need_loop(512);
	expect_refusal("--allow-write=");
	consent_to("/dev/null");
	expect_refusal(loop);
	consent_to(fixture_path("disk"));
	expect_refusal(loop);
	if (mknod(fixture_path("another"), S_IFBLK | 0600, makedev(7, 1 << 19)) == 0) {
		consent_to(fixture_path("another"));
		expect_refusal(loop);
	}
	cr_assert_eq(symlink(loop, fixture_path("by-name")), 0);
	consent_to(fixture_path("by-name"));
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_BLOCKDEV);
	cr_expect(targets.info.writable);
	cr_expect_eq(targets.info.size, 64 * MIB);
	cr_expect_str_eq(targets.info.disk, loop + 5);
	/* It is ours alone now. */
	cr_expect_eq(open(loop, O_RDONLY | O_EXCL | O_CLOEXEC), -1);
	cr_expect_eq(errno, EBUSY);
}

Test(device, a_node_of_our_own_is_the_same_device)
{
	struct stat st;

	need_loop(512);
	cr_assert_eq(stat(loop, &st), 0);
	if (mknod(fixture_path("node"), S_IFBLK | 0600, st.st_rdev) < 0)
		fixture_skip("mknod is not allowed here");
	consent_to(fixture_path("node"));
	IOB_FD int fd = open(fixture_path("node"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fixture_skip("device nodes do not work in the folder for temporary files");
	cr_expect_eq(prepare(), 0, "%s", err.text);
}

Test(device, reading_is_read_only_and_needs_no_consent)
{
	need_loop(512);
	job->rw = IOB_RW_RANDREAD;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(fcntl(targets.item[0].fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	cr_expect_not(targets.info.writable);
}

Test(device, the_refusal_says_what_is_on_it)
{
	const char *const mkfs[] = {"mkfs.ext4", "-q", "-L", "backup", loop, NULL};

	need_loop(512);
	need_tool(mkfs);
	expect_refusal("holds ext4 \"backup\"");
	cr_expect_not_null(strstr(err.text, loop));
	consent_to(loop);
	cr_expect_eq(prepare(), 0, "%s", err.text);
}

Test(device, mounted_is_refused_whatever_was_said)
{
	const char *const mkfs[] = {"mkfs.ext4", "-q", loop, NULL};

	need_loop(512);
	need_tool(mkfs);
	fixture_mount(loop, fixture_path("mnt"), "ext4", NULL);
	consent_to(loop);
	expect_refusal(fixture_path("mnt"));
	job->rw = IOB_RW_RANDREAD;
	cr_expect_eq(prepare(), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	/* A folder on it is as good a place as any. */
	fixture_plan(&plan, IOB_RW_RANDRW, fixture_path("mnt"));
	job->size.bytes = MIB;
	job->direct = true;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_str_eq(targets.info.filesystem, "ext4");
	cr_expect_str_eq(targets.info.mount_point, fixture_path("mnt"));
	cr_expect_str_eq(targets.info.disk, loop + 5);
}

Test(device, a_mounted_partition_protects_the_disk)
{
	char part[80];
	const char *const mkfs[] = {"mkfs.ext4", "-q", part, NULL};

	need_loop(512);
	snprintf(part, sizeof(part), "%sp1", loop);
	fixture_add_partition(loop, 1, MIB, 32 * MIB);
	fixture_add_partition(loop, 2, 40 * MIB, 8 * MIB);
	if (access(part, F_OK) < 0)
		fixture_skip("no node appears for a partition");
	need_tool(mkfs);
	fixture_mount(part, fixture_path("mnt"), "ext4", NULL);
	consent_to(loop);
	expect_refusal(part + 5);
	cr_expect_not_null(strstr(err.text, fixture_path("mnt")));
	/* The other partition is free. */
	snprintf(part, sizeof(part), "%sp2", loop);
	consent_to(part);
	fixture_plan(&plan, IOB_RW_RANDWRITE, part);
	consent_to(part);
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.size, 8 * MIB);
	cr_expect_str_eq(targets.info.disk, loop + 5);
}

Test(device, swap_is_refused_whatever_was_said)
{
	const char *const mkswap[] = {"mkswap", loop, NULL};

	need_loop(4096);
	need_tool(mkswap);
	fixture_swapon(loop);
	consent_to(loop);
	expect_refusal("swap");
}

Test(device, a_swap_file_is_refused)
{
	const char *const mkswap[] = {"mkswap", fixture_path("swapfile"), NULL};

	if (geteuid() != 0)
		fixture_skip("swapon needs root");
	cr_assert_eq(chmod(fixture_data("swapfile", MIB), 0600), 0);
	need_tool(mkswap);
	fixture_swapon(fixture_path("swapfile"));
	fixture_plan(&plan, IOB_RW_RANDWRITE, fixture_path("swapfile"));
	consent_to(fixture_path("swapfile"));
	fixture_data("disk", 4096);
	expect_refusal("swap");
}

Test(device, a_file_under_a_loop_device_is_refused)
{
	need_loop(512);
	fixture_plan(&plan, IOB_RW_RANDWRITE, fixture_path("disk"));
	consent_to(fixture_path("disk"));
	expect_refusal(loop + 5);
	/* Also when it has another name by now. */
	cr_assert_eq(link(fixture_path("disk"), fixture_path("other")), 0);
	fixture_plan(&plan, IOB_RW_RANDWRITE, fixture_path("other"));
	consent_to(fixture_path("other"));
	expect_refusal(loop + 5);
	job->rw = IOB_RW_RANDREAD;
	cr_expect_eq(prepare(), 0, "%s", err.text);
}

/* The number of a device is that of the next one, too. */
Test(device, consent_is_for_the_disk_that_was_seen)
{
	need_loop(512);
	expect_refusal("--allow-write");
	cr_expect_eq(err.code, IOB_GUARD_ASKS);
	consent_to(loop);
	plan.consent.seen[0] = iob_guard_asked();
	if (plan.consent.seen[0].diskseq == 0)
		fixture_skip("this kernel does not count disks");
	cr_expect_eq(prepare(), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	plan.consent.seen[0].diskseq--;
	expect_refusal("--allow-write");
}

Test(device, what_somebody_else_holds_is_refused)
{
	need_loop(512);
	IOB_FD int fd = open(loop, O_RDONLY | O_EXCL | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	consent_to(loop);
	expect_refusal("exclusively");
}

Test(device, direct_io_follows_the_logical_block_size)
{
	need_loop(4096);
	job->rw = IOB_RW_RANDREAD;
	job->direct = true;
	job->bs[IOB_READ].min = 512;
	cr_expect_lt(prepare(), 0);
	cr_expect_eq(err.kind, IOB_ERR_USAGE);
	cr_expect_not_null(strstr(err.text, "bs=512: not a multiple of the 4096-byte"));
	job->bs[IOB_READ].min = 4096;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.logical_block_size, 4096);
	cr_expect(targets.info.direct);
	iob_targets_close(&targets, NULL);
	job->direct = false;
	job->bs[IOB_READ].min = 512;
	cr_expect_eq(prepare(), 0, "%s", err.text);
}

Test(device, a_region_beyond_the_end_names_size)
{
	need_loop(512);
	job->rw = IOB_RW_RANDREAD;
	job->size.bytes = 65 * MIB;
	cr_expect_lt(prepare(), 0);
	cr_expect_eq(err.kind, IOB_ERR_USAGE);
	cr_expect_not_null(strstr(err.text, "size=65m"));
}

Test(device, a_full_file_system_is_a_run_error_and_leaves_nothing)
{
	if (geteuid() != 0)
		fixture_skip("mount needs root");
	fixture_mount("none", fixture_path("mnt"), "tmpfs", "size=8m");
	fixture_plan(&plan, IOB_RW_RANDREAD, fixture_path("mnt/new"));
	job->size.bytes = 64 * MIB;
	cr_expect_eq(prepare(), -ENOSPC);
	cr_expect_eq(iob_error_exit_status(&err), 1);
	cr_expect_not_null(strstr(err.text, "8MiB free"), "%s", err.text);
	fixture_plan(&plan, IOB_RW_RANDREAD, fixture_path("mnt"));
	cr_expect_eq(prepare(), -ENOSPC);
	cr_expect_not_null(strstr(err.text, "8MiB free"), "%s", err.text);
	cr_expect_eq(fixture_count(fixture_path("mnt")), 0);
}

Test(device, a_file_system_without_direct_io_is_named)
{
	const char *const mkfs[] = {"mkfs.ext4", "-q", loop, NULL};

	need_loop(512);
	need_tool(mkfs);
	/* With its data in the journal ext4 takes O_DIRECT and does buffered I/O. */
	fixture_mount(loop, fixture_path("mnt"), "ext4", "data=journal");
	fixture_plan(&plan, IOB_RW_RANDREAD, fixture_path("mnt/new"));
	job->direct = true;
	job->size.bytes = MIB;
	if (prepare() == 0)
		fixture_skip("this kernel does not tell that direct I/O is not done");
	cr_expect_eq(err.kind, IOB_ERR_USAGE);
	cr_expect_not_null(strstr(err.text, "(ext4) refuses direct I/O; use --direct=0"));
	cr_expect_eq(access(fixture_path("mnt/new"), F_OK), -1);
	job->filename[0] = '\0';
	snprintf(job->directory, sizeof(job->directory), "%s", fixture_path("mnt"));
	cr_expect_lt(prepare(), 0);
	cr_expect_eq(err.kind, IOB_ERR_USAGE);
	/* Only the run without a target goes on. */
	job->directory[0] = '\0';
	cr_assert_eq(setenv("TMPDIR", fixture_path("mnt"), 1), 0);
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect(targets.info.direct_refused);
	cr_expect_not(targets.info.direct);
	cr_expect_eq(fcntl(targets.item[0].fd, F_GETFL) & O_DIRECT, 0);
}

Test(device, a_scratch_file_shrinks_where_space_is_short)
{
	if (geteuid() != 0)
		fixture_skip("mount needs root");
	fixture_mount("none", fixture_path("mnt"), "tmpfs", "size=100m");
	fixture_plan(&plan, IOB_RW_RANDREAD, fixture_path("mnt"));
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.size, 90 * MIB);
	cr_expect_str_eq(targets.info.filesystem, "tmpfs");
	cr_expect_not(targets.info.has_disk);
	iob_targets_close(&targets, NULL);
	job->size.bytes = 96 * MIB;
	cr_expect_eq(prepare(), -ENOSPC);
	cr_expect_not_null(strstr(err.text, "100MiB free"), "%s", err.text);
}

Test(device, the_list_shows_a_loop_device_with_its_contents)
{
	const char *const mkfs[] = {"mkfs.ext4", "-q", "-L", "one two", loop, NULL};
	struct iob_blockdevs list;
	bool found = false;

	need_loop(512);
	need_tool(mkfs);
	cr_assert_eq(iob_blockdevs_list(&list, "", IOB_PROBE_CONTENTS, &err), 0, "%s", err.text);
	for (size_t i = 0; i < list.count; i++) {
		if (strcmp(list.item[i].path, loop) != 0)
			continue;
		found = true;
		cr_expect_str_eq(list.item[i].contents, "ext4 \"one two\"");
		cr_expect(list.item[i].has_signature);
		cr_expect_eq(list.item[i].use, IOB_USE_FREE);
		cr_expect_eq(list.item[i].size, 64 * MIB);
	}
	cr_expect(found);
	iob_blockdevs_free(&list);
}
