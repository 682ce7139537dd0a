/* SPDX-License-Identifier: MIT */
/* What is turned while a run goes on: each change is a segment, or is refused in words. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/private.h"
#include "run/sweep.h"
#include "tests/support/run_rig.h"

static struct iob_error err;

/* Long enough to be stopped by the test. */
static void tunable(void)
{
	run_fresh();
	set("runtime", "100s");
	plan->tunable = true;
}

TestSuite(tune, .init = tunable, .fini = run_free, .timeout = 60);

/* The newest segment has this number and has done something. */
static void wait_segment(uint32_t id, uint64_t ios)
{
	WAIT_FOR(snap.view.segment.id == id && snap.view.segment.all.ios > ios);
}

static void must_tune(const struct iob_live *live)
{
	tune(live);
	cr_assert_eq(snap.tune_error.code, 0, "%s", snap.tune_error.text);
}

static void must_refuse(const struct iob_live *live, const char *words)
{
	cr_assert_lt(iob_run_tune(run, live, &err), 0);
	expect_words(&err, words);
}

Test(tune, a_change_starts_a_segment)
{
	start();
	wait_running();
	struct iob_live live = snap.live;
	live.iodepth = 8;
	must_tune(&live);
	cr_assert_eq(snap.live.iodepth, 8);
	wait_segment(1, 0);
	stop_and_wait();
	cr_assert_eq(params_of(0).live.iodepth, 4);
	cr_assert_gt(segment(0).all.ios, 0);
	cr_assert_eq(params_of(1).live.iodepth, 8);
	cr_assert_gt(segment(1).all.ios, 0);
	cr_assert_not(has_segment(2));
	cr_assert_eq(timeline_ios(), segments_ios());
}

static unsigned working(unsigned n)
{
	struct iob_run_worker w[64];
	unsigned busy = 0, there = iob_run_workers(run, w, n);

	for (unsigned i = 0; i < there && i < n; i++)
		busy += w[i].in_flight > 0;
	return busy;
}

static void turn_jobs(uint64_t n)
{
	struct iob_live live = snap.live;

	live.numjobs = n;
	must_tune(&live);
	cr_assert_eq(snap.live.numjobs, n);
}

Test(tune, workers_are_made_while_it_runs_and_stand_idle_again)
{
	set("ioengine", "fault");
	set("fault_engine", "null");
	set("fault_delay", "5ms");
	set("iodepth", "1");
	start();
	wait_running();
	turn_jobs(6);
	WAIT_FOR(snap.workers == 6 && working(6) >= 5);
	wait_segment(1, 60);
	turn_jobs(2);
	WAIT_FOR(working(64) <= 2);
	cr_assert_eq(snap.workers, 2);
	turn_jobs(4);
	wait_segment(3, 20);
	stop_and_wait();
	cr_assert_gt(segment(0).all.ios, 0);
	cr_assert_gt(segment(1).all.ios, 60);
	cr_assert_eq(timeline_ios(), segments_ios());
	cr_assert_eq(snap.view.late, 0);
}

/* Each kind in its own segment, with what it did there. */
Test(tune, the_kind_of_access_is_turned_while_it_runs)
{
	static const uint32_t kinds[] = {IOB_RW_READ, IOB_RW_RANDWRITE, IOB_RW_RANDRW, IOB_RW_TRIM};

	start();
	wait_running();
	for (uint32_t i = 0; i < 4; i++) {
		struct iob_live live = snap.live;

		live.rw = kinds[i];
		must_tune(&live);
		cr_assert_eq(snap.live.rw, kinds[i]);
		/* Both directions of a mix. */
		wait_segment(i + 1, 100);
	}
	stop_and_wait();
	for (uint32_t i = 0; i < 4; i++) {
		struct iob_segment_figures f = segment(i + 1);

		cr_assert_eq(params_of(i + 1).live.rw, kinds[i]);
		for (int d = 0; d < IOB_NDIR; d++)
			cr_assert_eq(f.dir[d].ios > 0, iob_rw_does(kinds[i], (enum iob_dir)d),
				"segment %u, direction %d", i + 1, d);
	}
	cr_assert_eq(timeline_ios(), segments_ios());
}

/* A file of 1 MiB that is all there. */
static void on_file(char *path)
{
	int fd = mkstemp(path);
	size_t n = strlen(path);

	cr_assert_eq(pwrite(fd, path, n, (off_t)((1 << 20) - n)), (ssize_t)n);
	close(fd);
	set("ioengine", "psync");
	set("direct", "0");
	set("filename", path);
}

Test(tune, a_run_that_reads_is_never_turned_into_one_that_writes)
{
	char path[] = "/tmp/iotop-bench-turn-XXXXXX";

	on_file(path);
	start();
	wait_running();
	unlink(path);
	struct iob_live live = snap.live;
	live.rw = IOB_RW_RANDRW;
	must_refuse(&live, "");
	cr_assert_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
	live.rw = IOB_RW_READ;
	must_tune(&live);
	cr_assert_eq(snap.live.rw, IOB_RW_READ);
	stop_and_wait();
}

Test(tune, impossible_changes_are_refused_with_words)
{
	start();
	wait_running();
	struct iob_live live = snap.live;
	live.iodepth = snap.capacity + 1;
	must_refuse(&live, "iodepth=");
	live = snap.live;
	live.rw = 99;
	must_refuse(&live, "rw");
	live = snap.live;
	live.rwmixread = 70;
	must_refuse(&live, "");
	cr_assert_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
	live = snap.live;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = UINT64_C(1) << 40;
	must_refuse(&live, "bs=");
	live = snap.live;
	live.numjobs = 500;
	must_refuse(&live, "numjobs=500");
	stop_and_wait();
}

Test(tune, a_change_without_memory_for_it_changes_nothing)
{
	set("size", "64g");
	set("numjobs", "64");
	start();
	wait_running();
	struct iob_live live = snap.live;
	live.iodepth = snap.capacity;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = UINT64_C(1) << 30;
	tune(&live);
	cr_assert_eq(snap.tune_error.code, -ENOMEM, "%s", snap.tune_error.text);
	expect_words(&snap.tune_error, "64 workers take 8TiB of memory");
	cr_assert_eq(snap.live.iodepth, 4);
	stop_and_wait();
	cr_assert_eq(params_of(0).live.bs[IOB_READ].max, 4096);
	cr_assert_not(has_segment(1), "no segment of it");
	cr_assert_eq(timeline_ios(), segments_ios());
}

/* As if it had been asked for while the stage before was ending. */
Test(tune, a_change_for_another_stage_is_refused)
{
	plan->tunable = false;
	set("runtime", "600ms");
	start();
	run->shared->request = (struct iob_live){.iodepth = 2};
	atomic_store(&run->shared->request_number, 1);
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_not(snap.tune_pending);
	cr_assert_eq(snap.tune_error.code, -ECANCELED);
	cr_assert_eq(snap.view.nsegments, 1);
	cr_assert_eq(snap.live.iodepth, 4);
}

Test(tune, a_step_of_a_sweep_that_was_refused_is_not_asked_for_again)
{
	cr_assert_eq(iob_sweep_parse(&plan->sweep, "iodepth=1..8", &err), 0, "%s", err.text);
	plan->tunable = false;
	start();
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	cr_assert_eq(snap.live.iodepth, 1);
	snap.elapsed_ns = 125 * IOB_NS_PER_S; /* the second step is due */
	iob_fail(&snap.tune_error, -ENOMEM, "no memory");
	cr_assert_eq(iob_sweep_follow(run, &snap, &err), -ENOMEM);
	cr_assert_str_eq(err.text, "no memory");
	cr_assert_eq(atomic_load(&run->shared->request_number), 0);
	snap.tune_error.code = 0;
	cr_assert_eq(iob_sweep_follow(run, &snap, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending && snap.live.iodepth == 2);
	stop_and_wait();
}

Test(tune, a_synchronous_engine_with_a_depth_is_tuned_all_the_same)
{
	char path[] = "/tmp/iob-run-XXXXXX";

	on_file(path);
	start();
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	unlink(path);
	cr_assert_eq(snap.capacity, 1);
	struct iob_live live = snap.live;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = 8192;
	must_tune(&live);
	cr_assert_eq(snap.live.bs[IOB_READ].max, 8192);
	live = snap.live;
	live.iodepth *= 2;
	must_refuse(&live, "one I/O at a time");
	stop_and_wait();
}

/* The pause is longer than the run time; how long the whole took is the clock's word. */
Test(tune, a_pause_issues_nothing_and_stops_the_clock)
{
	uint64_t begun = iob_now_ns();

	plan->tunable = false;
	set("runtime", "1s");
	start();
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	struct iob_live live = snap.live;
	live.paused = true;
	must_tune(&live);
	WAIT_FOR(snap.phase == IOB_PHASE_PAUSED);
	uint64_t paused = iob_now_ns(), elapsed = snap.elapsed_ns;
	uint64_t count = snap.view.total.all.ios;
	iob_sleep_until(paused + 1200 * IOB_NS_PER_MS);
	iob_run_snapshot(run, &snap);
	cr_assert_eq(snap.phase, IOB_PHASE_PAUSED, "the run time does not run out in a pause");
	cr_assert_eq(snap.elapsed_ns, elapsed);
	cr_assert_leq(snap.view.segment.all.ios, 0);
	cr_assert_geq(snap.view.total.all.ios, count);
	live.paused = false;
	uint64_t resumed = iob_now_ns();
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	wait_done();
	double without = (double)(iob_now_ns() - begun - (resumed - paused)) / 1e9;
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_eq(params_of(1).kind, IOB_SEGMENT_PAUSED);
	cr_assert_eq(segment(1).all.ios, 0);
	cr_assert_gt(snap.view.total.seconds, 0.9);
	cr_assert_leq(snap.view.total.seconds, without, "%.3f s of %.3f", snap.view.total.seconds,
		without);
}
