/* SPDX-License-Identifier: MIT */
/* The result of real runs (null engine, real load process): complete, and in agreement with itself.
 */
#include <config.h>

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "result/result.h"
#include "run/private.h"

static struct iob_plan *plan;
static struct iob_run *run;
static struct iob_result r;
static struct iob_error err;

static void set(const char *name, const char *value)
{
	cr_assert_eq(iob_plan_set(plan, name, value, &err), 0, "%s", err.text);
}

static void fresh(void)
{
	plan = calloc(1, sizeof(*plan));
	iob_plan_init(plan);
	set("ioengine", "null");
	set("rw", "randrw");
	set("iodepth", "4");
	set("numjobs", "2");
	set("runtime", "300ms");
}

static void done(void)
{
	iob_result_free(&r);
	iob_run_free(run);
	free(plan);
}

TestSuite(build, .init = fresh, .fini = done, .timeout = 30);

static void start(void)
{
	struct iob_run_config config = {.program = getenv("IOB_PROGRAM")};

	cr_assert_not_null(config.program, "IOB_PROGRAM names the program under test");
	cr_assert_eq(iob_plan_finish(plan, &err), 0, "%s", err.text);
	cr_assert_eq(iob_run_start(&run, plan, &config, &err), 0, "%s", err.text);
}

static void build(void)
{
	cr_assert_eq(iob_result_build(&r, run, &err), 0, "%s", err.text);
}

static void wait_for_io(void)
{
	static struct iob_snapshot snap;
	uint64_t until = iob_now_ns() + 5 * IOB_NS_PER_S;

	while (snap.view.total.all.ios == 0) {
		cr_assert_lt(iob_now_ns(), until, "no I/O in five seconds");
		iob_sleep_until(iob_now_ns() + 5 * IOB_NS_PER_MS);
		iob_run_snapshot(run, &snap);
	}
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
	cr_assert(iob_run_wait(run, 10000));
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
	start();
	cr_assert(iob_run_wait(run, 10000));
	uint64_t later = iob_now_ns() + 1200 * IOB_NS_PER_MS;
	iob_sleep_until(later);
	build();
	uint64_t age = (uint64_t)time(NULL) - r.started_s;
	cr_expect_geq(r.elapsed_ms, 300);
	cr_expect_lt(r.elapsed_ms, 1200, "%llu ms", (unsigned long long)r.elapsed_ms);
	cr_expect_geq(age, 1);
	cr_expect_lt(age, 10);
	cr_expect_geq(r.nintervals, 3);
}

Test(build, in_the_middle_it_holds_what_is_known)
{
	set("runtime", "30s");
	start();
	wait_for_io();
	build();
	cr_expect_eq(r.outcome, IOB_OUTCOME_NONE);
	cr_expect_eq(r.exit_status, 0);
	cr_expect_eq(r.nsegments, 1);
	cr_expect_gt(r.total.all.ios, 0);
	cr_expect_gt(r.elapsed_ms, 0);
	iob_run_stop(run);
	cr_assert(iob_run_wait(run, 5000));
	iob_result_free(&r);
	build();
	cr_expect_eq(r.outcome, IOB_OUTCOME_STOPPED);
	cr_expect_eq(r.exit_status, 0, "the user ended it: that is no failure");
	check_direction(IOB_READ);
}

Test(build, a_lost_load_process_fails_the_run_and_keeps_the_figures)
{
	set("runtime", "30s");
	start();
	wait_for_io();
	kill(run->pid, SIGKILL);
	cr_assert(iob_run_wait(run, 5000));
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
	cr_assert(iob_run_wait(run, 10000));
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
