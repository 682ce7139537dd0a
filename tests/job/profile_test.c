/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "job/profile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct iob_plan plan;
static struct iob_error err;
static char dir[PATH_MAX / 4];
static char path[PATH_MAX / 2];

static void make_directory(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/iob-profile-XXXXXX", base ? base : "/tmp");
	cr_assert_not_null(mkdtemp(dir), "mkdtemp: %m");
	snprintf(path, sizeof(path), "%s/test.ini", dir);
	iob_plan_init(&plan);
}

static void remove_directory(void)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	cr_assert_eq(system(command), 0);
}

TestSuite(profile, .init = make_directory, .fini = remove_directory, .timeout = 20);

static void write_file(const char *name, const char *text)
{
	IOB_FILE FILE *f = fopen(name, "w");

	cr_assert_not_null(f, "%s: %m", name);
	fputs(text, f);
}

static const char *shipped(const char *name)
{
	static char buf[PATH_MAX];
	const char *source = getenv("IOB_SRCDIR");

	if (!source)
		cr_skip_test("IOB_SRCDIR is not set; run by make check");
	snprintf(buf, sizeof(buf), "%s/profiles/%s.ini", source, name);
	return buf;
}

struct expected {
	char name[16];
	uint32_t rw;
	uint64_t bs, iodepth, rwmixread;
};

/* Without the directory: after a skip Criterion does not call .fini. */
TestSuite(shipped_profiles, .timeout = 20);

ParameterizedTestParameters(shipped_profiles, say_what_they_promise)
{
	static struct expected rows[] = {
		{"iops", IOB_RW_RANDREAD, 4096, 32, 50},
		{"bandwidth", IOB_RW_READ, 1048576, 8, 50},
		{"latency", IOB_RW_RANDREAD, 4096, 1, 50},
		{"mixed", IOB_RW_RANDRW, 4096, 32, 70},
	};

	return cr_make_param_array(struct expected, rows, COUNT(rows));
}

ParameterizedTest(struct expected *e, shipped_profiles, say_what_they_promise)
{
	iob_plan_init(&plan);
	cr_assert_eq(iob_profile_load(&plan, shipped(e->name), &err), 0, "%s", err.text);
	const struct iob_job *job = &plan.stage[0];

	cr_assert_str_eq(plan.profile, e->name);
	cr_assert_eq(plan.nstages, 1);
	cr_assert_str_eq(job->name, e->name);
	cr_assert_eq(job->rw, e->rw);
	cr_assert_eq(job->bs[IOB_READ].min, e->bs);
	cr_assert_eq(job->bs[IOB_WRITE].max, e->bs);
	cr_assert_eq(job->iodepth, e->iodepth);
	cr_assert_eq(job->rwmixread, e->rwmixread);
	cr_assert_eq(job->runtime_ns, 30 * IOB_NS_PER_S);
	cr_assert_eq(iob_plan_finish(&plan, &err), 0, "%s", err.text);
}

Test(profile, stages_come_in_order_with_their_names)
{
	write_file(path, "# words\n\n[profile]\nsummary = two stages\n[Fill First]\nRW = write\n"
			 "bs=1m\n; more words\n[then read]\nrw = randread ; why\niodepth = 8\n");
	plan.consent.count = 1;
	cr_assert_eq(iob_profile_load(&plan, path, &err), 0, "%s", err.text);
	cr_assert_eq(plan.nstages, 2);
	cr_assert_str_eq(plan.profile, "test");
	cr_assert_str_eq(plan.stage[0].name, "Fill First", "names keep their case");
	cr_assert_eq(plan.stage[0].rw, IOB_RW_WRITE);
	cr_assert_str_eq(plan.stage[1].name, "then read");
	cr_assert_eq(plan.stage[1].iodepth, 8);
	cr_assert_eq(plan.stage[1].bs[IOB_READ].min, 4096, "each stage starts at the defaults");
	cr_assert_eq(plan.consent.count, 1, "the rest of the plan stays");
}

struct fault {
	char text[160], words[64];
};

ParameterizedTestParameters(profile, refuses)
{
	static struct fault rows[] = {
		{"", "no [profile]"},
		{"[a]\nrw=read\n", "no [profile]"},
		{"[profile]\nsummary=x\n", "no stage"},
		{"[profile]\n[a]\nbs=4x\n", "test.ini:3: [a] bs=4x: \"x\" is not a unit"},
		{"[profile]\n[a]\nbsx=4k\n", "test.ini:3: [a] bsx: no such parameter"},
		{"[profile]\n[a]\nthread\n", "test.ini:3: \"thread\" is neither"},
		{"[profile]\n[a]\nbs =\n", "test.ini:3: [a] bs: the value is empty"},
		{"[profile]\n[a]\nbs=4k\nrw=read\nbs=8k\n",
			"test.ini:5: [a] bs is there already, at line 3"},
		{"[profile]\n[a]\n[b]\n[A]\n", "test.ini:4: [A] is there already, at line 2"},
		{"[profile]\n[profile]\n[a]\n", "test.ini:2: [profile] is there already"},
		{"bs=4k\n[profile]\n", "test.ini:1: a key stands before"},
		{"[profile]\n[a\n", "test.ini:2: a section is [NAME]"},
		{"[profile]\n[a] ; x\n", "test.ini:2: a section is [NAME]"},
		{"[profile]\n[]\n", "test.ini:2: the name is empty"},
		{"[profile]\n[a:b]\n", "test.ini:2: the name a:b holds a colon"},
		{"[profile]\n[a]\n=4k\n", "test.ini:3: the name is empty"},
		{"[profile]\nsummary=a \\\nb\n[a]\n", "test.ini:2: a backslash"},
		{"[profile]\nsummary=\"a\n[a]\n", "test.ini:2: the quote before"},
		{"[profile]\nsummary='a\n[a]\n", "test.ini:2: the quote before"},
		{"[a]\nbs = \"4k\" 8k\n", "test.ini:2: \"8k\" follows"},
		{"[profile]\nbs=4k\n[a]\n", "test.ini:2: [profile] bs: no such key"},
	};

	return cr_make_param_array(struct fault, rows, COUNT(rows));
}

/* No .init or .fini here: those of the suite are called besides, not instead. */
ParameterizedTest(struct fault *f, profile, refuses, .timeout = 20)
{
	static struct iob_plan before;

	write_file(path, f->text);
	before = plan;
	cr_assert_eq(iob_profile_load(&plan, path, &err), -EINVAL, "%s", f->text);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, f->words), "%s", err.text);
	cr_assert_eq(memcmp(&before, &plan, sizeof(plan)), 0, "the plan is unchanged");
}

static void write_long_line(size_t n)
{
	IOB_FILE FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs("[profile]\nsummary = ", f);
	for (size_t i = 0; i < n; i++)
		fputc('x', f);
	fputs("\n[a]\nrw = read\n", f);
}

Test(profile, long_lines_are_refused_with_their_number)
{
	write_long_line(5000);
	cr_assert_eq(iob_profile_load(&plan, path, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "test.ini:2: the line is too long"), "%s", err.text);
	write_long_line(980);
	cr_assert_eq(iob_profile_load(&plan, path, &err), 0, "what is let through is read: %s",
		err.text);
}

Test(profile, too_many_stages_are_refused)
{
	IOB_FILE FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs("[profile]\n", f);
	for (int i = 0; i <= IOB_MAX_STAGES; i++)
		fprintf(f, "[s%d]\n", i);
	fflush(f);
	cr_assert_eq(iob_profile_load(&plan, path, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "at most 16 stages"), "%s", err.text);
}

Test(profile, odd_files_are_refused)
{
	cr_assert_lt(iob_profile_load(&plan, dir, &err), 0);
	cr_assert_not_null(strstr(err.text, "not a regular file"), "%s", err.text);
	cr_assert_lt(iob_profile_load(&plan, path, &err), 0);
	cr_assert_not_null(strstr(err.text, "No such file"), "%s", err.text);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_lt(iob_profile_load(&plan, path, &err), 0, "a pipe does not make it wait");
	cr_assert_lt(iob_profile_load(&plan, "", &err), 0);
}

Test(profile, a_huge_file_is_not_read)
{
	write_file(path, "[profile]\n");
	cr_assert_eq(truncate(path, (off_t)1 << 40), 0, "%m");
	cr_assert_eq(iob_profile_load(&plan, path, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "larger than any profile"), "%s", err.text);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
}

Test(profile, a_byte_order_mark_is_named)
{
	write_file(path, "\xef\xbb\xbf[profile]\n");
	cr_assert_eq(iob_profile_load(&plan, path, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "test.ini:1: a byte order mark"), "%s", err.text);
}

Test(profile, zero_bytes_are_refused)
{
	IOB_FILE FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fwrite("[profile]\n[a]\nrw\0=read\n", 1, 23, f);
	fflush(f);
	cr_assert_eq(iob_profile_load(&plan, path, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "test.ini:3: there is a zero byte"), "%s", err.text);
}

/* The search path. */

static void put_profile(const char *below, const char *name, const char *summary)
{
	char command[PATH_MAX];
	char file[PATH_MAX];
	char text[256];

	snprintf(command, sizeof(command), "mkdir -p '%s/%s'", dir, below);
	cr_assert_eq(system(command), 0);
	snprintf(file, sizeof(file), "%s/%s/%s.ini", dir, below, name);
	snprintf(text, sizeof(text), "[profile]\nsummary = %s\n[main]\nrw = read\n", summary);
	write_file(file, text);
}

static void use_own_search_path(void)
{
	char list[PATH_MAX];

	put_profile("one", "mixed", "first");
	put_profile("one", "zebra", "animal \033[31m");
	put_profile("two", "mixed", "second");
	put_profile("two", "iops", "of two");
	put_profile("config/iotop-bench/profiles", "mine", "my own");
	snprintf(list, sizeof(list), "%s/one::%s/none:%s/two", dir, dir, dir);
	setenv("IOTOP_BENCH_PROFILES", list, 1);
	snprintf(list, sizeof(list), "%s/config", dir);
	setenv("XDG_CONFIG_HOME", list, 1);
}

static int index_of(const struct iob_profile_entry *list, int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		if (strcmp(list[i].name, name) == 0)
			return i;
	}
	return -1;
}

Test(profile, list_is_ordered_and_the_first_found_wins, .init = use_own_search_path)
{
	IOB_FREE struct iob_profile_entry *list = NULL;
	int n = iob_profile_list(&list, &err);

	cr_assert_geq(n, 4, "%s", err.text);
	int iops = index_of(list, n, "iops"), mixed = index_of(list, n, "mixed");
	int mine = index_of(list, n, "mine"), zebra = index_of(list, n, "zebra");
	cr_assert_eq(iops, 0);
	cr_assert(iops < mixed && mixed < mine && mine < zebra);
	cr_assert_str_eq(list[mixed].summary, "first");
	cr_assert_str_eq(list[zebra].summary, "animal ?[31m", "escape sequences are cleaned");
	cr_assert_not_null(strstr(list[mine].path, "/config/iotop-bench/profiles/mine.ini"));
}

Test(profile, names_are_found_and_unknown_ones_get_a_suggestion, .init = use_own_search_path)
{
	cr_assert_eq(iob_profile_load(&plan, "mine", &err), 0, "%s", err.text);
	cr_assert_str_eq(plan.profile, "mine");
	cr_assert_eq(iob_profile_load(&plan, "zebar", &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "did you mean zebra?"), "%s", err.text);
	cr_assert_eq(iob_profile_load(&plan, "qqqqqqqq", &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "iotop-bench profiles"), "%s", err.text);
}

Test(profile, unusable_ones_are_listed_with_the_reason, .init = use_own_search_path)
{
	char file[PATH_MAX];
	IOB_FREE struct iob_profile_entry *list = NULL;

	snprintf(file, sizeof(file), "%s/one/broken.ini", dir);
	write_file(file, "[profile]\n[a]\nbs=0\n");
	int n = iob_profile_list(&list, &err);
	int i = index_of(list, n, "broken");
	cr_assert_geq(i, 0);
	cr_assert_eq(strncmp(list[i].summary, "not usable: ", 12), 0, "%s", list[i].summary);
}

Test(profile, a_plan_is_saved_without_its_place_and_read_back)
{
	struct iob_plan again;
	char name[4096];

	setenv("XDG_CONFIG_HOME", dir, 1);
	unsetenv("IOTOP_BENCH_PROFILES");
	iob_plan_init(&again);
	cr_assert_eq(iob_plan_set(&plan, "bs", "8k", &err), 0);
	cr_assert_eq(iob_plan_set(&plan, "rwmixread", "70", &err), 0);
	cr_assert_eq(iob_plan_set(&plan, "filename", "/tmp/x", &err), 0);
	cr_assert_lt(iob_profile_save(&plan, "../x", name, sizeof(name), &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_eq(iob_profile_save(&plan, "mine", name, sizeof(name), &err), 0, "%s", err.text);
	cr_assert_lt(iob_profile_save(&plan, "mine", name, sizeof(name), &err), 0);
	cr_assert_not_null(strstr(err.text, "exists already"), "%s", err.text);
	cr_assert_eq(iob_profile_load(&again, "mine", &err), 0, "%s", err.text);
	cr_assert_eq(again.stage[0].bs[IOB_READ].min, 8192);
	cr_assert_eq(again.stage[0].rwmixread, 70);
	cr_assert_str_eq(again.stage[0].filename, "");
}
