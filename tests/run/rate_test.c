/* SPDX-License-Identifier: MIT */
/* Whole runs with a rate, with the real load process. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/run.h"

static struct iob_plan *plan;
static struct iob_run *run;
static struct iob_snapshot snap;

static void set(const char *name, const char *value)
{
	struct iob_error err;

	cr_assert_eq(iob_plan_set(plan, name, value, &err), 0, "%s", err.text);
}

static void fresh(void)
{
	plan = calloc(1, sizeof(*plan));
	iob_plan_init(plan);
	set("ioengine", "null");
	set("rw", "randread");
	set("iodepth", "16");
}

static void done(void)
{
	iob_run_free(run);
	free(plan);
}

static void start(void)
{
	struct iob_error err;
	struct iob_run_config config = {.program = getenv("IOB_PROGRAM")};

	cr_assert_not_null(config.program, "IOB_PROGRAM names the program under test");
	cr_assert_eq(iob_plan_finish(plan, &err), 0, "%s", err.text);
	cr_assert_eq(iob_run_start(&run, plan, &config, &err), 0, "%s", err.text);
}

static void wait_done(void)
{
	cr_assert(iob_run_wait(run, 10000), "not over after 10 s");
	iob_run_snapshot(run, &snap);
}

static void wait_segment(uint32_t id)
{
	uint64_t until = iob_now_ns() + 5 * IOB_NS_PER_S;

	for (;;) {
		iob_run_snapshot(run, &snap);
		if (!snap.tune_pending && snap.view.nsegments > id && snap.view.segment.id == id &&
			snap.view.segment.seconds > 0.5)
			return;
		cr_assert(iob_now_ns() < until, "segment %u never came", id);
		iob_sleep_until(iob_now_ns() + 5 * IOB_NS_PER_MS);
	}
}

static bool warns(const char *code)
{
	for (unsigned i = 0; i < snap.warnings.count; i++)
		if (strcmp(snap.warnings.item[i].code, code) == 0)
			return true;
	return false;
}

TestSuite(rate, .init = fresh, .fini = done, .timeout = 30);

Test(rate, is_kept_within_a_per_cent)
{
	set("runtime", "2s");
	set("rate_iops", "1000");
	start();
	wait_done();
	const struct iob_figures *read = &snap.view.total.dir[IOB_READ];
	cr_assert_float_eq(read->iops, 1000, 10);
	cr_assert_eq(read->intended.n, read->ios);
	cr_assert_geq(read->intended.mean_ns, read->lat.mean_ns);
	cr_assert_not(warns("BEHIND"));
}

Test(rate, is_of_each_worker_and_direction)
{
	set("runtime", "1s");
	set("rw", "randrw");
	set("numjobs", "3");
	set("rate_iops", "200,50");
	start();
	wait_done();
	cr_assert_float_eq(snap.view.total.dir[IOB_READ].iops, 600, 18);
	cr_assert_float_eq(snap.view.total.dir[IOB_WRITE].iops, 150, 9);
	cr_assert_eq(snap.view.total.all.intended.n, snap.view.total.all.ios);
}

Test(rate, that_is_not_reached_is_told)
{
	set("ioengine", "fault");
	set("fault_delay", "20ms");
	set("iodepth", "2"); /* at most 100 per second */
	set("runtime", "1s");
	set("rate_iops", "500");
	start();
	wait_done();
	cr_assert(warns("BEHIND"));
	cr_assert_gt(snap.view.total.behind_ns, 600 * IOB_NS_PER_MS);
	const struct iob_latency *lat = &snap.view.total.dir[IOB_READ].lat;
	const struct iob_latency *intended = &snap.view.total.dir[IOB_READ].intended;
	cr_assert_lt(lat->percentile_ns[IOB_P50], 40 * IOB_NS_PER_MS);
	cr_assert_gt(intended->percentile_ns[IOB_P50], 200 * IOB_NS_PER_MS);
}

/* The last requests take half of the run's time to come back: that asks for nothing more. */
Test(rate, that_was_kept_is_not_called_behind_for_what_drains)
{
	set("ioengine", "fault");
	set("fault_delay", "500ms");
	set("iodepth", "256");
	set("runtime", "1s");
	set("rate_iops", "200");
	start();
	wait_done();
	cr_assert_gt(snap.view.total.seconds, 1.3);
	cr_assert_float_eq((double)snap.view.total.all.ios, 200, 6);
	cr_assert_lt(snap.view.total.behind_ns, 50 * IOB_NS_PER_MS);
	cr_assert_not(warns("BEHIND"));
}

/* How far it was behind belongs to the segment in which it was. */
Test(rate, missed_in_one_segment_is_told_of_that_one)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;
	struct iob_error err = {0};

	set("ioengine", "fault");
	set("fault_delay", "20ms");
	set("iodepth", "2");
	set("rate_iops", "500");
	set("runtime", "20s");
	plan->tunable = true;
	start();
	wait_segment(0);
	struct iob_live live = snap.live;
	live.rate_iops[IOB_READ] = 20;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	wait_segment(1);
	iob_run_stop(run);
	wait_done();
	cr_assert(iob_run_segment(run, 0, &f, &p));
	cr_assert_gt(f.behind_ns, 200 * IOB_NS_PER_MS);
	cr_assert(iob_run_segment(run, 1, &f, &p));
	cr_assert_lt(f.behind_ns, 60 * IOB_NS_PER_MS);
	cr_assert(warns("BEHIND"));
}

Test(rate, is_changed_while_it_runs)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;
	struct iob_error err = {0};

	set("runtime", "20s");
	plan->tunable = true;
	start();
	wait_segment(0);
	static const uint64_t rates[] = {500, 2000};
	for (uint32_t i = 0; i < 2; i++) {
		struct iob_live live = snap.live;

		live.rate_iops[IOB_READ] = rates[i];
		cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
		wait_segment(i + 1);
	}
	struct iob_live live = snap.live;
	live.rate_iops[IOB_READ] = UINT64_MAX;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_not_null(strstr(err.text, "rate_iops="), "%s", err.text);
	iob_run_stop(run);
	wait_done();
	cr_assert(iob_run_segment(run, 0, &f, &p));
	cr_assert_eq(f.all.intended.n, 0);
	for (uint32_t i = 0; i < 2; i++) {
		cr_assert(iob_run_segment(run, i + 1, &f, &p));
		cr_assert_eq(p.live.rate_iops[IOB_READ], rates[i]);
		cr_assert_float_eq(f.all.iops, (double)rates[i], 0.04 * (double)rates[i]);
		cr_assert_eq(f.all.intended.n, f.all.ios);
	}
}

Test(rate, of_one_in_a_long_while_does_not_delay_a_stop)
{
	set("ioengine", "null");
	set("runtime", "20s");
	set("rate_iops", "1");
	start();
	wait_segment(0);
	uint64_t told = iob_now_ns();
	iob_run_stop(run);
	wait_done();
	cr_assert_lt(iob_now_ns() - told, 400 * IOB_NS_PER_MS);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_STOPPED);
}
