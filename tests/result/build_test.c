/* SPDX-License-Identifier: MIT */
/* The result of real runs (null engine, real load process): complete, and in agreement with itself.
 */
#include <config.h>

#include <signal.h>
#include <time.h>

#include "result/result.h"
#include "run/private.h"
#include "tests/support/run_rig.h"

static struct iob_result r;
static struct iob_error err;

static void fresh(void)
{
	run_fresh();
	set("rw", "randrw");
	set("numjobs", "2");
	set("runtime", "300ms");
}

static void done(void)
{
	iob_result_free(&r);
	run_free();
}

TestSuite(build, .init = fresh, .fini = done, .timeout = 60);

static void build(void)
{
	cr_assert_eq(iob_result_build(&r, run, &err), 0, "%s", err.text);
}

/* Counts of one direction by each of the ways in which the result tells them. */
static void check_direction(enum iob_dir d)
{
	uint64_t segments = 0, timeline = 0, stages = 0, bytes = 0, buckets = 0;

	for (size_t i = 0; i < r.nsegments; i++)
		if (r.segment[i].figures.kind == IOB_SEGMENT_LOAD)
			segments += r.segment[i].figures.dir[d].ios;
	for (size_t i = 0; i < r.nintervals; i++)
		if (r.segment[r.interval[i].segment].figures.kind == IOB_SEGMENT_LOAD)
			timeline += r.interval[i].dir[d].ios;
	for (unsigned i = 0; i < r.nstages; i++) {
		stages += r.stage[i].figures.dir[d].ios;
		bytes += r.stage[i].figures.dir[d].bytes;
		for (unsigned b = 0; r.stage[i].hist[d] && b <= IOB_HIST_BUCKETS; b++)
			buckets += r.stage[i].hist[d]->count[b];
	}
	cr_expect_eq(segments, r.total.dir[d].ios);
	cr_expect_eq(timeline, r.total.dir[d].ios);
	cr_expect_eq(stages, r.total.dir[d].ios);
	cr_expect_eq(buckets, r.total.dir[d].ios);
	cr_expect_eq(bytes, r.total.dir[d].bytes);
}

Test(build, a_finished_run_agrees_with_itself)
{
	double seconds = 0;

	plan->nstages = 2;
	plan->stage[1] = plan->stage[0];
	plan->stage[1].iodepth = 8;
	start();
	wait_done();
	build();
	cr_assert_eq(r.outcome, IOB_OUTCOME_COMPLETE, "%s", r.error.text);
	cr_expect_eq(r.exit_status, 0);
	cr_expect_eq(r.unfinished, 0);
	cr_expect_eq(r.nstages, 2);
	cr_expect_eq(r.nsegments, 2);
	cr_expect_str_eq(r.engine, "null");
	cr_expect_eq(r.plan->seed, iob_run_plan(run)->seed);
	cr_expect_eq(r.segment[1].params.live.iodepth, 8);
	cr_expect_eq(r.stage[1].figures.stage, 1);
	for (int d = 0; d < IOB_NDIR; d++)
		check_direction((enum iob_dir)d);
	cr_expect_gt(r.total.dir[IOB_READ].ios, 0);
	cr_expect_gt(r.total.dir[IOB_WRITE].ios, 0);
	cr_expect_null(r.stage[0].hist[IOB_TRIM], "nothing was trimmed");
	for (unsigned i = 0; i < r.nstages; i++)
		seconds += r.stage[i].figures.seconds;
	cr_expect_float_eq(seconds, r.total.seconds, 1e-6, "the gap between them counts for none");
	cr_expect_gt(r.usage.user_s + r.usage.system_s, 0);
}

Test(build, times_are_those_of_the_run_not_of_the_report)
{
	uint64_t begun = (uint64_t)time(NULL), begun_ns = iob_now_ns();

	start();
	wait_done();
	uint64_t took_ms = (iob_now_ns() - begun_ns) / IOB_NS_PER_MS;
	iob_sleep_until(iob_now_ns() + 1200 * IOB_NS_PER_MS);
	build();
	cr_expect_geq(r.elapsed_ms, 300);
	cr_expect_leq(r.elapsed_ms, took_ms);
	cr_expect_geq(r.started_s, begun);
	cr_expect_leq(r.started_s, begun + took_ms / 1000 + 1);
	cr_expect_geq(r.nintervals, 3);
}

Test(build, in_the_middle_it_holds_what_is_known)
{
	set("runtime", "100s");
	start();
	wait_running();
	build();
	cr_expect_eq(r.outcome, IOB_OUTCOME_NONE);
	cr_expect_eq(r.exit_status, 0);
	cr_expect_eq(r.nsegments, 1);
	cr_expect_gt(r.total.all.ios, 0);
	cr_expect_gt(r.elapsed_ms, 0);
	stop_and_wait();
	iob_result_free(&r);
	build();
	cr_expect_eq(r.outcome, IOB_OUTCOME_STOPPED);
	cr_expect_eq(r.exit_status, 0, "the user ended it: that is no failure");
	check_direction(IOB_READ);
}

Test(build, a_lost_load_process_fails_the_run_and_keeps_the_figures)
{
	set("runtime", "100s");
	start();
	wait_running();
	kill(run->pid, SIGKILL);
	wait_done();
	build();
	cr_expect_eq(r.outcome, IOB_OUTCOME_LOST);
	cr_expect_eq(r.exit_status, 1);
	cr_expect_neq(r.error.code, 0);
	cr_expect_gt(r.total.all.ios, 0);
	check_direction(IOB_READ);
	check_direction(IOB_WRITE);
}

/* Nothing was measured: still a result that can be written and freed. */
Test(build, a_run_that_never_began_is_empty)
{
	set("ioengine", "psync");
	set("rw", "read");
	set("filename", "/nonexistent/file");
	start();
	wait_done();
	build();
	cr_expect_eq(r.outcome, IOB_OUTCOME_FAILED);
	cr_expect_eq(r.exit_status, 1);
	cr_expect_eq(r.nsegments, 0);
	cr_expect_eq(r.total.all.ios, 0);
	FILE *f = fopen("/dev/null", "w");
	for (const struct iob_format *format = iob_formats; format->name; format++)
		cr_expect_eq(format->write(&r, f, &err), 0, "%s: %s", format->name, err.text);
	fclose(f);
}
