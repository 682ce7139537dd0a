/* SPDX-License-Identifier: MIT */
/* Whole runs: what they count, their stages, and what is refused before they begin. */
#include <config.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "run/private.h"
#include "run/run_log.h"
#include "tests/support/run_rig.h"

TestSuite(run, .init = run_fresh, .fini = run_free, .timeout = 60);

Test(run, completes_with_sums_that_agree)
{
	uint64_t before = iob_now_ns(), completed = 0;

	set("numjobs", "3");
	start();
	wait_done();
	double wall = (double)(iob_now_ns() - before) / 1e9;
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_gt(snap.view.total.all.ios, 1000);
	cr_assert_eq(timeline_ios(), snap.view.total.all.ios);
	cr_assert_eq(segments_ios(), snap.view.total.all.ios);
	for (int i = 0; i < 3; i++)
		completed += atomic_load(&run->shared->slot[i].completed);
	cr_assert_eq(completed, snap.view.total.all.ios, "the workers' own count");
	cr_assert_eq(snap.view.total.all.bytes, snap.view.total.all.ios * 4096);
	cr_assert_gt(snap.view.total.seconds, 0.55);
	cr_assert_leq(snap.view.total.seconds, wall);
	cr_assert_eq(snap.in_flight, 0);
}

/* The end is that of the plan, so what the ramp took longer on a busy machine is not measured. */
Test(run, a_ramp_is_not_in_the_totals)
{
	for (unsigned attempt = 0; attempt < 3; attempt++) {
		set("ramp_time", "300ms");
		start();
		wait_done();
		struct iob_segment_figures ramp = segment(0), load = segment(1);

		cr_assert_eq(params_of(0).kind, IOB_SEGMENT_RAMP);
		cr_assert_eq(params_of(1).kind, IOB_SEGMENT_LOAD);
		cr_assert_gt(ramp.all.ios, 0);
		cr_assert_eq(snap.view.total.all.ios, load.all.ios);
		cr_assert_eq(timeline_ios(), ramp.all.ios + load.all.ios);
		cr_assert_geq(load.from_ms, 299);
		cr_assert_geq(load.to_ms, 899);
		if (load.seconds > 0.5 && load.seconds < 0.7)
			return;
		run_again();
	}
	cr_assert_fail("the load never lasted for the 600 ms that were asked for");
}

Test(run, stages_follow_each_other)
{
	plan->nstages = 2;
	plan->stage[1] = plan->stage[0];
	plan->stage[1].iodepth = 2;
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_eq(params_of(1).stage, 1);
	cr_assert_eq(params_of(1).live.iodepth, 2);
	cr_assert_gt(segment(1).all.ios, 0);
	cr_assert_eq(timeline_ios(), segments_ios());
}

Test(run, short_transfers_count_with_what_they_moved)
{
	set("ioengine", "fault");
	set("fault_short_every", "2");
	set("number_ios", "1000");
	set("runtime", "0");
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_eq(snap.view.total.all.ios, 1000);
	cr_assert_eq(snap.view.total.all.shorts, 500);
	cr_assert_eq(snap.view.total.all.bytes, 500 * 4096 + 500 * 2048);
}

static int count_ios(void *arg, enum iob_log_kind kind, const void *record)
{
	const struct iob_log_window *w = record;
	uint64_t *ios = arg;

	if (kind == IOB_LOG_WINDOW)
		*ios += w->dir[IOB_READ].ios;
	return 0;
}

Test(run, details_and_logs_of_each_worker_add_up_to_the_totals)
{
	static struct iob_detail detail;
	uint64_t ios = 0, logged = 0;
	struct iob_error err = {0};
	struct iob_run_log log;

	set("numjobs", "2");
	set("number_ios", "5000");
	set("runtime", "0");
	plan->detail = true;
	plan->log = (struct iob_plan_log){.transfers = true, .window_ns = IOB_NS_PER_MS};
	start();
	wait_done();
	cr_assert_eq(iob_run_log_open(&log, dup(iob_run_log_fd(run)), &err), 0, "%s", err.text);
	for (unsigned i = 0; i < 2; i++) {
		cr_assert(iob_run_detail(run, i, &detail));
		ios += detail.dir[IOB_READ].ios;
		cr_assert_eq(detail.dir[IOB_READ].slat.moments.n, detail.dir[IOB_READ].ios);
		cr_assert_gt(iob_run_log_read(&log, i, count_ios, &logged), 0);
		cr_assert_eq(iob_run_log_lost(&log, i), 0);
	}
	cr_assert_not(iob_run_detail(run, 2, &detail));
	cr_assert_eq(ios, snap.view.total.dir[IOB_READ].ios);
	cr_assert_eq(ios, 10000);
	cr_assert_eq(logged, ios);
	iob_run_log_close(&log);
}

Test(run, more_memory_than_there_is_is_refused_before_anything_starts)
{
	set("numjobs", "512");
	set("iodepth", "65536");
	set("bs", "1g");
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_FAILED);
	cr_assert_eq(snap.error.code, -ENOMEM);
	expect_words(&snap.error, "512 workers take 32PiB of memory");
	expect_words(&snap.error, "65536 requests of 1GiB");
	cr_assert_eq(atomic_load(&run->shared->target_known), 0);
}

static void expect_usage_error(const char *words)
{
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_FAILED);
	cr_assert_eq(snap.error.kind, IOB_ERR_USAGE);
	expect_words(&snap.error, words);
}

Test(run, a_depth_beyond_the_engine_is_refused)
{
	set("ioengine", "posixaio");
	set("iodepth", "65536");
	set("filename", "/nonexistent/file");
	expect_usage_error("iodepth=65536: the engine posixaio takes at most");
}

Test(run, a_target_that_is_missing_is_a_usage_error)
{
	set("ioengine", "psync");
	set("filename", "/nonexistent/file");
	expect_usage_error("/nonexistent/file");
}

Test(run, an_unknown_engine_is_a_usage_error)
{
	set("ioengine", "warp");
	expect_usage_error("warp");
}
