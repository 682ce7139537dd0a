/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/fio_args.h"
#include "job/fio_jobs.h"

static struct iob_fio_args args;
static struct iob_fio_jobs jobs;
static struct iob_error err;

static void drop(void)
{
	iob_fio_jobs_free(&jobs);
	iob_fio_args_free(&args);
}

TestSuite(fio_args, .fini = drop, .timeout = 10);

/* words: separated by blanks; each may hold none. */
static int parse(const char *words)
{
	static char copy[512], program[] = "fio";
	char *argv[40] = {program}, *save = NULL;
	int argc = 1;

	drop();
	memset(&err, 0, sizeof(err));
	snprintf(copy, sizeof(copy), "%s", words);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	return iob_fio_args_parse(&args, argc, argv, &err);
}

static int make(const char *words)
{
	const struct iob_fio_rules rules = {0};
	int rc = parse(words);

	return rc < 0 ? rc : iob_fio_jobs_make(&jobs, &args.jobs, &rules, &err);
}

Test(fio_args, options_before_the_first_job_are_for_all)
{
	cr_assert_eq(make("--bs=8k -direct 1 --name=a -iodepth 4 --thread --name b --bs=16k"), 0,
		"%s", err.text);
	cr_assert_eq(jobs.njobs, 2);
	cr_expect_str_eq(jobs.job[0].jobname, "a");
	cr_expect_str_eq(jobs.job[1].jobname, "b");
	cr_expect_eq(jobs.job[0].job.bs[IOB_READ].min, 8192);
	cr_expect_eq(jobs.job[1].job.bs[IOB_READ].min, 16384);
	cr_expect_eq(jobs.job[0].job.iodepth, 4);
	cr_expect_eq(jobs.job[1].job.iodepth, 1);
	cr_expect(jobs.job[1].job.direct);
	cr_expect_eq(jobs.nglobals, 2);
}

Test(fio_args, a_name_may_be_shortened_if_it_stays_clear)
{
	cr_assert_eq(make("--name=a --loop=10 --runtim=3 --stonewall --wait_for_previous"), 0, "%s",
		err.text);
	cr_expect_eq(jobs.job[0].job.ctl.loops, 10);
	cr_expect_lt(parse("--name=a --r=3"), 0);
	cr_expect_not_null(strstr(err.text, "argument 2: --r: it could be --"), "%s", err.text);
}

Test(fio_args, own_options_are_understood)
{
	cr_assert_eq(
		parse("--output=o --output-format=json,normal --terse-version=5 --eta=never "
		      "--eta-newline=2 --status-interval 500ms --bandwidth-log --readonly "
		      "--section=x --section=y --max-jobs=3 --allow-write=/dev/x --warnings "
		      "--idle-prof=percpu --eta-interval=400ms --debug=io,job:2 --alloc-size=9"),
		0, "%s", err.text);
	cr_expect_str_eq(args.output, "o");
	cr_expect_eq(args.formats, (unsigned)(IOB_FIO_JSON | IOB_FIO_NORMAL));
	cr_expect_eq(args.terse_version, 5);
	cr_expect_eq(args.eta, IOB_FIO_ETA_NEVER);
	cr_expect_eq(args.eta_newline_ns, 2 * IOB_NS_PER_S);
	cr_expect_eq(args.eta_interval_ns, 400 * IOB_NS_PER_MS);
	cr_expect_eq(args.status_interval_ns, 500 * IOB_NS_PER_MS);
	cr_expect_str_eq(args.bandwidth_log, "agg");
	cr_expect(args.readonly);
	cr_expect_eq(args.nsections, 2);
	cr_expect_eq(args.max_jobs, 3);
	cr_expect_str_eq(args.consent->path[0], "/dev/x");
	cr_expect_eq(args.idle_prof, IOB_FIO_IDLE_PERCPU);
	cr_expect_eq(args.nnotes, 1);
	cr_expect_eq(args.jobs.nwarnings, 1);
	cr_expect_not_null(strstr(args.jobs.warning[0], "--debug=io,job:2: there are no such"));
	cr_assert_eq(parse("--minimal"), 0);
	cr_expect_eq(args.formats, (unsigned)IOB_FIO_TERSE);
	cr_assert_eq(parse("--append-terse"), 0);
	cr_expect_eq(args.formats, (unsigned)(IOB_FIO_TERSE | IOB_FIO_NORMAL));
	cr_assert_eq(parse("--append-terse=1 --eta-interval 2"), 0);
	cr_expect_eq(args.formats, (unsigned)(IOB_FIO_TERSE | IOB_FIO_NORMAL));
	cr_expect_eq(args.nnotes, 1);
	cr_expect_eq(args.eta_interval_ns, 2 * IOB_NS_PER_S);
	cr_assert_eq(parse("--cmdhelp"), 0);
	cr_expect_str_eq(args.cmdhelp, "all");
	cr_assert_eq(parse("-enghelp=io_uring,hipri"), 0);
	cr_expect_str_eq(args.enghelp, "io_uring,hipri");
	cr_assert_eq(parse("--crctest"), 0);
	cr_expect_str_eq(args.crctest, "");
	cr_assert_eq(parse("--debug=help"), 0);
	cr_expect(args.debughelp);
	cr_assert_eq(parse("-h"), 0);
	cr_expect(args.help);
	cr_assert_eq(parse("-v"), 0);
	cr_expect(args.version);
}

Test(fio_args, letters_of_fio)
{
	cr_assert_eq(parse("-o report -F json,normal -x one -r -m -V 5 -e never --name=a"), 0, "%s",
		err.text);
	cr_expect_str_eq(args.output, "report");
	cr_expect(args.readonly);
	cr_expect(args.formats & IOB_FIO_TERSE);
	cr_expect_eq(args.terse_version, 5);
	cr_assert_eq(parse("-i"), 0);
	cr_expect_str_eq(args.enghelp, "");
	/* One that has no letter is a beginning, as before. */
	cr_assert_lt(parse("-n 4"), 0);
	cr_expect_not_null(strstr(err.text, "it could be"), "%s", err.text);
	cr_assert_lt(parse("-l log"), 0);
	cr_expect_not_null(strstr(err.text, "write_lat_log"), "%s", err.text);
}

Test(fio_args, nothing_behind_a_question_matters)
{
	static const char *const rows[] = {"--help", "-version", "--cmdhelp=bs", "--enghelp",
		"--crctest=crc16", "--cpuclock-test", "--idle-prof calibrate", "--debug=?"};
	char words[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(words, sizeof(words), "%s --nosuch /no/such.fio", rows[i]);
		cr_expect_eq(parse(words), 0, "%s: %s", words, err.text);
		cr_expect(iob_fio_args_inform(&args), "%s", words);
		snprintf(words, sizeof(words), "--nosuch %s", rows[i]);
		cr_expect_lt(parse(words), 0, "%s", words);
	}
}

Test(fio_args, wrong_ones_are_refused_by_the_number_of_the_argument)
{
	static const char *const rows[][2] = {
		{"--name=a --iodpeth=3",
			"argument 2: --iodpeth: no such option; did you mean --iodepth?"},
		{"--name=a --sync", "argument 2: --sync: needs a value"},
		{"--server", "argument 1: --server: not here: one program"},
		{"--client=host x.fio", "argument 1: --client: not here: "},
		{"--trigger-file=x", "argument 1: --trigger-file: not here: "},
		{"--output-format=yaml", "argument 1: --output-format=yaml: yaml is none of"},
		{"--terse-version=9",
			"argument 1: --terse-version=9: write a whole number from 2 to 5"},
		{"--eta=often", "argument 1: --eta=often: not one of auto, always, never"},
		{"--readonly=1", "argument 1: --readonly=1: takes no value"},
		{"--output", "argument 1: --output: needs a value"},
		{"--name", "argument 1: --name: needs a value"},
		{"---loops=2", "argument 1: --"},
		{"--name=a rw=write",
			"argument 2: rw=write is no job file; did you mean --rw=write?"},
		{"/no/such.fio", "job file /no/such.fio: No such file"},
		{"--idle-prof=x", "argument 1: --idle-prof=x: not one of"},
		{"--eta-newline=x", "argument 1: --eta-newline=x: "},
		{"--eta-interval=10ms", "argument 1: --eta-interval=10ms: at least 250ms"},
		{"--eta-newline=0", "argument 1: --eta-newline=0: at least 1ms"},
		{"--status-interval=999us", "argument 1: --status-interval=999us: at least 1ms"},
		{"--debug=io,x", "argument 1: --debug=io,x: \"x\" is no class of messages"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_lt(parse(rows[i][0]), 0, "%s", rows[i][0]);
		cr_expect_eq(strncmp(err.text, rows[i][1], strlen(rows[i][1])), 0, "%s: %s",
			rows[i][0], err.text);
	}
	cr_expect_lt(make("--name=a --iodepth=4x"), 0);
	cr_expect_not_null(strstr(err.text, "argument 2: iodepth=4x: "), "%s", err.text);
}

Test(fio_args, options_of_the_command_line_hold_for_the_first_file_only)
{
	char path[] = "/tmp/iob-fio-args-XXXXXX", words[200];
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, "[a]\n[b]\n", 8), 8);
	close(fd);
	snprintf(words, sizeof(words), "%s --iodepth=3 %s", path, path);
	cr_assert_eq(make(words), 0, "%s", err.text);
	unlink(path);
	cr_assert_eq(jobs.njobs, 4);
	cr_expect_eq(jobs.job[1].job.iodepth, 3);
	cr_expect_eq(jobs.job[2].job.iodepth, 1);
	cr_expect(jobs.job[2].job.ctl.stonewall);
	cr_expect_eq(jobs.nwarnings, 1);
}
