/* SPDX-License-Identifier: MIT */
/* Runs that are kept by themselves. */
#include <config.h>

#include "result/runs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/sample_result.h"

static char home[64];
static struct iob_error err;

static void begin(void)
{
	snprintf(home, sizeof(home), "/tmp/iob-runs-XXXXXX");
	cr_assert_not_null(mkdtemp(home));
	setenv("XDG_STATE_HOME", home, 1);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", home);
	cr_assert_eq(system(command), 0);
}

TestSuite(runs, .init = begin, .fini = end, .timeout = 30);

static void keep(struct iob_result *r, const char *device, uint64_t at)
{
	char path[IOB_PATH_MAX];

	r->target.kind = IOB_TARGET_BLOCKDEV;
	snprintf(r->target.path, sizeof(r->target.path), "/dev/%s", device);
	r->started_s = at;
	cr_assert_eq(iob_runs_keep(r, path, sizeof(path), &err), 0, "%s", err.text);
	cr_assert_eq(access(path, R_OK), 0);
}

Test(runs, the_newest_of_a_target_come_first_and_can_be_read)
{
	struct iob_result *r = calloc(1, sizeof(*r));
	struct iob_result back;
	struct iob_runs_entry *list;

	iob_sample_result(r);
	setenv("TZ", "UTC", 1);
	keep(r, "sda", 1000000000);
	keep(r, "sdb", 1000000100);
	keep(r, "sda", 1000000200);
	keep(r, "sda", 1000000200);
	cr_assert_eq(iob_runs_list(&list, NULL, 10, &err), 4);
	free(list);
	cr_assert_eq(iob_runs_list(&list, "sda", 10, &err), 3);
	cr_assert_str_eq(list[2].target, "sda");
	cr_assert_str_eq(list[2].when, "2001-09-09 01:46");
	cr_assert_str_eq(list[0].when, "2001-09-09 01:50");
	memset(&back, 0, sizeof(back));
	cr_assert_eq(iob_result_read(&back, list[0].path, &err), 0, "%s", err.text);
	cr_assert_str_eq(back.target.path, "/dev/sda");
	iob_result_free(&back);
	free(list);
	cr_assert_eq(iob_runs_list(&list, "sda", 1, &err), 1);
	free(list);
	iob_result_free(r);
	free(r);
}

Test(runs, nothing_kept_is_no_error)
{
	struct iob_runs_entry *list;

	cr_assert_eq(iob_runs_list(&list, NULL, 10, &err), 0);
	free(list);
}

Test(runs, other_files_are_left_alone)
{
	struct iob_result *r = calloc(1, sizeof(*r));
	struct iob_runs_entry *list;
	char path[128];

	iob_sample_result(r);
	keep(r, "sda", 1000000000);
	snprintf(path, sizeof(path), "%s/iotop-bench/mine-of-monday.json", home);
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	fclose(f);
	cr_assert_eq(iob_runs_list(&list, NULL, 10, &err), 1);
	free(list);
	iob_result_free(r);
	free(r);
}

Test(runs, names_are_tame)
{
	struct iob_target_info t = {.kind = IOB_TARGET_FILE};
	char name[64];

	snprintf(t.path, sizeof(t.path), "/srv/a-b c\033.dat");
	cr_assert_str_eq(iob_runs_target(name, sizeof(name), &t), "a_b_c_.dat");
	snprintf(t.path, sizeof(t.path), "/srv/..");
	cr_assert_str_eq(iob_runs_target(name, sizeof(name), &t), "_.");
	t.kind = IOB_TARGET_SCRATCH;
	cr_assert_str_eq(iob_runs_target(name, sizeof(name), &t), "scratch");
}

Test(runs, nothing_is_kept_in_a_folder_of_somebody_else)
{
	struct iob_result *r = calloc(1, sizeof(*r));
	char path[IOB_PATH_MAX], folder[128], elsewhere[128];

	iob_sample_result(r);
	snprintf(folder, sizeof(folder), "%s/iotop-bench", home);
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", home);
	cr_assert_eq(mkdir(elsewhere, 0700), 0);
	cr_assert_eq(symlink(elsewhere, folder), 0);
	keep(r, "sda", 1000000000);
	if (geteuid() != 0)
		cr_skip_test("to give a folder away needs root");
	cr_assert_eq(lchown(folder, 64998, (gid_t)-1), 0);
	cr_assert_lt(iob_runs_keep(r, path, sizeof(path), &err), 0);
	cr_assert_not_null(strstr(err.text, "somebody else"), "%s", err.text);
	/* Then it goes to the temporary files. */
	setenv("TMPDIR", home, 1);
	cr_assert_eq(iob_runs_rescue(r, path, sizeof(path), &err), 0);
	cr_assert_eq(strncmp(path, home, strlen(home)), 0, "%s", path);
	cr_assert_eq(access(path, R_OK), 0);
	iob_result_free(r);
	free(r);
}
