/* SPDX-License-Identifier: MIT */
/* Job files become clones, and fleets of them run with the real load process and the null engine.
 */
#include <config.h>

#include "run/fleet.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "result/fio_build.h"

static struct iob_jobfile file;
static struct iob_fio_jobs jobs;
static struct iob_fleet *fleet;
static struct iob_fio_report report;

static void done(void)
{
	iob_fio_report_free(&report);
	iob_fleet_free(fleet);
	iob_fio_jobs_free(&jobs);
	iob_jobfile_free(&file);
}

static void again(void)
{
	done();
	fleet = NULL;
	jobs = (struct iob_fio_jobs){0};
	file = (struct iob_jobfile){0};
	report = (struct iob_fio_report){0};
}

static int make(const char *text, struct iob_error *err)
{
	struct iob_fio_rules rules = {0};
	struct iob_fleet_config config = {.program = getenv("IOB_PROGRAM")};
	int rc = iob_jobfile_parse(&file, "test.fio", text, strlen(text), err);

	if (rc == 0)
		rc = iob_fio_jobs_make(&jobs, &file, &rules, err);
	if (rc == 0)
		rc = iob_fleet_new(&fleet, &jobs, &config, err);
	return rc;
}

static void must_make(const char *text)
{
	struct iob_error err = {0};

	cr_assert_eq(make(text, &err), 0, "%s", err.text);
}

static void run(void)
{
	uint64_t until = iob_now_ns() + 40 * IOB_NS_PER_S;

	while (!iob_fleet_step(fleet)) {
		cr_assert(iob_now_ns() < until, "still running after 40 s");
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
	}
}

static void build(void)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_fio_build(&report, fleet, false, &err), 0, "%s", err.text);
}

#define EXPECT_FILE(i, name) cr_expect_str_eq(fleet->clone[i].settings.filename, name)

TestSuite(fleet, .fini = done, .timeout = 60);

Test(fleet, names_files_after_job_clone_and_number)
{
	must_make("[a]\nsize=1m\nnumjobs=2\nnrfiles=2\n[b]\nsize=1m\n");
	cr_assert_eq(fleet->count, 3);
	EXPECT_FILE(0, "a.0.0:a.0.1");
	EXPECT_FILE(1, "a.1.0:a.1.1");
	EXPECT_FILE(2, "b.0.0");
}

Test(fleet, deals_clones_out_over_directories)
{
	must_make("[a]\nsize=1m\nnumjobs=3\ndirectory=/x:/y/\nfilename_format=f$jobnum-$filenum\n");
	EXPECT_FILE(0, "/x/f0-0");
	EXPECT_FILE(1, "/y/f1-0");
	EXPECT_FILE(2, "/x/f2-0");
}

Test(fleet, gives_all_clones_the_files_that_are_named)
{
	must_make("[a]\nsize=1m\nnumjobs=2\ndirectory=/x:/y\nfilename=p\\:q:r\n");
	EXPECT_FILE(0, "/x/p\\:q:/x/r");
	EXPECT_FILE(1, "/x/p\\:q:/x/r");
	cr_assert(fleet->clone[1].settings.files.fio);
}

Test(fleet, takes_the_name_of_a_section_for_a_device)
{
	must_make("[/dev/sdz]\nrw=read\n");
	EXPECT_FILE(0, "/dev/sdz");
}

Test(fleet, shifts_each_clone_by_the_increment)
{
	must_make("[a]\nsize=1m\nnumjobs=3\nfilename=f\noffset=4k\noffset_increment=1m\n");
	cr_assert_eq(fleet->clone[0].settings.offset.bytes, 4096);
	cr_assert_eq(fleet->clone[2].settings.offset.bytes, 4096 + (2 << 20));
	cr_assert_eq(fleet->clone[2].settings.pattern.offset_increment.bytes, 0, "it is done");
}

Test(fleet, leaves_a_share_beside_bytes_until_the_size_is_known)
{
	must_make("[a]\nsize=1m\nnumjobs=3\nfilename=f\noffset=4k\noffset_increment=10%\n");
	cr_assert_eq(fleet->clone[2].settings.offset.bytes, 4096);
	cr_assert_neq(fleet->clone[2].settings.pattern.offset_increment.percent_micro, 0);
	cr_assert_eq(fleet->clone[2].settings.pattern.clone, 2);
}

Test(fleet, repeats_seeds_unless_told_otherwise)
{
	must_make("[global]\nioengine=null\nsize=1m\n[a]\nnumjobs=2\n[b]\nrandrepeat=0\n");
	uint64_t first = fleet->clone[0].seed, fresh = fleet->clone[2].seed;
	cr_assert_neq(first, fleet->clone[1].seed, "each clone has its own");
	again();
	must_make("[global]\nioengine=null\nsize=1m\n[a]\nnumjobs=2\n[b]\nrandrepeat=0\n");
	cr_assert_eq(fleet->clone[0].seed, first);
	cr_assert_neq(fleet->clone[2].seed, fresh);
}

Test(fleet, begins_groups_at_stonewalls_and_new_groups)
{
	must_make(
		"[global]\nioengine=null\nsize=1m\n[a]\nstonewall\nnumjobs=2\n[b]\n[c]\nnew_group\n"
		"[d]\nstonewall\n");
	static const unsigned groups[] = {0, 0, 0, 1, 2};
	for (unsigned i = 0; i < 5; i++)
		cr_expect_eq(fleet->clone[i].group, groups[i], "clone %u", i);
	cr_expect_not(fleet->order.member[1].stonewall, "of the first clone alone");
	cr_expect(fleet->order.member[4].stonewall);
}

Test(fleet, waits_for_a_job_that_stands_before_only)
{
	struct iob_error err = {0};

	cr_assert_lt(make("[a]\nioengine=null\nsize=1m\nwait_for=b\n[b]\nioengine=null\nsize=1m\n",
			     &err),
		0);
	cr_assert_not_null(strstr(err.text, "wait_for=b"), "%s", err.text);
}

Test(fleet, refuses_more_clones_than_there_may_be)
{
	struct iob_error err = {0};

	cr_assert_lt(make("[a]\nioengine=null\nsize=1m\nnumjobs=513\n", &err), 0);
	cr_assert_not_null(strstr(err.text, "512"), "%s", err.text);
}

Test(fleet, adds_up_a_group)
{
	must_make(
		"[global]\nioengine=null\nsize=1g\nrw=randrw\nnumber_ios=1000\ngroup_reporting\n"
		"[a]\nnumjobs=3\npercentile_list=50:99.9\n[b]\nstonewall\nunified_rw_reporting=mixed\n");
	run();
	cr_assert_null(iob_fleet_failure(fleet));
	build();
	cr_assert_eq(report.nentries, 2);
	cr_assert_eq(report.ngroups, 2);
	const struct iob_fio_entry *e = &report.entry[0];
	cr_expect_str_eq(e->jobname, "a");
	cr_expect_eq(e->members, 3);
	cr_expect_eq(e->dir[IOB_READ].d->issued + e->dir[IOB_WRITE].d->issued, 3000);
	cr_expect_eq(report.group[0].dir[IOB_READ].bytes, e->dir[IOB_READ].d->bytes);
	cr_expect_gt(e->dir[IOB_READ].runtime_ms, 0);
	cr_expect_eq(e->dir[IOB_TRIM].runtime_ms, 0, "nothing was trimmed");
	cr_expect_eq(e->npercentiles, 2);
	cr_expect_eq(e->percentile_precision, 1);
	cr_expect_eq(e->pid, fleet->clone[0].pid);
	e = &report.entry[1];
	cr_expect_eq(e->groupid, 1);
	cr_assert_not_null(e->all);
	cr_expect_eq(e->all->issued, 1000);
	cr_expect_geq(fleet->clone[3].started_ms, fleet->clone[2].finished_ms, "after the others");
}

/* How many windows of so many intervals fit into what each clone measured. */
static uint64_t windows(unsigned width)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;
	uint64_t n = 0;

	for (unsigned i = 0; i < fleet->count; i++) {
		cr_assert(iob_run_segment(fleet->clone[i].run, 0, &f, &p));
		uint64_t first = (f.from_ms + IOB_INTERVAL_MS - 1) / IOB_INTERVAL_MS;

		n += (f.to_ms / IOB_INTERVAL_MS - first) / width;
	}
	return n;
}

static bool near(double figure, double expected, double tolerance)
{
	return fabs(figure - expected) <= tolerance;
}

/* 100 requests per second and clone: sums of the clones' means, minima of what they did together. A
 * stall of the machine puts windows out of line, so there are three attempts for what they hold. */
Test(fleet, samples_bandwidth_over_common_windows)
{
	const struct iob_fio_dir_report *d = NULL;

	for (unsigned attempt = 0; attempt < 3; attempt++) {
		again();
		must_make(
			"[global]\nioengine=null\nsize=1g\nrw=read\nrate_iops=100\nruntime=680ms\n"
			"time_based\nbwavgtime=200\niopsavgtime=300\ngroup_reporting\n[a]\nnumjobs=2\n");
		run();
		build();
		cr_assert_eq(report.nentries, 1);
		d = &report.entry[0].dir[IOB_READ];
		cr_assert_eq(d->bw.n, windows(2), "%u", (unsigned)d->bw.n);
		cr_assert_eq(d->iops.n, windows(3), "%u", (unsigned)d->iops.n);
		cr_assert_eq(report.entry[0].dir[IOB_WRITE].bw.n, 0);
		if (d->bw.n == 6 && d->iops.n == 4 && near(d->iops.mean, 200, 30) &&
			near(d->bw.mean, 800, 120) && d->iops.min > 120 && d->iops.max < 280)
			return;
	}
	cr_assert_fail(
		"IOPS %f (%f to %f), %f KiB/s", d->iops.mean, d->iops.min, d->iops.max, d->bw.mean);
}

Test(fleet, ends_the_others_when_the_first_has_ended)
{
	must_make("[global]\nioengine=null\nsize=1g\ntime_based\n[a]\nruntime=150ms\nexitall\n[b]\n"
		  "runtime=20s\n");
	run();
	cr_assert_null(iob_fleet_failure(fleet));
	cr_assert(fleet->clone[1].stopped);
}

Test(fleet, a_stop_ends_all_and_starts_no_more)
{
	must_make("[global]\nioengine=null\nsize=1g\ntime_based\nruntime=20s\n[a]\nnumjobs=2\n[b]\n"
		  "stonewall\n");
	struct iob_recorder_view view = {0};
	while (view.total.all.ios == 0) {
		cr_assert_not(iob_fleet_step(fleet));
		if (fleet->clone[1].run)
			iob_recorder_view(iob_run_recorder(fleet->clone[1].run), &view);
	}
	iob_fleet_stop(fleet);
	run();
	cr_assert_null(iob_fleet_failure(fleet));
	cr_assert_null(fleet->clone[2].run);
	build();
	cr_assert_gt(report.entry[1].dir[IOB_READ].d->ios, 0);
}

Test(fleet, what_cannot_be_opened_stops_all_before_it_starts)
{
	must_make("[a]\nioengine=null\nsize=1g\ntime_based\nruntime=20s\n[b]\nstonewall\nrw=read\n"
		  "filename=/nonexistent/x/y\nallow_file_create=0\nsize=1m\n");
	run();
	cr_assert_not_null(iob_fleet_failure(fleet));
	cr_assert_eq(fleet->clone[0].released_ns, 0);
}
