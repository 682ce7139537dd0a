/* SPDX-License-Identifier: MIT */
/* Files and folders; block devices are in device_test.c. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/guard.h"
#include "target/new_file.h"
#include "target/scratch.h"
#include "target/target.h"
#include "tests/support/target_fixture.h"

#define MIB (UINT64_C(1) << 20)

static struct iob_plan plan;
static struct iob_job *job = &plan.stage[0];
static struct iob_targets targets;
static struct iob_layout_progress progress;
static struct iob_error err;

static void fresh(void)
{
	fixture_open();
	fixture_plan(&plan, IOB_RW_RANDREAD, "");
}

static void done(void)
{
	iob_targets_close(&targets, NULL);
	fixture_close();
}

static int prepare(void)
{
	err = (struct iob_error){0};
	return iob_targets_prepare(&targets, &plan, job, true, &progress, NULL, &err);
}

static void name_file(const char *path)
{
	snprintf(job->filename, sizeof(job->filename), "%s", path);
}

static void consent_to(const char *path)
{
	plan.consent.count = 1;
	snprintf(plan.consent.path[0], sizeof(plan.consent.path[0]), "%s", path);
}

/* A usage error (or a refusal) that has the given words, and nothing is open. */
static void expect_error(enum iob_error_kind kind, const char *words)
{
	cr_expect_lt(prepare(), 0);
	cr_expect_eq(err.kind, kind, "kind %d: %s", (int)err.kind, err.text);
	cr_expect_not_null(strstr(err.text, words), "%s", err.text);
	cr_expect_null(targets.item);
	cr_expect_eq(targets.count, 0);
}

TestSuite(target, .init = fresh, .fini = done, .timeout = 60);

Test(target, a_read_job_changes_nothing_about_a_file)
{
	const char *path = fixture_data("f", 4 * MIB + 100);
	uint64_t digest = fixture_digest(path);
	struct stat before, after;

	cr_assert_eq(stat(path, &before), 0);
	name_file(path);
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_FILE);
	cr_expect_eq(targets.count, 1);
	cr_expect_eq(targets.item[0].size, 4 * MIB + 100);
	cr_expect_not(targets.info.writable);
	cr_expect_eq(fcntl(targets.item[0].fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	cr_expect_eq(write(targets.item[0].fd, "x", 1), -1);
	char byte = 0;
	cr_expect_eq(pread(targets.item[0].fd, &byte, 1, 0), 1);
	cr_expect_eq(iob_targets_sync(&targets, &err), 0);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
	cr_assert_eq(stat(path, &after), 0);
	cr_expect_eq(before.st_size, after.st_size);
	cr_expect_eq(before.st_blocks, after.st_blocks);
	cr_expect_eq(memcmp(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim)), 0);
	cr_expect_eq(memcmp(&before.st_ctim, &after.st_ctim, sizeof(before.st_ctim)), 0);
	cr_expect_eq(memcmp(&before.st_atim, &after.st_atim, sizeof(before.st_atim)), 0);
	cr_expect_eq(fixture_digest(path), digest);
	cr_expect_eq(fixture_count(fixture_dir), 1);
}

Test(target, says_where_a_file_lives)
{
	name_file(fixture_data("f", MIB));
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_str_neq(targets.info.filesystem, "");
	cr_expect_eq(targets.info.mount_point[0], '/');
	cr_expect_geq(targets.info.logical_block_size, 512);
	cr_expect_eq(targets.info.region_size, MIB);
	cr_expect_eq(targets.info.files, 1);
	if (targets.info.has_disk)
		cr_expect_str_neq(targets.info.disk, "");
}

Test(target, control_characters_of_a_name_stay_out_of_the_reports)
{
	name_file(fixture_data("a\033[2Jb", MIB));
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_null(strchr(targets.info.path, 033));
	cr_expect_not_null(strstr(targets.info.path, "a?[2Jb"));
}

Test(target, writing_an_existing_file_needs_consent)
{
	const char *path = fixture_data("f", MIB);
	uint64_t digest = fixture_digest(path);

	name_file(path);
	job->rw = IOB_RW_RANDWRITE;
	expect_error(IOB_ERR_REFUSED, "--allow-write=");
	cr_expect_eq(iob_error_exit_status(&err), 3);
	consent_to(fixture_data("other", MIB));
	expect_error(IOB_ERR_REFUSED, path);
	cr_expect_eq(fixture_digest(path), digest);
	consent_to(fixture_path("missing"));
	expect_error(IOB_ERR_REFUSED, path);
}

/* The dialog's consent: for what was there when the question was asked. */
Test(target, consent_is_for_what_was_seen)
{
	const char *path = fixture_data("f", MIB);

	name_file(path);
	job->rw = IOB_RW_WRITE;
	expect_error(IOB_ERR_REFUSED, "--allow-write");
	cr_expect_eq(err.code, IOB_GUARD_ASKS);
	consent_to(path);
	plan.consent.seen[0] = iob_guard_asked();
	cr_expect_eq(prepare(), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	cr_assert_eq(rename(fixture_data("other", MIB), fixture_path("f")), 0);
	name_file(fixture_path("f"));
	expect_error(IOB_ERR_REFUSED, "--allow-write");
	cr_expect_eq(err.code, IOB_GUARD_ASKS);
}

Test(target, consent_counts_by_any_path_to_the_file)
{
	const char *path = fixture_data("f", MIB);

	cr_assert_eq(symlink(path, fixture_path("alias")), 0);
	name_file(path);
	job->rw = IOB_RW_RANDWRITE;
	consent_to(fixture_path("alias"));
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect(targets.info.writable);
	cr_expect_eq(targets.item[0].size, MIB);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
}

Test(target, trim_counts_as_writing)
{
	name_file(fixture_data("f", MIB));
	job->rw = IOB_RW_RANDTRIM;
	expect_error(IOB_ERR_REFUSED, "--allow-write=");
}

Test(target, never_extends_a_file)
{
	const char *path = fixture_data("f", MIB);

	name_file(path);
	job->size.bytes = 2 * MIB;
	expect_error(IOB_ERR_USAGE, "size=2m");
	job->rw = IOB_RW_WRITE;
	consent_to(path);
	expect_error(IOB_ERR_USAGE, "size=2m");
	name_file(fixture_data("empty", 0));
	expect_error(IOB_ERR_REFUSED, "--allow-write=");
	job->rw = IOB_RW_READ;
	expect_error(IOB_ERR_USAGE, "is empty");
}

Test(target, a_missing_file_wants_size)
{
	name_file(fixture_path("missing"));
	expect_error(IOB_ERR_USAGE, "--size=");
	job->rw = IOB_RW_WRITE;
	expect_error(IOB_ERR_USAGE, "--size=");
	cr_expect_eq(fixture_count(fixture_dir), 0);
}

Test(target, a_missing_file_is_made_with_size_and_stays)
{
	const char *path = fixture_path("made");
	struct stat st;

	name_file(path);
	job->size.bytes = 3 * MIB;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_CREATED);
	cr_expect_eq(targets.info.layout_bytes, 3 * MIB);
	cr_expect_eq(targets.info.sparse_bytes, 0);
	cr_expect_eq(atomic_load(&progress.total), 3 * MIB);
	cr_expect_eq(atomic_load(&progress.done), 3 * MIB);
	cr_expect_eq(fcntl(targets.item[0].fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, (off_t)(3 * MIB));
	cr_expect_eq(st.st_mode & 0777, 0600);
}

Test(target, a_later_stage_may_write_what_this_run_made)
{
	name_file(fixture_path("made"));
	job->size.bytes = MIB;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	iob_targets_close(&targets, NULL);
	job->rw = IOB_RW_RANDWRITE;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_CREATED);
	cr_expect(targets.info.writable);
}

Test(target, a_failure_after_the_checks_leaves_no_file)
{
	static _Atomic unsigned stop = 1;

	name_file(fixture_path("made"));
	job->size.bytes = 64 * MIB;
	cr_expect_eq(iob_targets_prepare(&targets, &plan, job, true, &progress, &stop, &err),
		-ECANCELED);
	job->direct = true;
	job->bs[IOB_READ].min = job->bs[IOB_READ].max = 1000;
	expect_error(IOB_ERR_USAGE, "bs=1000");
	job->direct = false;
	job->size.bytes = UINT64_C(1) << 60;
	expect_error(IOB_ERR_RUN, "free");
	cr_expect_eq(fixture_count(fixture_dir), 0);
}

Test(target, a_killed_layout_leaves_nothing)
{
	struct iob_layout_progress *shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;

	cr_assert_neq(shared, MAP_FAILED);
	name_file(fixture_path("made"));
	job->size.bytes = 2048 * MIB;
	pid_t pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		iob_targets_prepare(&targets, &plan, job, true, shared, NULL, &err);
		_exit(0);
	}
	while (atomic_load(&shared->done) < MIB && waitpid(pid, &status, WNOHANG) == 0)
		sched_yield();
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	uint64_t laid_out = atomic_load(&shared->done);
	munmap(shared, sizeof(*shared));
	if (laid_out == 0 || !WIFSIGNALED(status))
		fixture_skip("not enough space to be killed while laying out");
	struct iob_new_file probe;
	cr_assert_eq(iob_new_file_open(&probe, fixture_path("probe"), false, &err), 0);
	bool unnamed = !probe.named;
	iob_new_file_discard(&probe, fixture_path("probe"));
	if (!unnamed)
		fixture_skip("no O_TMPFILE on this file system");
	cr_expect_eq(fixture_count(fixture_dir), 0);
}

Test(target, names_that_no_file_can_get_are_refused_first)
{
	job->size.bytes = MIB;
	cr_assert_eq(symlink("nowhere", fixture_path("dangling")), 0);
	name_file(fixture_path("dangling"));
	expect_error(IOB_ERR_USAGE, "leads nowhere");
	name_file(fixture_path("folder/"));
	expect_error(IOB_ERR_USAGE, "no such directory");
	cr_expect_eq(fixture_count(fixture_dir), 1);
}

Test(target, a_missing_parent_is_named)
{
	name_file(fixture_path("no/such/file"));
	job->size.bytes = MIB;
	expect_error(IOB_ERR_USAGE, "no/such does not exist");
}

Test(target, a_folder_without_permission_is_a_clear_error)
{
	bool root = geteuid() == 0;

	cr_assert_eq(mkdir(fixture_path("ro"), 0555), 0);
	cr_assert_eq(chmod(fixture_dir, 0755), 0);
	job->size.bytes = MIB;
	if (root)
		cr_assert_eq(seteuid(65534), 0);
	char who[64];
	snprintf(who, sizeof(who), "uid %u", geteuid());
	name_file(fixture_path("ro/f"));
	expect_error(IOB_ERR_RUN, who);
	expect_error(IOB_ERR_RUN, "0555");
	name_file(fixture_path("ro"));
	expect_error(IOB_ERR_RUN, who);
	if (root)
		cr_assert_eq(seteuid(0), 0);
}

Test(target, nothing_is_created_under_dev)
{
	static const char *const paths[] = {"/dev/iob-test-none", "/dev/../dev/iob-test-none",
		"/dev/shm/iob-test-none", "/tmp/../dev/iob-test-none"};

	job->size.bytes = MIB;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		name_file(paths[i]);
		job->rw = IOB_RW_WRITE;
		expect_error(IOB_ERR_REFUSED, "/dev");
		job->rw = IOB_RW_READ;
		expect_error(IOB_ERR_REFUSED, "/dev");
		cr_expect_eq(access(paths[i], F_OK), -1);
	}
	cr_assert_eq(symlink("/dev", fixture_path("link")), 0);
	name_file(fixture_path("link/iob-test-none"));
	expect_error(IOB_ERR_REFUSED, "/dev");
	cr_expect_eq(access("/dev/iob-test-none", F_OK), -1);
}

Test(target, only_files_and_block_devices_are_targets)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	IOB_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	name_file("/dev/null");
	expect_error(IOB_ERR_USAGE, "character device");
	cr_assert_eq(mkfifo(fixture_path("fifo"), 0600), 0);
	name_file(fixture_path("fifo"));
	expect_error(IOB_ERR_USAGE, "a pipe");
	snprintf(address.sun_path, sizeof(address.sun_path), "%.90s/s", fixture_dir);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0) {
		name_file(address.sun_path);
		expect_error(IOB_ERR_USAGE, "a socket");
	}
}

Test(target, a_folder_gets_scratch_files_that_nobody_sees)
{
	job->nrfiles = 3;
	job->size.bytes = 3 * MIB;
	name_file(fixture_dir);
	job->rw = IOB_RW_RANDRW;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.count, 3);
	cr_expect_eq(targets.info.files, 3);
	cr_expect_eq(targets.info.kind, IOB_TARGET_SCRATCH);
	cr_expect_str_eq(targets.info.path, fixture_dir);
	cr_expect_eq(targets.info.size, 3 * MIB);
	cr_expect_eq(targets.info.region_size, 3 * MIB);
	cr_expect_eq(targets.info.layout_bytes, 3 * MIB);
	cr_expect(targets.info.writable);
	for (unsigned i = 0; i < 3; i++) {
		struct stat st;

		cr_assert_eq(fstat(targets.item[i].fd, &st), 0);
		cr_expect_eq(st.st_nlink, 0);
		cr_expect_eq(st.st_size, (off_t)MIB);
		cr_expect_eq(pwrite(targets.item[i].fd, "x", 1, 0), 1);
	}
	cr_expect_neq(targets.item[0].ino, targets.item[1].ino);
	cr_expect_eq(fixture_count(fixture_dir), 0);
}

Test(target, directory_and_filename_are_joined)
{
	fixture_data("f", MIB);
	snprintf(job->directory, sizeof(job->directory), "%s", fixture_dir);
	name_file("f");
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_FILE);
	snprintf(job->directory, sizeof(job->directory), "%s/none", fixture_dir);
	job->filename[0] = '\0';
	iob_targets_close(&targets, NULL);
	expect_error(IOB_ERR_USAGE, "no such directory");
}

Test(target, without_a_target_there_is_a_scratch_file)
{
	cr_assert_eq(setenv("TMPDIR", fixture_dir, 1), 0);
	job->size.bytes = 2 * MIB;
	job->direct = true;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.kind, IOB_TARGET_SCRATCH);
	cr_expect_eq(targets.info.size, 2 * MIB);
	cr_expect_neq(targets.info.direct, targets.info.direct_refused);
	cr_expect_eq(fixture_count(fixture_dir), 0);
}

Test(target, one_file_is_not_many)
{
	job->nrfiles = 2;
	name_file(fixture_data("f", MIB));
	expect_error(IOB_ERR_USAGE, "nrfiles=2");
	name_file(fixture_path("missing"));
	expect_error(IOB_ERR_USAGE, "nrfiles=2");
}

Test(target, direct_io_wants_aligned_blocks)
{
	name_file(fixture_data("f", MIB));
	job->direct = true;
	if (prepare() < 0)
		fixture_skip("%s", err.text);
	cr_expect(targets.info.direct);
	cr_expect_neq(fcntl(targets.item[0].fd, F_GETFL) & O_DIRECT, 0);
	iob_targets_close(&targets, NULL);
	job->bs[IOB_READ].min = 1000;
	expect_error(IOB_ERR_USAGE, "bs=1000");
	cr_expect_not_null(strstr(err.text, "--direct=0"));
	job->bs[IOB_READ].min = 4096;
	job->offset.bytes = 100;
	expect_error(IOB_ERR_USAGE, "offset=100");
	job->direct = false;
	cr_expect_eq(prepare(), 0, "%s", err.text);
}

Test(target, sync_becomes_a_flag_of_writers)
{
	const char *path = fixture_data("f", MIB);

	name_file(path);
	consent_to(path);
	job->rw = IOB_RW_WRITE;
	job->sync = IOB_SYNC_SYNC;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(fcntl(targets.item[0].fd, F_GETFL) & O_SYNC, O_SYNC);
	iob_targets_close(&targets, NULL);
	job->sync = IOB_SYNC_DSYNC;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(fcntl(targets.item[0].fd, F_GETFL) & O_SYNC, O_DSYNC);
}

Test(target, holes_are_counted_within_the_region)
{
	const char *path = fixture_data("f", MIB);

	cr_assert_eq(truncate(path, (off_t)(4 * MIB)), 0);
	IOB_FD int fd = open(path, O_RDWR | O_CLOEXEC);
	cr_assert_eq(fsync(fd), 0);
	name_file(path);
	cr_assert_eq(prepare(), 0, "%s", err.text);
	if (targets.info.sparse_bytes == 0)
		fixture_skip("no FIEMAP on %s", targets.info.filesystem);
	cr_expect_eq(targets.info.sparse_bytes, 3 * MIB);
	iob_targets_close(&targets, NULL);
	job->size.bytes = 2 * MIB;
	cr_assert_eq(prepare(), 0, "%s", err.text);
	cr_expect_eq(targets.info.sparse_bytes, MIB);
	iob_targets_close(&targets, NULL);
	/* Allocated but never written reads as zeros just the same. */
	if (fallocate(fd, 0, 0, (off_t)(4 * MIB)) == 0) {
		job->size.bytes = 0;
		cr_assert_eq(prepare(), 0, "%s", err.text);
		cr_expect_eq(targets.info.sparse_bytes, 3 * MIB);
	}
}

Test(target, an_engine_without_target_gets_a_size_and_no_file)
{
	cr_assert_eq(iob_targets_prepare(&targets, &plan, job, false, NULL, NULL, &err), 0);
	cr_expect_eq(targets.info.kind, IOB_TARGET_NULL);
	cr_expect_eq(targets.item[0].fd, -1);
	cr_expect_eq(targets.item[0].size, IOB_SCRATCH_DEFAULT_SIZE);
	cr_expect_eq(iob_targets_sync(&targets, &err), 0);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
	cr_expect_eq(iob_targets_close(&targets, &err), 0);
	job->size.bytes = MIB;
	cr_assert_eq(iob_targets_prepare(&targets, &plan, job, false, NULL, NULL, &err), 0);
	cr_expect_eq(targets.info.region_size, MIB);
}

Test(target, scratch_prefers_a_place_that_can_be_written)
{
	char place[512];
	uint64_t size = 0;

	cr_assert_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	cr_assert_eq(iob_scratch_directory(place, sizeof(place), &err), 0, "%s", err.text);
	cr_expect_str_neq(place, "/nonexistent");
	cr_assert_eq(setenv("TMPDIR", "/dev/shm", 1), 0);
	cr_assert_eq(iob_scratch_directory(place, sizeof(place), &err), 0, "%s", err.text);
	cr_expect_str_neq(place, "/dev/shm");
	cr_expect_eq(iob_scratch_size(fixture_dir, UINT64_C(1) << 60, &size, &err), -ENOSPC);
	cr_expect_not_null(strstr(err.text, fixture_dir));
}
