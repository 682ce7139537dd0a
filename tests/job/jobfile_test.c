/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/fio_expression.h"
#include "job/jobfile.h"

static struct iob_jobfile jf;
static struct iob_error err;

static void fresh(void)
{
	memset(&jf, 0, sizeof(jf));
	memset(&err, 0, sizeof(err));
}

static void drop(void)
{
	iob_jobfile_free(&jf);
}

TestSuite(jobfile, .init = fresh, .fini = drop, .timeout = 10);

static int parse(const char *text)
{
	return iob_jobfile_parse(&jf, "x.fio", text, strlen(text), &err);
}

/* "[a] bs=4k thread | [b]": all that was read, on one line. */
static const char *shown(void)
{
	static char text[2048];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < jf.nsections; i++) {
		const struct iob_section *s = &jf.section[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s[%s]",
			i > 0 ? " | " : "", s->global ? "G" : "", s->name);
		for (size_t k = 0; k < s->noptions; k++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %s%s%s",
				s->option[k].key, s->option[k].value ? "=" : "",
				s->option[k].value ? s->option[k].value : "");
	}
	return text;
}

struct reading {
	const char *text, *expected;
};

Test(jobfile, lines_are_read_as_fio_reads_them)
{
	static const struct reading rows[] = {
		{"[a]\nbs=4k\nthread\n", "[a] bs=4k thread"},
		{"[a]\r\nbs=4k\r\nthread\r\n", "[a] bs=4k thread"},
		{"\xef\xbb\xbf[a]\nbs=4k", "[a] bs=4k"},
		{"; c\n# d\n  ; e\n\n \t \n[a]\n", "[a]"},
		{"[a] ; comment ]\nbs=4k # x ; y\nthread;z\n", "[a] bs=4k thread"},
		{"  [a]  \n\tbs =4k  \n", "[a] bs=4k"},
		{"[a]\nbs= 8k\nrw = read\n", "[a] bs=8k rw=read"},
		{"[a]\n[a]\n[A]\n", "[a] | [a] | [A]"},
		{"[h]x]\n", "[h]x]"},
		{"[global]\nbs=1\n[a]\n[global]\nbs=2\n[b]\n",
			"G[global] bs=1 | [a] | G[global] bs=2 | [b]"},
		{"[a]\nfilename=/data/x:/data/y\\:z\nx=a=b\n",
			"[a] filename=/data/x:/data/y\\:z x=a=b"},
		{"[\xe4\xb8\xad]\ndescription=\xd1\x82\xd0\xb5\xd1\x81\xd1\x82 # \xe4\xb8\xad\n",
			"[\xe4\xb8\xad] description=\xd1\x82\xd0\xb5\xd1\x81\xd1\x82"},
		{"[a]\nfilename=x\\\nbs=4k\n", "[a] filename=x\\ bs=4k"},
		{"[a]\nempty=\n", "[a] empty="},
		{"[a]\nfilename_format=$jobname.$filenum\n",
			"[a] filename_format=$jobname.$filenum"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(parse(rows[i].text), 0, "%s: %s", rows[i].text, err.text);
		cr_expect_str_eq(shown(), rows[i].expected);
		iob_jobfile_free(&jf);
	}
}

Test(jobfile, errors_name_file_line_and_column)
{
	static const struct reading rows[] = {
		{"bs=4k\n", "x.fio:1:1: bs=4k: the option stands before the first section"},
		{"[a]\n\n   =3\n", "x.fio:3:4: =3: the name of the option is missing"},
		{"[a\n", "x.fio:1:1: [a: a section is [NAME]"},
		{"\n[b;c]\n", "x.fio:2:1: [b: a section is [NAME]"},
		{"[a]\nbs={{bs}}\n", "x.fio:2:1: bs={{bs}}: \"{{\" is a placeholder"},
		{"[{{ x }}]\n", "x.fio:1:1: [{{ x }}]: \"{{\" is a placeholder"},
		{"[a]\nbs=${X\n", "x.fio:2:1: bs=${X: \"${\" has no \"}\""},
		{"[a]\n  include /no/such/file\n", "x.fio:2:3: include: job file /no/such/file"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_lt(parse(rows[i].text), 0, "%s", rows[i].text);
		cr_expect_eq(err.kind, IOB_ERR_USAGE);
		cr_expect_eq(strncmp(err.text, rows[i].expected, strlen(rows[i].expected)), 0, "%s",
			err.text);
		iob_jobfile_free(&jf);
	}
}

Test(jobfile, a_zero_byte_is_refused)
{
	static const char text[] = "[a]\nb\0s=4k\n";

	cr_expect_lt(iob_jobfile_parse(&jf, "x.fio", text, sizeof(text) - 1, &err), 0);
	cr_expect_not_null(
		strstr(err.text, "x.fio:2:1: the line holds a zero byte"), "%s", err.text);
}

Test(jobfile, a_section_name_has_at_most_255_bytes)
{
	char text[300] = "[";

	memset(text + 1, 'n', 255);
	strncat(text, "]\n", 3);
	cr_expect_eq(parse(text), 0, "%s", err.text);
	memset(text + 1, 'n', 256);
	memcpy(text + 257, "]\n", 3);
	cr_expect_lt(parse(text), 0);
	cr_expect_not_null(strstr(err.text, "at most 255 bytes"));
}

Test(jobfile, long_lines_are_read_whole)
{
	const size_t n = 100000;
	char *text = malloc(n + 64);

	memcpy(text, "[a]\nfilename=", 13);
	memset(text + 13, 'x', n);
	text[13 + n] = '\0';
	cr_assert_eq(parse(text), 0);
	cr_expect_eq(strlen(jf.section[0].option[0].value), n);
	free(text);
}

Test(jobfile, what_fio_misreads_is_warned_of)
{
	static const struct reading rows[] = {
		{"[a]\nbs= 8k\n", "x.fio:2:1: bs= 8k: fio takes the blank"},
		{"[a]\nfilename=/a#b\n", "x.fio:2:1: the line ends at the \"#\""},
		{"[globals]\n", "x.fio:1:1: [globals] begins with \"global\""},
		{"[a]\nbs=${IOB_NOT_SET}4k\n", "x.fio:2:1: ${IOB_NOT_SET} is not set"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert_eq(parse(rows[i].text), 0, "%s", err.text);
		cr_assert_eq(jf.nwarnings, 1, "%s", rows[i].text);
		cr_expect_eq(strncmp(jf.warning[0], rows[i].expected, strlen(rows[i].expected)), 0,
			"%s", jf.warning[0]);
		iob_jobfile_free(&jf);
	}
	cr_assert_eq(parse("[a] ; x\nbs=8k # y\nb=${HOME}\n"), 0);
	cr_expect_eq(jf.nwarnings, 0);
}

Test(jobfile, variables_and_keywords_are_put_in)
{
	char expected[200];
	long page = sysconf(_SC_PAGESIZE);

	setenv("IOB_X", "abc#;d", 1);
	setenv("IOB_KEY", "bs=4k", 1);
	cr_assert_eq(parse("[a]\nf=/${IOB_X}/${IOB_X}\n${IOB_KEY}\nbs=$pagesize\n"
			   "size=$pagesize*2+1\nn=$ncpus\nf=$pagesize-x\n"),
		0, "%s", err.text);
	snprintf(expected, sizeof(expected),
		"[a] f=/abc#;d/abc#;d bs=4k bs=%ld size=%ld n=%ld f=%ld-x", page, page * 2 + 1,
		sysconf(_SC_NPROCESSORS_ONLN), page);
	cr_expect_str_eq(shown(), expected);
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}

Test(jobfile, includes_are_relative_to_their_file)
{
	char dir[] = "/tmp/iob-jobfile-XXXXXX", path[64];
	static const char *const names[] = {
		"main", "inc/one", "inc/two", "inc/section", "inc/self"};
	static const char *const texts[] = {"[a]\ninclude inc/one\nrw=read\n",
		"bs=4k ; c\ninclude two\n", "iodepth=3\n", "[b]\n", "include self\n"};

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/inc", dir);
	cr_assert_eq(mkdir(path, 0700), 0);
	for (size_t i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		write_text(path, texts[i]);
	}
	snprintf(path, sizeof(path), "%s/main", dir);
	cr_expect_eq(iob_jobfile_read(&jf, path, &err), 0, "%s", err.text);
	cr_expect_str_eq(shown(), "[a] bs=4k iodepth=3 rw=read");
	cr_expect_not_null(strstr(jf.section[0].option[1].place.file, "inc/two"));
	write_text(path, "[a]\ninclude inc/section\n");
	cr_expect_lt(iob_jobfile_read(&jf, path, &err), 0);
	cr_expect_not_null(strstr(err.text, "inc/section:1:1: an included file cannot begin"));
	write_text(path, "[a]\ninclude inc/self\n");
	cr_expect_lt(iob_jobfile_read(&jf, path, &err), 0);
	cr_expect_not_null(strstr(err.text, "more than 16 deep"), "%s", err.text);
	for (size_t i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/inc", dir);
	rmdir(path);
	rmdir(dir);
}

Test(jobfile, a_second_file_waits_and_begins_anew)
{
	cr_assert_eq(parse("[global]\nbs=8k\n[a]\n[b]\n"), 0);
	cr_assert_eq(parse("[global]\n[c]\n[d]\n"), 0);
	static const bool fresh_ones[] = {false, false, false, true, false, false};
	static const bool waiting[] = {false, false, false, false, true, false};

	for (size_t i = 0; i < 6; i++) {
		cr_expect_eq(jf.section[i].fresh, fresh_ones[i], "%zu", i);
		cr_expect_eq(jf.section[i].waits, waiting[i], "%zu", i);
	}
}

static uint64_t kilo(const char *letters, unsigned n, void *self)
{
	(void)self;
	return n == 0 ? 1 : n == 1 && *letters == 'k' ? 1024 : 0;
}

Test(jobfile, arithmetic_is_done_without_a_shell)
{
	static const struct {
		const char *text;
		int64_t value;
	} rows[] = {
		{"1+2*3", 7},
		{"(1+2)*3", 9},
		{"2^3^2", 512},
		{"-3 + 5", 2},
		{"7/2", 3},
		{"7%4", 3},
		{"(4k*2)", 8192},
		{"1.5k", 1536},
		{"0x10*2", 32},
		{"8-3-2", 3},
		{"--4", 4},
	};
	static const char *const wrong[] = {"", "1+", "(1", "1)", "1/0", "1%0", "4x", "a", "1 2",
		"9^99999", "9223372036854775807*4", "$(id)", "`id`"};
	const struct iob_fio_units units = {.value = kilo};
	const char *why;
	char deep[400];
	int64_t value;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_eq(iob_fio_evaluate(rows[i].text, &units, &value, &why), 0, "%s",
			rows[i].text);
		cr_expect_eq(value, rows[i].value, "%s = %lld", rows[i].text, (long long)value);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_expect_lt(iob_fio_evaluate(wrong[i], &units, &value, &why), 0, "%s", wrong[i]);
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	cr_expect_lt(iob_fio_evaluate(deep, &units, &value, &why), 0);
	memset(deep, '-', sizeof(deep) - 1);
	cr_expect_lt(iob_fio_evaluate(deep, &units, &value, &why), 0);
}
