/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/cleanup.h"

static char dir[PATH_MAX / 4];
static char path[PATH_MAX / 2];
static struct iob_error err;

static void make_directory(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/iob-atomic-XXXXXX", base ? base : "/tmp");
	cr_assert_not_null(mkdtemp(dir), "mkdtemp: %m");
	snprintf(path, sizeof(path), "%s/report.json", dir);
	umask(022);
}

static unsigned entries(void)
{
	DIR *d = opendir(dir);
	unsigned n = 0;

	cr_assert_not_null(d);
	for (const struct dirent *e = readdir(d); e; e = readdir(d))
		n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
	closedir(d);
	return n;
}

static void remove_directory(void)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	cr_assert_eq(system(command), 0);
}

TestSuite(atomic_file, .init = make_directory, .fini = remove_directory, .timeout = 20);

static void write_plainly(const char *text)
{
	IOB_FILE FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
}

static void expect_content(const char *wanted)
{
	char got[64] = "";
	IOB_FILE FILE *f = fopen(path, "r");

	cr_assert_not_null(f, "%s: %m", path);
	size_t n = fread(got, 1, sizeof(got) - 1, f);
	got[n] = '\0';
	cr_assert_str_eq(got, wanted);
}

Test(atomic_file, appears_only_when_committed)
{
	struct iob_atomic_file f;

	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0, "%s", err.text);
	fputs("new", f.stream);
	cr_assert_eq(access(path, F_OK), -1);
	cr_assert_eq(iob_atomic_file_commit(&f, &err), 0, "%s", err.text);
	expect_content("new");
	cr_assert_eq(entries(), 1, "no temporary file is left");
	struct stat st;
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0644);
}

Test(atomic_file, old_content_stays_until_committed)
{
	struct iob_atomic_file f;

	write_plainly("old");
	cr_assert_eq(chmod(path, 0600), 0);
	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0);
	fputs("new", f.stream);
	fflush(f.stream);
	expect_content("old");
	cr_assert_eq(iob_atomic_file_commit(&f, &err), 0);
	expect_content("new");
	struct stat st;
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600, "the mode of the old file is kept");
}

Test(atomic_file, abort_leaves_nothing)
{
	struct iob_atomic_file f;

	write_plainly("old");
	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0);
	fputs("new", f.stream);
	iob_atomic_file_abort(&f);
	expect_content("old");
	cr_assert_eq(entries(), 1);
	iob_atomic_file_abort(&f);
	f = (struct iob_atomic_file){0};
	iob_atomic_file_abort(&f);
}

Test(atomic_file, umask_is_honoured)
{
	struct iob_atomic_file f;
	struct stat st;

	umask(077);
	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0);
	cr_assert_eq(iob_atomic_file_commit(&f, &err), 0);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
}

Test(atomic_file, symbolic_link_stays_a_link)
{
	char link[PATH_MAX];
	struct iob_atomic_file f;
	struct stat st;

	write_plainly("old");
	snprintf(link, sizeof(link), "%s/link", dir);
	cr_assert_eq(symlink("report.json", link), 0);
	cr_assert_eq(iob_atomic_file_open(&f, link, &err), 0);
	fputs("new", f.stream);
	cr_assert_eq(iob_atomic_file_commit(&f, &err), 0);
	expect_content("new");
	cr_assert_eq(lstat(link, &st), 0);
	cr_assert(S_ISLNK(st.st_mode));
}

static void expect_refusal(const char *name, const char *word)
{
	struct iob_atomic_file f;

	cr_assert_lt(iob_atomic_file_open(&f, name, &err), 0, "%s", name);
	cr_assert_not_null(strstr(err.text, word), "%s", err.text);
	cr_assert_null(f.stream);
	cr_assert_null(f.temporary);
}

Test(atomic_file, directories_and_devices_are_refused)
{
	expect_refusal(dir, "directory");
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	expect_refusal("/dev/iotop-bench-report", "under /dev");
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	expect_refusal("/dev/../dev/iotop-bench-report", "under /dev");
	expect_refusal("", "not the name");
	cr_assert_eq(access("/dev/iotop-bench-report", F_OK), -1);
	/* It would take what is written as entropy. */
	expect_refusal("/dev/random", "is a device");
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
}

Test(atomic_file, what_others_have_put_into_a_shared_directory_is_not_followed)
{
	struct iob_atomic_file f;
	char precious[PATH_MAX];
	struct stat st;

	snprintf(precious, sizeof(precious), "%s/precious", dir);
	cr_assert_eq(symlink(precious, path), 0);
	cr_assert_eq(chmod(dir, 01777), 0);
	/* A link of one's own is fine. */
	write_plainly("mine");
	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0, "%s", err.text);
	iob_atomic_file_abort(&f);
	if (geteuid() != 0)
		cr_skip_test("to give a link away needs root");
	cr_assert_eq(lchown(path, 64998, (gid_t)-1), 0);
	expect_refusal(path, "somebody else");
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	/* A file of theirs, which they could go on writing. */
	cr_assert_eq(unlink(path), 0);
	write_plainly("theirs");
	cr_assert_eq(chown(path, 64998, (gid_t)-1), 0);
	expect_refusal(path, "somebody else");
	/* Elsewhere it is replaced, and its mode is not taken over. */
	cr_assert_eq(chmod(path, 0666), 0);
	cr_assert_eq(chmod(dir, 0700), 0);
	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0, "%s", err.text);
	cr_assert_eq(iob_atomic_file_commit(&f, &err), 0);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0644);
}

Test(atomic_file, path_through_a_link_into_dev_is_refused)
{
	char link[PATH_MAX];
	char name[PATH_MAX + 16];

	snprintf(link, sizeof(link), "%s/devices", dir);
	cr_assert_eq(symlink("/dev", link), 0);
	snprintf(name, sizeof(name), "%s/report", link);
	expect_refusal(name, "under /dev");
}

Test(atomic_file, missing_directory_is_an_error_with_the_name)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/none/report", dir);
	expect_refusal(name, "none/report");
	cr_assert_eq(err.code, -ENOENT);
}

Test(atomic_file, character_devices_are_written_directly)
{
	struct iob_atomic_file f;

	cr_assert_eq(iob_atomic_file_open(&f, "/dev/null", &err), 0, "%s", err.text);
	fputs("x", f.stream);
	cr_assert_eq(iob_atomic_file_commit(&f, &err), 0);
	struct stat st;
	cr_assert_eq(stat("/dev/null", &st), 0);
	cr_assert(S_ISCHR(st.st_mode));
}

Test(atomic_file, full_disk_fails_at_commit)
{
	struct iob_atomic_file f;

	if (access("/dev/full", W_OK) < 0)
		cr_skip_test("no /dev/full here");
	cr_assert_eq(iob_atomic_file_open(&f, "/dev/full", &err), 0, "%s", err.text);
	fputs("x", f.stream);
	cr_assert_eq(iob_atomic_file_commit(&f, &err), -ENOSPC);
	cr_assert_not_null(strstr(err.text, "No space"), "%s", err.text);
}

Test(atomic_file, standard_output_is_joined_not_truncated)
{
	struct iob_atomic_file f;
	IOB_FD int saved = dup(STDOUT_FILENO);
	IOB_FD int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	fflush(stdout);
	cr_assert_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	cr_assert_eq(write(STDOUT_FILENO, "one ", 4), 4);
	int rc = iob_atomic_file_open(&f, "/dev/stdout", &err);
	if (rc == 0) {
		fputs("two", f.stream);
		rc = iob_atomic_file_commit(&f, &err);
	}
	dup2(saved, STDOUT_FILENO);
	cr_assert_eq(rc, 0, "%s", err.text);
	expect_content("one two");
}

Test(atomic_file, failed_rename_leaves_nothing_behind)
{
	struct iob_atomic_file f;

	cr_assert_eq(iob_atomic_file_open(&f, path, &err), 0);
	cr_assert_eq(mkdir(path, 0755), 0);
	cr_assert_lt(iob_atomic_file_commit(&f, &err), 0);
	cr_assert_not_null(strstr(err.text, "report.json"));
	cr_assert_eq(entries(), 1, "only the directory that stood in the way");
}
