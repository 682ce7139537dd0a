/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "job/job.h"
#include "job/param.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct iob_job job;
static struct iob_error err;

static void fresh(void)
{
	iob_job_defaults(&job);
}

TestSuite(job, .init = fresh, .timeout = 10);

Test(job, defaults_are_a_safe_read)
{
	cr_assert_eq(job.rw, IOB_RW_RANDREAD);
	cr_assert_eq(job.bs[IOB_READ].min, 4096);
	cr_assert_eq(job.bs[IOB_TRIM].max, 4096);
	cr_assert_eq(job.iodepth, 1);
	cr_assert_eq(job.numjobs, 1);
	cr_assert_eq(job.nrfiles, 1);
	cr_assert_eq(job.rwmixread, 50);
	cr_assert_eq(job.runtime_ns, 30 * IOB_NS_PER_S);
	cr_assert_str_eq(job.ioengine, "io_uring");
	cr_assert(job.direct && job.time_based && job.invalidate);
	cr_assert_not(job.randrepeat || job.norandommap || job.end_fsync);
	cr_assert_not(iob_job_modifies(&job));
	cr_assert_eq(job.given[0] | job.given[1], 0);
	cr_assert_eq(iob_job_check(&job, &err), 0, "%s", err.text);
}

Test(job, directions_follow_rw)
{
	static const struct {
		const char *rw;
		bool read, write, trim;
	} rows[] = {
		{"read", true, false, false},
		{"randread", true, false, false},
		{"write", false, true, false},
		{"randwrite", false, true, false},
		{"rw", true, true, false},
		{"randrw", true, true, false},
		{"trim", false, false, true},
		{"randtrim", false, false, true},
		{"trimwrite", false, true, true},
		{"randtrimwrite", false, true, true},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_assert_eq(iob_param_set_named(&job, "rw", rows[i].rw, &err), 0);
		cr_expect_eq(iob_job_does(&job, IOB_READ), rows[i].read, "%s", rows[i].rw);
		cr_expect_eq(iob_job_does(&job, IOB_WRITE), rows[i].write, "%s", rows[i].rw);
		cr_expect_eq(iob_job_does(&job, IOB_TRIM), rows[i].trim, "%s", rows[i].rw);
		cr_expect_eq(iob_job_modifies(&job), rows[i].write || rows[i].trim);
		cr_expect_eq(
			iob_rw_is_random(job.rw), rows[i].rw[0] == 'r' && rows[i].rw[1] == 'a');
	}
}

/* The mix can be turned to writes in the middle of the run. */
Test(job, mixed_job_modifies_even_with_reads_only)
{
	iob_param_set_named(&job, "rw", "randrw", &err);
	iob_param_set_named(&job, "rwmixread", "100", &err);
	cr_assert(iob_job_modifies(&job));
}

struct rule {
	char settings[80], words[48];
};

ParameterizedTestParameters(job, check_refuses)
{
	static struct rule rows[] = {
		{"filename=/a directory=/b", "only one of them"},
		{"iodepth=4 iodepth_batch=8", "iodepth_batch=8: more than iodepth=4"},
		{"iodepth=4 iodepth_batch_complete=5", "more than iodepth=4"},
		{"io_size=1g", "time_based=0"},
		{"size=1k", "size=1k: less than one block of bs=4k"},
		{"time_based=0 io_size=1k", "io_size=1k: less than one block"},
		{"bs=4k-64k size=32k", "bs=64k"},
		{"offset=60% size=50%", "more than 100%"},
		{"offset=100%", "nothing of the target is left"},
		{"offset=8000000t size=1000000t", "any target"},
		{"cpus_allowed=a", "not a list of CPU"},
		{"cpus_allowed=3-1", "smaller number"},
		{"cpus_allowed=0,", "not a list"},
		{"cpus_allowed=0-", "not a list"},
		{"cpus_allowed=0;1", "not a list"},
		{"cpus_allowed=70000", "not a list"},
	};

	return cr_make_param_array(struct rule, rows, COUNT(rows));
}

static void apply(const char *settings)
{
	char text[80];

	snprintf(text, sizeof(text), "%s", settings);
	for (char *save = NULL, *s = strtok_r(text, " ", &save); s;
		s = strtok_r(NULL, " ", &save)) {
		char *value = strchr(s, '=');

		*value++ = '\0';
		cr_assert_eq(iob_param_set_named(&job, s, value, &err), 0, "%s", err.text);
	}
}

ParameterizedTest(struct rule *r, job, check_refuses, .init = fresh)
{
	apply(r->settings);
	cr_assert_eq(iob_job_check(&job, &err), -EINVAL, "%s", r->settings);
	cr_assert_eq(err.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(err.text, r->words), "%s", err.text);
}

ParameterizedTestParameters(job, check_passes)
{
	static struct rule rows[] = {
		{"iodepth=512 iodepth_batch=128 iodepth_batch_complete=128", ""},
		{"iodepth=1 iodepth_batch_complete=0", ""},
		{"rw=randread rwmixread=70", ""},
		{"ioengine=psync iodepth=32", ""},
		{"time_based=0 io_size=1g size=512m", ""},
		{"rw=read bs=4k,1m size=64k", ""},
		{"offset=50% size=50%", ""},
		{"cpus_allowed=0-3,8,10-10", ""},
		{"runtime=0", ""},
	};

	return cr_make_param_array(struct rule, rows, COUNT(rows));
}

ParameterizedTest(struct rule *r, job, check_passes, .init = fresh)
{
	apply(r->settings);
	cr_assert_eq(iob_job_check(&job, &err), 0, "%s", err.text);
}

Test(job, live_part_goes_there_and_back)
{
	struct iob_live live;

	apply("iodepth=7 rwmixread=80 bs=4k,8k");
	iob_live_from_job(&live, &job);
	cr_assert_not(live.paused);
	iob_job_defaults(&job);
	iob_live_to_job(&live, &job);
	cr_assert_eq(job.iodepth, 7);
	cr_assert_eq(job.rwmixread, 80);
	cr_assert_eq(job.bs[IOB_WRITE].max, 8192);
}

Test(job, a_write_is_as_long_as_its_trim)
{
	cr_assert_eq(iob_param_set_named(&job, "bs", "4k,8k,16k", &err), 0);
	cr_assert_eq(iob_job_check(&job, &err), 0, "%s", err.text);
	cr_assert_eq(iob_param_set_named(&job, "rw", "trimwrite", &err), 0);
	cr_assert_eq(iob_job_check(&job, &err), -EINVAL);
	cr_assert_not_null(strstr(err.text, "bs=4k,8k,16k: with rw=trimwrite"), "%s", err.text);
	cr_assert_eq(iob_param_set_named(&job, "bs", "4k,8k", &err), 0);
	cr_assert_eq(iob_job_check(&job, &err), 0, "%s", err.text);
	/* fio takes it. */
	cr_assert_eq(iob_param_set_named(&job, "bs", "4k,8k,16k", &err), 0);
	job.files.fio = true;
	cr_assert_eq(iob_job_check(&job, &err), 0, "%s", err.text);
}
