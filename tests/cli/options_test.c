/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/options.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct iob_options o;
static struct iob_error err;
static char words[512];

/* The command line in one string, words apart by blanks; '~' stands for an empty word. */
static int parse(const char *line)
{
	static char *argv[32];
	int argc = 0;

	snprintf(words, sizeof(words), "run %s", line);
	for (char *save = NULL, *w = strtok_r(words, " ", &save); w;
		w = strtok_r(NULL, " ", &save)) {
		if (strcmp(w, "~") == 0)
			*w = '\0';
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	return iob_options_parse(&o, argc, argv, &err);
}

static void need_profiles(void)
{
	if (!getenv("IOTOP_BENCH_PROFILES"))
		cr_skip_test("IOTOP_BENCH_PROFILES is not set; run by make check");
}

static void release(void)
{
	iob_options_free(&o);
	iob_options_free(&o);
}

TestSuite(options, .init = need_profiles, .fini = release, .timeout = 10);

static const struct iob_job *job(void)
{
	return &o.plan->stage[0];
}

Test(options, nothing_given_is_the_default_profile_on_a_scratch_file)
{
	cr_assert_eq(parse(""), 0, "%s", err.text);
	cr_assert_str_eq(o.plan->profile, "iops");
	cr_assert_eq(job()->iodepth, 32);
	cr_assert_not(o.has_target);
	cr_assert(o.plan->scratch);
	cr_assert_neq(o.plan->seed, 0);
	cr_assert_eq(o.formats.count, 1);
	cr_assert_str_eq(o.formats.item[0]->name, "text");
	cr_assert_str_eq(o.symbols, "auto");
	cr_assert_eq(o.color, IOB_COLOR_AUTO);
	cr_assert_eq(o.grace_ns | o.refresh_ns, 0);
	cr_assert_null(o.output);
	cr_assert_null(o.save);
}

Test(options, default_profile_works_without_any_installed)
{
	setenv("IOTOP_BENCH_PROFILES", "/nonexistent", 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert_eq(parse(""), 0, "%s", err.text);
	cr_assert_eq(job()->iodepth, 32);
	cr_assert_eq(job()->rw, IOB_RW_RANDREAD);
}

Test(options, rw_alone_takes_no_profile)
{
	cr_assert_eq(parse("--readwrite=write"), 0, "%s", err.text);
	cr_assert_str_eq(o.plan->profile, "");
	cr_assert_eq(job()->iodepth, 1);
	cr_assert_eq(job()->rw, IOB_RW_WRITE);
}

Test(options, an_option_beats_the_profile_wherever_it_stands)
{
	cr_assert_eq(
		parse("--bs=8k /dev/sdb -p mixed --runtime=5 --rw=randread"), 0, "%s", err.text);
	cr_assert_str_eq(o.plan->profile, "mixed");
	cr_assert_eq(job()->bs[IOB_READ].min, 8192);
	cr_assert_eq(job()->rwmixread, 70);
	cr_assert_eq(job()->rw, IOB_RW_RANDREAD);
	cr_assert_eq(job()->runtime_ns, 5 * IOB_NS_PER_S);
	cr_assert_str_eq(job()->filename, "/dev/sdb");
	cr_assert(o.has_target);
}

Test(options, another_profile_keeps_what_else_was_asked_for)
{
	struct iob_plan *plan = calloc(1, sizeof(*plan));
	char text[64];

	cr_assert_not_null(plan);
	cr_assert_eq(parse("-p mixed --size=200m --runtime 20 -direct"), 0, "%s", err.text);
	cr_assert_eq(iob_options_replan(&o, "latency", plan, &err), 0, "%s", err.text);
	cr_assert_str_eq(plan->profile, "latency");
	cr_assert_eq(plan->stage[0].iodepth, 1);
	cr_assert_eq(plan->stage[0].size.bytes, 200 << 20);
	cr_assert_eq(plan->stage[0].runtime_ns, 20 * IOB_NS_PER_S);
	cr_assert_str_eq(o.plan->profile, "mixed");
	iob_options_words(&o, text, sizeof(text));
	cr_assert_str_eq(text, " --size=200m --runtime=20 --direct");
	cr_assert_lt(iob_options_replan(&o, "nosuch", plan, &err), 0);
	free(plan);
}

Test(options, later_of_two_options_counts)
{
	cr_assert_eq(parse("--iodepth=4 --iodepth=8 -f json -f text"), 0, "%s", err.text);
	cr_assert_eq(job()->iodepth, 8);
	cr_assert_eq(o.formats.count, 1);
	cr_assert_str_eq(o.formats.item[0]->name, "text");
}

/* As the articles write them. */
Test(options, fio_spellings_are_understood)
{
	cr_assert_eq(parse("-filename=/dev/sdb1 -direct=1 -iodepth 1 -thread -rw=randrw "
			   "-rwmixread=70 -ioengine=psync -bs=16k -size=10G -numjobs=30 "
			   "-runtime=100 -group_reporting -name=mytest -ioscheduler=noop"),
		0, "%s", err.text);
	cr_assert(job()->direct && job()->thread && job()->group_reporting);
	cr_assert_eq(job()->iodepth, 1);
	cr_assert_eq(job()->numjobs, 30);
	cr_assert_str_eq(job()->name, "mytest");
	cr_assert_str_eq(job()->filename, "/dev/sdb1");
	cr_assert(o.has_target);
}

Test(options, more_fio_spellings)
{
	cr_assert_eq(parse("--ioengine=libaio --bs=128k --direct 0 --iodepth=512 "
			   "--iodepth_batch=128 --iodepth_batch_complete=128 --randrepeat=0 "
			   "--norandommap --gtod_reduce=1 --rw=randwrite --directory /x"),
		0, "%s", err.text);
	cr_assert_not(job()->direct);
	cr_assert(job()->norandommap && job()->gtod_reduce);
	cr_assert_eq(job()->iodepth_batch, 128);
	cr_assert_str_eq(job()->directory, "/x");
	cr_assert(o.has_target);
}

Test(options, own_options_are_all_taken)
{
	cr_assert_eq(parse("--format=json,text -o out.json --save=run.json --grace=5s -q "
			   "--min-iops=1k --min_bw=10m --max-lat=5ms --max-p99=20ms "
			   "--symbols=ascii --color=never --refresh=500ms "
			   "--allow-write=/dev/sdb --allow-write /dev/sdc"),
		0, "%s", err.text);
	cr_assert_eq(o.formats.count, 2);
	cr_assert_str_eq(o.formats.item[0]->name, "json");
	cr_assert_str_eq(o.output, "out.json");
	cr_assert_str_eq(o.save, "run.json");
	cr_assert_eq(o.grace_ns, 5 * IOB_NS_PER_S);
	cr_assert(o.quiet);
	cr_assert_eq((int)o.gates.min_iops, 1000);
	cr_assert_eq((int)o.gates.min_bw, 10 << 20);
	cr_assert_eq(o.gates.max_lat_ns, 5 * IOB_NS_PER_MS);
	cr_assert_eq(o.gates.max_p99_ns, 20 * IOB_NS_PER_MS);
	cr_assert_str_eq(o.symbols, "ascii");
	cr_assert_eq(o.color, IOB_COLOR_NEVER);
	cr_assert_eq(o.refresh_ns, 500 * IOB_NS_PER_MS);
	cr_assert_eq(o.plan->consent.count, 2);
	cr_assert_str_eq(o.plan->consent.path[1], "/dev/sdc");
}

Test(options, help_and_version_stop_at_nothing)
{
	cr_assert_eq(parse("--help --version"), 0);
	cr_assert(o.help && o.version);
	iob_options_free(&o);
	cr_assert_eq(parse("-h"), 0);
	cr_assert(o.help);
	iob_options_free(&o);
	cr_assert_eq(parse("-o - --no-save"), 0);
	cr_assert_null(o.output);
	cr_assert(o.no_save);
}

Test(options, two_dashes_end_the_options)
{
	cr_assert_eq(parse("--iodepth=2 -- -odd-name"), 0, "%s", err.text);
	cr_assert_str_eq(job()->filename, "-odd-name");
}

Test(options, a_switch_does_not_swallow_the_target)
{
	cr_assert_eq(parse("--norandommap /dev/sdb"), 0, "%s", err.text);
	cr_assert_str_eq(job()->filename, "/dev/sdb");
	cr_assert(job()->norandommap);
}

Test(options, directory_target_is_told_by_its_slash)
{
	cr_assert_eq(parse("/var/tmp/"), 0, "%s", err.text);
	cr_assert_str_eq(job()->directory, "/var/tmp/");
	cr_assert(o.has_target);
}

struct refusal {
	char line[72], text[72];
};

ParameterizedTestParameters(options, refuses)
{
	static struct refusal rows[] = {
		{"--bs=4x", "bs=4x: \"x\" is not a unit"},
		{"--bs=0", "bs=0: at least 1"},
		{"--iodepth=0", "iodepth=0: at least 1"},
		{"--iodepth=100000", "iodepth=100000: at most 65536"},
		{"--rw=foo", "rw=foo: not one of read"},
		{"--runtime=-1", "runtime=-1: it cannot be negative"},
		{"--runtime -1", "runtime=-1: it cannot be negative"},
		{"--size=1e9999", "size=1e9999: \"e9999\" is not a unit"},
		{"--iodeph=4", "--iodeph: no such option; did you mean --iodepth?"},
		{"--formt=json", "did you mean --format?"},
		{"--qqqqqqqqq", "--help and"},
		{"--", ""},
		{"-", "standard input"},
		{"--=4", "no such option"},
		{"-x", "no such option"},
		{"a b", "b: only one TARGET"},
		{"a --filename=b", "only one of them"},
		{"--directory=b a", "only one of them"},
		{"--filename=a --directory=b", "only one of them"},
		{"--filename=", "--filename=: the value is empty"},
		{"--size=", "the value is empty"},
		{"--iodepth", "--iodepth: needs a value"},
		{"--iodepth --direct", "--iodepth: needs a value"},
		{"-p", "--profile: needs a value"},
		{"-p iosp", "did you mean iops?"},
		{"-p iops -p mixed", "only one profile"},
		{"--quiet=1", "--quiet=1: takes no value"},
		{"-f xml", "format=xml: \"xml\" is not one of text, json"},
		{"-f json,", "\"\" is not one of"},
		{"--save=a --no-save", "leave one out"},
		{"--no-save --save=a", "leave one out"},
		{"--grace=0", "grace=0: from 100ms to 1h"},
		{"--grace=4x", "grace=4x: "},
		{"--refresh=1us", "refresh=1us: from 50ms"},
		{"--min-iops=10x", "min-iops=10x: "},
		{"--min-bw=4x", "min-bw=4x: "},
		{"--max-lat=5", "max-lat=5: the unit is missing"},
		{"--max-p99=0ms", "max-p99=0ms: from 1ns"},
		{"--symbols=emoji", "symbols=emoji: not one of auto, braille"},
		{"--color=red", "color=red: not one of auto, always, never"},
		{"--iodepth_batch=33", "iodepth_batch=33: more than iodepth=32"},
		{"~", "TARGET is empty"},
	};

	return cr_make_param_array(struct refusal, rows, COUNT(rows));
}

ParameterizedTest(struct refusal *r, options, refuses, .init = need_profiles)
{
	int rc = parse(r->line);

	if (r->text[0] == '\0') {
		cr_assert_eq(rc, 0, "%s", err.text);
		iob_options_free(&o);
		return;
	}
	cr_assert_eq(rc, -EINVAL, "%s", r->line);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, r->text), "%s", err.text);
	cr_assert_null(o.plan, "nothing is left to free");
}
