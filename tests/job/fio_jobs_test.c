/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "job/fio_foreign.h"
#include "job/fio_jobs.h"
#include "job/param.h"

#define KI UINT64_C(1024)

static struct iob_jobfile jf;
static struct iob_fio_jobs jobs;
static struct iob_fio_rules rules;
static struct iob_error err;

static void drop(void)
{
	iob_fio_jobs_free(&jobs);
	iob_jobfile_free(&jf);
}

TestSuite(fio_jobs, .fini = drop, .timeout = 10);

static int make(const char *text)
{
	drop();
	memset(&err, 0, sizeof(err));
	int rc = iob_jobfile_parse(&jf, "x.fio", text, strlen(text), &err);

	return rc < 0 ? rc : iob_fio_jobs_make(&jobs, &jf, &rules, &err);
}

/* One job with this option, and its row as text. */
static const char *value_of(const char *option, const char *row)
{
	static char text[IOB_PATH_MAX];
	char file[600];

	snprintf(file, sizeof(file), "[a]\n%s\n", option);
	if (make(file) < 0)
		return err.text;
	return iob_param_get(&jobs.job[0].job, iob_param_find(row), text, sizeof(text));
}

static const struct iob_job *job(size_t i)
{
	cr_assert_lt(i, jobs.njobs);
	return &jobs.job[i].job;
}

Test(fio_jobs, defaults_are_those_of_fio)
{
	cr_assert_eq(make("[a]\n"), 0, "%s", err.text);
	cr_expect_str_eq(job(0)->ioengine, "psync");
	cr_expect_str_eq(job(0)->name, "a");
	cr_expect_eq(job(0)->rw, IOB_RW_READ);
	cr_expect_not(job(0)->direct);
	cr_expect(job(0)->randrepeat);
	cr_expect_eq(job(0)->runtime_ns, 0);
	cr_expect_not(job(0)->time_based);
	cr_expect_eq(job(0)->bs[IOB_READ].min, 4 * KI);
	cr_expect_eq(job(0)->ctl.kb_base, 1024);
	cr_expect(job(0)->ctl.clat_percentiles);
	for (size_t i = 0; i < iob_param_count(); i++)
		cr_expect_not(
			iob_param_is_given(job(0), iob_param_at(i)), "%s", iob_param_at(i)->name);
}

struct value {
	const char *option, *row, *expected;
};

Test(fio_jobs, values_are_read_by_fios_rules)
{
	static const struct value rows[] = {
		{"bs=8k,32k", "bs", "8k,32k"},
		{"bs=8k,32k,", "bs", "8k,32k,4k"},
		{"bs=,8k", "bs", "4k,8k"},
		{"bs=4kb", "bs", "4k"},
		{"bs=0x1000", "bs", "4k"},
		{"bs=(2*4k)", "bs", "8k"},
		{"blocksize=512B", "bs", "512"},
		{"bsrange=1k-4k,2k:8k", "bs", "1k-4k,2k-8k"},
		{"bsrange=8k-1k", "bs", "1k-8k"},
		{"bs=4ki", "bs", "4k"},
		{"iodepth=1k", "iodepth", "1024"},
		{"size=25%", "size", "25%"},
		{"size=1g", "size", "1g"},
		{"size=(1m + 1m)", "size", "2m"},
		{"numjobs=1024", "numjobs", "1024"},
		{"nrfiles=25000", "nrfiles", "25000"},
		{"number_ios=2k", "number_ios", "2048"},
		{"runtime=90", "runtime", "90s"},
		{"timeout=2m", "runtime", "2m"},
		{"runtime=(60*2s)", "runtime", "2m"},
		{"runtime=(60+60)", "runtime", "2m"},
		{"startdelay=2", "startdelay", "2s"},
		{"startdelay=1-5", "startdelay", "1s-5s"},
		{"startdelay=500ms:2s", "startdelay", "500ms-2s"},
		{"rate_iops=10,20", "rate_iops", "10,20"},
		{"rwmixwrite=30", "rwmixread", "70"},
		{"rwmixread=70%", "rwmixread", "70"},
		{"direct=0", "direct", "0"},
		{"stonewall", "stonewall", "1"},
		{"stonewall=0", "stonewall", "0"},
		{"wait_for_previous", "stonewall", "1"},
		{"norandommap=1", "norandommap", "1"},
		{"unified_rw_reporting=1", "unified_rw_reporting", "mixed"},
		{"ioengine=linuxaio", "ioengine", "libaio"},
		{"cpumask=0x5", "cpus_allowed", "0,2"},
		{"write_bw_log", "write_bw_log", "a"},
		{"write_lat_log=x", "write_lat_log", "x"},
		{"verify=0", "bs", "4k"},
		{"thinktime=0", "bs", "4k"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect_str_eq(value_of(rows[i].option, rows[i].row), rows[i].expected,
			"%s gives %s", rows[i].option, value_of(rows[i].option, rows[i].row));
		cr_expect_eq(jobs.nwarnings, 0, "%s", rows[i].option);
	}
}

Test(fio_jobs, what_fio_misreads_is_read_right_with_a_warning)
{
	static const struct value rows[] = {
		{"runtime=1.5m", "runtime", "1.5m"},
		{"runtime=10sec", "runtime", "10s"},
		{"ramp_time=1hour", "ramp_time", "1h"},
		{"bs=1.5k", "bs", "1536"},
		{"bs=4KiB", "bs", "4k"},
		{"bs=8 k", "bs", "8k"},
		{"bs=4k, 8k", "bs", "4k,8k"},
		{"norandommap=2", "norandommap", "1"},
		{"iodepth=8*4", "iodepth", "32"},
		{"runtime=40+10", "runtime", "50s"},
		{"size=100%%", "size", "100%"},
		{"size=0", "size", ""},
		{"iodepth=4.5", "iodepth", "4"},
		{"bs=4k-64k", "bs", "4k-64k"},
		{"bsrange=4k-8k-16k,1k:2k", "bs", "4k-8k,1k-2k"},
		{"bsrange=1k/25:2k/25:4k/50", "bs", "1k-2k"},
		{"rate=1m:2m", "rate", "1048576,2097152"},
		{"rate_iops=10:20", "rate_iops", "10,20"},
		{"size=4m:8m", "size", "4m"},
		{"iodepth=32,16", "iodepth", "32"},
		{"rwmixread=70/30", "rwmixread", "70"},
		{"size=2g  // of data (all)", "size", "2g"},
		{"bssplit=8k/6:64k/100,4k/50:16k/50", "bssplit", "8k/6:64k/94,4k/50:16k/50"},
		{"bssplit=4k/90:8k/100:16k/", "bssplit", "4k/90:8k/10:16k/"},
		{"bssplit=4k/100:8k/100:16k/100", "bssplit", "4k/100:8k/0:16k/0"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[64];
		snprintf(text, sizeof(text), "%s", value_of(rows[i].option, rows[i].row));

		cr_expect(
			strcmp(text, rows[i].expected) == 0 || (strcmp(text, "90s") == 0 && i == 0),
			"%s gives %s", rows[i].option, text);
		cr_expect_eq(jobs.nwarnings, 1, "%s", rows[i].option);
	}
	cr_assert_eq(make("[a]\nruntime=1.5m\nramp_time=2.5m\n[b]\nruntime=1.5s\n"), 0);
	cr_expect_eq(jobs.nwarnings, 1, "each kind is said once");
}

Test(fio_jobs, files_that_are_named_again_are_added)
{
	cr_assert_eq(make("[global]\nfilename=g\n[a]\nfilename=b\nfilename=c:d\n[e]\nrw=read\n"), 0,
		"%s", err.text);
	cr_expect_str_eq(job(0)->filename, "g:b:c:d");
	cr_expect_str_eq(job(1)->filename, "g");
	cr_expect_eq(jobs.nwarnings, 1, "it is said once");
}

Test(fio_jobs, kb_base_1000_makes_units_decimal_wherever_it_stands)
{
	cr_assert_eq(make("[a]\nbs=4k\nsize=8kib\nkb_base=1000\n"), 0, "%s", err.text);
	cr_expect_eq(job(0)->bs[IOB_READ].min, 4000);
	cr_expect_eq(job(0)->size.bytes, 8 * KI);
}

Test(fio_jobs, what_nothing_makes_use_of_is_noted)
{
	cr_assert_eq(make("[a]\nioengine=psync\nrw=write\nsize=1m\ndedupe_global=1\n"), 0, "%s",
		err.text);
	cr_expect_eq(jobs.nnotes, 1);
	cr_assert_eq(make("[a]\nioengine=psync\nrw=write\nsize=1m\ndedupe_global=1\n"
			  "dedupe_percentage=50\ndedupe_mode=working_set\n"),
		0, "%s", err.text);
	cr_expect_eq(jobs.nnotes, 0);
}

Test(fio_jobs, sense_is_demanded_with_file_line_and_column)
{
	static const struct value rows[] = {
		{"iodepth=4x", "", "x.fio:2:1: iodepth=4x: \"x\" is not a unit"},
		{"bs=4kk", "", "x.fio:2:1: bs=4kk: \"kk\" is not a unit"},
		{"bs=-4k", "", "x.fio:2:1: bs=-4k: "},
		{"runtime=1:30", "", "x.fio:2:1: runtime=1:30: the unit is not known"},
		{"runtime=10,20", "", "x.fio:2:1: runtime=10,20: there is one time"},
		{"[b] bs=4k", "", "x.fio:2:1: [b] bs=4k: something stands behind [b]"},
		{"bs=", "", "x.fio:2:1: bs=: the value is empty"},
		{"bs", "", "x.fio:2:1: bs: needs a value"},
		{"rw=randreed", "", "x.fio:2:1: rw=randreed: not one of read, write"},
		{"iodpeth=1", "", "x.fio:2:1: iodpeth: no such option; did you mean iodepth?"},
		{"output-format=json", "",
			"x.fio:2:1: output-format=json: not supported: it belongs"},
		{"cpus_allowed=0:1", "", "x.fio:2:1: cpus_allowed=0:1: "},
		{"percentile_list=50:101", "",
			"x.fio:2:1: percentile_list=50:101: percentiles lie"},
		{"percentile_list=a", "", "x.fio:2:1: percentile_list=a: not a list"},
		{"percentile_list=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21", "",
			"x.fio:2:1: percentile_list: 21"},
		{"verify=md5", "", "x.fio:2:1: verify=md5: not supported yet"},
		{"thinktime=4ms", "", "x.fio:2:1: thinktime=4ms: not supported yet"},
		{"steadystate=iops:1%", "", "x.fio:2:1: steadystate=iops:1%: not supported yet"},
		{"ioengine=rbd", "", "x.fio:2:1: ioengine=rbd: no engine of this program"},
		{"ioengine=external:/x.so", "", "x.fio:2:1: ioengine=external:/x.so: no engine"},
		{"exec_prerun=rm -rf /", "", "x.fio:2:1: exec_prerun=rm -rf /: it runs a command"},
		{"size=8z", "", "x.fio:2:1: size=8z: sizes in zones"},
		{"bs=(1/0)", "", "x.fio:2:1: bs=(1/0): it divides by zero"},
		{"bs=(1-2)", "", "x.fio:2:1: bs=(1-2): the result is negative"},
		{"bs=4k--direct=1", "", "x.fio:2:1: bs=4k--direct=1: "},
		{"io_size=$((128/3))", "", "x.fio:2:1: io_size=$((128/3)): a number is missing"},
		{"bssplit=4k/101", "", "x.fio:2:1: bssplit=4k/101: a share is at most 100"},
		{"bs=12%", "", "x.fio:2:1: bs=12%: per cent makes no sense"},
		{"numjobs=99999", "", "x.fio:2:1: numjobs=99999: at most 512"},
		{"runtime=3x", "", "x.fio:2:1: runtime=3x: "},
		{"allow_mounted_write=1", "", "x.fio:2:1: allow_mounted_write=1: not supported"},
		{"client=x", "", "x.fio:2:1: client=x: not supported"},
		{"wait_for=b", "", "x.fio:2:1: wait_for=b: no job of this name"},
		{"name=", "", "x.fio:2:1: name: needs a value"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = value_of(rows[i].option, "bs");

		cr_expect_eq(strncmp(text, rows[i].expected, strlen(rows[i].expected)), 0, "%s: %s",
			rows[i].option, text);
		cr_expect_eq(
			jobs.nwarnings, 0, "%s: of a refused value more is said", rows[i].option);
	}
}

Test(fio_jobs, globals_hold_for_what_follows)
{
	cr_assert_eq(
		make("[global]\nbs=8k\nname=no\n[a]\n[global]\niodepth=4\nioengine=libaio\n[b]\n"
		     "bs=16k\nname=c\n[b]\n"),
		0, "%s", err.text);
	cr_assert_eq(jobs.njobs, 3);
	cr_expect_str_eq(jobs.job[0].jobname, "a");
	cr_expect_str_eq(jobs.job[1].jobname, "c");
	cr_expect_str_eq(jobs.job[2].jobname, "b");
	cr_expect_eq(job(0)->iodepth, 1);
	cr_expect_eq(job(1)->iodepth, 4);
	cr_expect_eq(job(0)->bs[IOB_WRITE].max, 8 * KI);
	cr_expect_eq(job(1)->bs[IOB_WRITE].max, 16 * KI);
	cr_expect_eq(job(2)->bs[IOB_WRITE].max, 8 * KI);
	cr_expect_eq(jobs.job[0].nglobals, 2);
	cr_expect_eq(jobs.job[1].nglobals, 4);
	cr_expect_eq(jobs.job[1].noptions, 2);
	cr_expect_eq(jobs.nglobals, 4);
	cr_assert_eq(make("[a]\nblocksize=8k\niodepth_batch_complete=1\n"), 0);
	cr_expect_str_eq(jobs.job[0].option[0].key, "bs");
	cr_expect_str_eq(jobs.job[0].option[1].key, "iodepth_batch_complete_min");
	cr_expect_not_null(iob_fio_job_option(&jobs.job[0], "bs"));
}

Test(fio_jobs, a_second_file_has_globals_of_its_own_and_waits)
{
	static const char first[] = "[global]\nbs=8k\n[a]\n", second[] = "[b]\n[c]\n";

	cr_assert_eq(iob_jobfile_parse(&jf, "1", first, strlen(first), &err), 0);
	cr_assert_eq(iob_jobfile_parse(&jf, "2", second, strlen(second), &err), 0);
	cr_assert_eq(iob_fio_jobs_make(&jobs, &jf, &rules, &err), 0, "%s", err.text);
	cr_expect_eq(job(1)->bs[IOB_READ].min, 4 * KI);
	cr_expect_not(job(0)->ctl.stonewall);
	cr_expect(job(1)->ctl.stonewall);
	cr_expect_not(job(2)->ctl.stonewall);
	cr_expect_eq(jobs.job[1].nglobals, 0);
}

Test(fio_jobs, sections_can_be_chosen)
{
	static const char *const only[] = {"b"};
	static const char *const wrong[] = {"bb1"};
	static const char text[] = "[global]\nbs=8k\n[a]\nnonsense=1\n[b]\n[b]\n";

	rules = (struct iob_fio_rules){.only = only, .nonly = 1};
	cr_assert_eq(make(text), 0, "%s", err.text);
	cr_expect_eq(jobs.njobs, 2);
	rules.only = wrong;
	cr_expect_lt(make(text), 0);
	cr_expect_not_null(strstr(err.text, "there is no such section"), "%s", err.text);
}

Test(fio_jobs, too_many_jobs_are_refused)
{
	rules = (struct iob_fio_rules){.max_jobs = 4};
	cr_expect_eq(make("[a]\nnumjobs=2\n[b]\nnumjobs=2\n"), 0);
	cr_expect_lt(make("[a]\nnumjobs=2\n[b]\nnumjobs=3\n"), 0);
	cr_expect_not_null(strstr(err.text, "x.fio:4:1: [b] makes it 5 jobs"), "%s", err.text);
}

Test(fio_jobs, options_of_one_job_settle)
{
	cr_assert_eq(make("[a]\niodepth=8\niodepth_batch=16\niodepth_batch_complete=99\n"), 0);
	cr_expect_eq(job(0)->iodepth_batch, 8);
	cr_expect_eq(job(0)->iodepth_batch_complete, 8);
	cr_assert_eq(make("[a]\ndirectory=/d:/e\nfilename=x:y\\:z:w\n"), 0, "%s", err.text);
	cr_expect_str_eq(job(0)->filename, "/d/x:/d/y\\:z:/d/w");
	cr_expect_str_eq(job(0)->directory, "");
	cr_assert_eq(make("[a]\ntime_based\n"), 0);
	cr_expect_not(job(0)->time_based);
	cr_expect_eq(jobs.nwarnings, 1);
	cr_assert_eq(make("[a]\ntime_based\nruntime=5\nio_size=1m\n"), 0, "%s", err.text);
	cr_expect(job(0)->time_based);
	cr_assert_eq(make("[/dev/null]\n"), 0);
	cr_expect_str_eq(job(0)->filename, "/dev/null");
	cr_expect_eq(jobs.nwarnings, 1);
	cr_assert_eq(make("[a]\n[b]\nwait_for=a\n"), 0, "%s", err.text);
	cr_expect_lt(make("[a]\n[a]\n[b]\nwait_for=a\n"), 0);
	cr_expect_not_null(strstr(err.text, "several jobs"), "%s", err.text);
}

Test(fio_jobs, a_rate_in_bytes_stays_one)
{
	struct iob_live live;

	cr_assert_eq(make("[a]\nrw=rw\nrate=1k,2m\nbs=4k,8k\n"), 0, "%s", err.text);
	cr_expect_eq(jobs.nwarnings, 0);
	iob_live_from_job(&live, job(0));
	cr_expect_eq(live.rate_bytes[IOB_READ], 1024);
	cr_expect_eq(live.rate_bytes[IOB_WRITE], 2 << 20);
	cr_expect(iob_live_has_rate(&live));
	cr_expect_lt(make("[a]\nrate=1m\nrate_iops=5\n"), 0);
	cr_expect_not_null(strstr(err.text, "x.fio:2:1: rate: rate_iops says the same"));
}

Test(fio_jobs, commands_need_leave)
{
	rules = (struct iob_fio_rules){.allow_exec = true};
	cr_assert_eq(make("[a]\nexec_prerun=true\n[b]\n"), 0, "%s", err.text);
	cr_expect(jobs.job[0].needs_exec);
	cr_expect_not(jobs.job[1].needs_exec);
}

Test(fio_jobs, nothing_is_accepted_in_silence)
{
	cr_assert_eq(make("[a]\nthread\nclocksource=cpu\nverify=none\ndo_verify=1\n"), 0, "%s",
		err.text);
	cr_assert_eq(jobs.nnotes, 4);
	cr_expect_not_null(
		strstr(jobs.note[1], "x.fio:3:1: clocksource=cpu: accepted: "), "%s", jobs.note[1]);
	for (const struct iob_fio_foreign *f = iob_fio_foreign; f->name; f++) {
		cr_expect_gt(strlen(f->words), 5, "%s", f->name);
		cr_expect_eq(iob_fio_foreign_find(f->name), f, "%s stands twice", f->name);
		cr_expect_null(iob_param_find(f->name), "%s is a row of the table", f->name);
	}
}

Test(fio_jobs, many_sections_are_read)
{
	enum { MANY = 3000 };
	char *text = malloc(MANY * 32);
	size_t used = 0;

	for (int i = 0; i < MANY; i++)
		used += (size_t)snprintf(text + used, 32, "[j%d]\nbs=8k\n", i);
	cr_assert_eq(make(text), 0, "%s", err.text);
	cr_expect_eq(jobs.njobs, MANY);
	cr_expect_eq(job(MANY - 1)->bs[IOB_READ].min, 8 * KI);
	free(text);
}
