/* SPDX-License-Identifier: MIT */
/* Whole runs through the front's calls, with the real load process and the null engine. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/param.h"
#include "run/private.h"
#include "run/run.h"
#include "run/sweep.h"

static struct iob_plan *plan;
static struct iob_run *run;
static struct iob_snapshot snap;

static void fresh(void)
{
	struct iob_error err;

	plan = calloc(1, sizeof(*plan));
	iob_plan_init(plan);
	cr_assert_eq(iob_plan_set(plan, "ioengine", "null", &err), 0, "%s", err.text);
	cr_assert_eq(iob_plan_set(plan, "rw", "randread", &err), 0);
	cr_assert_eq(iob_plan_set(plan, "iodepth", "4", &err), 0);
	cr_assert_eq(iob_plan_set(plan, "runtime", "600ms", &err), 0);
}

static void done(void)
{
	iob_run_free(run);
	free(plan);
}

static void set(const char *name, const char *value)
{
	struct iob_error err;

	cr_assert_eq(iob_plan_set(plan, name, value, &err), 0, "%s", err.text);
}

static void start(double grace_s)
{
	struct iob_error err;
	const char *program = getenv("IOB_PROGRAM");
	struct iob_run_config config = {
		.program = program,
		.grace_ns = (uint64_t)(grace_s * 1e9),
	};

	cr_assert_not_null(program, "IOB_PROGRAM names the program under test");
	cr_assert_eq(iob_plan_finish(plan, &err), 0, "%s", err.text);
	cr_assert_eq(iob_run_start(&run, plan, &config, &err), 0, "%s", err.text);
}

static void wait_done(int timeout_ms)
{
	cr_assert(iob_run_wait(run, timeout_ms), "not over after %d ms", timeout_ms);
	iob_run_snapshot(run, &snap);
	cr_assert_eq(snap.phase, IOB_PHASE_DONE);
}

/* Wait until the condition on the snapshot holds, at most 5 s. */
#define WAIT_FOR(condition)                                                                        \
	do {                                                                                       \
		uint64_t until_ = iob_now_ns() + 5 * IOB_NS_PER_S;                                 \
		iob_run_snapshot(run, &snap);                                                      \
		while (!(condition)) {                                                             \
			cr_assert(iob_now_ns() < until_, "never came true: %s", #condition);       \
			iob_sleep_until(iob_now_ns() + 5 * IOB_NS_PER_MS);                         \
			iob_run_snapshot(run, &snap);                                              \
		}                                                                                  \
	} while (0)

static uint64_t timeline_ios(void)
{
	static struct iob_interval entry[4096];
	size_t n = iob_run_timeline(run, 0, entry, 4096);
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < IOB_NDIR; d++)
			sum += entry[i].dir[d].ios;
	return sum;
}

static uint64_t segments_ios(void)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;
	uint64_t sum = 0;

	for (uint32_t id = 0; iob_run_segment(run, id, &f, &p); id++)
		sum += f.all.ios;
	return sum;
}

TestSuite(run, .init = fresh, .fini = done, .timeout = 30);

Test(run, completes_with_sums_that_agree)
{
	set("numjobs", "3");
	start(0);
	wait_done(5000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE, "%s", snap.error.text);
	cr_assert_gt(snap.view.total.all.ios, 1000);
	cr_assert_eq(timeline_ios(), snap.view.total.all.ios);
	cr_assert_eq(segments_ios(), snap.view.total.all.ios);
	uint64_t completed = 0;
	for (int i = 0; i < 3; i++)
		completed += atomic_load(&run->shared->slot[i].completed);
	cr_assert_eq(completed, snap.view.total.all.ios, "the workers' own count");
	cr_assert_eq(snap.view.total.all.bytes, snap.view.total.all.ios * 4096);
	cr_assert_gt(snap.view.total.seconds, 0.55);
	cr_assert_lt(snap.view.total.seconds, 1.2);
	cr_assert_eq(snap.in_flight, 0);
}

Test(run, a_change_starts_a_segment)
{
	struct iob_error err;
	struct iob_segment_figures f;
	struct iob_segment_params p;

	set("runtime", "20s");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING && snap.view.total.all.ios > 0);
	struct iob_live live = snap.live;
	live.iodepth = 8;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending && snap.live.iodepth == 8);
	WAIT_FOR(snap.view.segment.id == 1 && snap.view.segment.all.ios > 0);
	cr_assert_eq(snap.tune_error.code, 0, "%s", snap.tune_error.text);
	iob_run_stop(run);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_STOPPED);
	cr_assert(iob_run_segment(run, 0, &f, &p));
	cr_assert_eq(p.live.iodepth, 4);
	cr_assert_gt(f.all.ios, 0);
	cr_assert(iob_run_segment(run, 1, &f, &p));
	cr_assert_eq(p.live.iodepth, 8);
	cr_assert_gt(f.all.ios, 0);
	cr_assert_not(iob_run_segment(run, 2, &f, &p));
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
	struct iob_error err;
	struct iob_live live = snap.live;

	live.numjobs = n;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending);
	cr_assert_eq(snap.tune_error.code, 0, "%s", snap.tune_error.text);
	cr_assert_eq(snap.live.numjobs, n);
}

static uint64_t ios_of(uint32_t id)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;

	cr_assert(iob_run_segment(run, id, &f, &p));
	return f.all.ios;
}

Test(run, workers_are_made_while_it_runs_and_stand_idle_again)
{
	set("ioengine", "fault");
	set("fault_engine", "null");
	set("fault_delay", "5ms");
	set("runtime", "20s");
	set("iodepth", "1");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING && snap.view.total.all.ios > 0);
	turn_jobs(6);
	WAIT_FOR(snap.workers == 6 && working(6) >= 5);
	WAIT_FOR(snap.view.segment.id == 1 && snap.view.segment.all.ios > 60);
	turn_jobs(2);
	WAIT_FOR(working(64) <= 2);
	cr_assert_eq(snap.workers, 2);
	turn_jobs(4);
	WAIT_FOR(snap.view.segment.id == 3 && snap.view.segment.all.ios > 20);
	iob_run_stop(run);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_STOPPED);
	cr_assert_gt(ios_of(1), ios_of(0));
	cr_assert_eq(timeline_ios(), segments_ios());
	cr_assert_eq(snap.view.late, 0);
}

/* Each kind in its own segment, with what it did there. */
Test(run, the_kind_of_access_is_turned_while_it_runs)
{
	static const uint32_t kinds[] = {IOB_RW_READ, IOB_RW_RANDWRITE, IOB_RW_RANDRW, IOB_RW_TRIM};
	struct iob_error err;
	struct iob_segment_figures f;
	struct iob_segment_params p;

	set("runtime", "20s");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING && snap.view.total.all.ios > 0);
	for (uint32_t i = 0; i < 4; i++) {
		struct iob_live live = snap.live;

		live.rw = kinds[i];
		cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
		WAIT_FOR(!snap.tune_pending && snap.live.rw == kinds[i]);
		WAIT_FOR(snap.view.segment.id == i + 1 && snap.view.segment.all.ios > 0);
	}
	iob_run_stop(run);
	wait_done(3000);
	for (uint32_t i = 0; i < 4; i++) {
		cr_assert(iob_run_segment(run, i + 1, &f, &p));
		cr_assert_eq(p.live.rw, kinds[i]);
		for (int d = 0; d < IOB_NDIR; d++)
			cr_assert_eq(f.dir[d].ios > 0, iob_rw_does(kinds[i], (enum iob_dir)d),
				"segment %u, direction %d", i + 1, d);
	}
	cr_assert_eq(timeline_ios(), segments_ios());
}

Test(run, a_run_that_reads_is_never_turned_into_one_that_writes)
{
	char path[] = "/tmp/iotop-bench-turn-XXXXXX";
	int fd = mkstemp(path);
	struct iob_error err = {0};

	cr_assert_eq(ftruncate(fd, 1 << 20), 0);
	set("ioengine", "psync");
	set("direct", "0");
	set("filename", path);
	set("runtime", "20s");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING && snap.view.total.all.ios > 0);
	struct iob_live live = snap.live;
	live.rw = IOB_RW_RANDRW;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
	live.rw = IOB_RW_READ;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending && snap.live.rw == IOB_RW_READ);
	iob_run_stop(run);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_STOPPED);
	close(fd);
	unlink(path);
}

Test(run, impossible_changes_are_refused_with_words)
{
	struct iob_error err = {0};

	set("runtime", "20s");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	struct iob_live live = snap.live;
	live.iodepth = snap.capacity + 1;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_not_null(strstr(err.text, "iodepth="), "%s", err.text);
	live = snap.live;
	live.rw = 99;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_not_null(strstr(err.text, "rw"), "%s", err.text);
	live = snap.live;
	live.rwmixread = 70;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_eq(err.kind, IOB_ERR_REFUSED, "%s", err.text);
	live = snap.live;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = UINT64_C(1) << 40;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_not_null(strstr(err.text, "bs="), "%s", err.text);
	live = snap.live;
	live.numjobs = 500;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_not_null(strstr(err.text, "numjobs=500"), "%s", err.text);
	iob_run_stop(run);
	wait_done(3000);
}

Test(run, a_change_without_memory_for_it_changes_nothing)
{
	struct iob_error err;
	struct iob_segment_figures f;
	struct iob_segment_params p;

	set("runtime", "20s");
	set("size", "64g");
	set("numjobs", "64");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING && snap.view.total.all.ios > 0);
	struct iob_live live = snap.live;
	live.iodepth = snap.capacity;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = UINT64_C(1) << 30;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending);
	cr_assert_eq(snap.tune_error.code, -ENOMEM, "%s", snap.tune_error.text);
	cr_assert_not_null(strstr(snap.tune_error.text, "64 workers take 8TiB of memory"), "%s",
		snap.tune_error.text);
	cr_assert_eq(snap.live.iodepth, 4);
	iob_run_stop(run);
	wait_done(3000);
	cr_assert(iob_run_segment(run, 0, &f, &p));
	cr_assert_eq(p.live.bs[IOB_READ].max, 4096);
	cr_assert_not(iob_run_segment(run, 1, &f, &p), "no segment of it");
	cr_assert_eq(timeline_ios(), segments_ios());
}

/* As if it had been asked for while the stage before was ending. */
Test(run, a_change_for_another_stage_is_refused)
{
	start(0);
	run->shared->request = (struct iob_live){.iodepth = 2};
	atomic_store(&run->shared->request_number, 1);
	wait_done(5000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE, "%s", snap.error.text);
	cr_assert_not(snap.tune_pending);
	cr_assert_eq(snap.tune_error.code, -ECANCELED);
	cr_assert_eq(snap.view.nsegments, 1);
	cr_assert_eq(snap.live.iodepth, 4);
}

Test(run, a_step_of_a_sweep_that_was_refused_is_not_asked_for_again)
{
	struct iob_error err = {0};

	cr_assert_eq(iob_sweep_parse(&plan->sweep, "iodepth=1..8", &err), 0, "%s", err.text);
	set("runtime", "20s");
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	cr_assert_eq(snap.live.iodepth, 1);
	snap.elapsed_ns = 25 * IOB_NS_PER_S; /* the second step is due */
	iob_fail(&snap.tune_error, -ENOMEM, "no memory");
	cr_assert_eq(iob_sweep_follow(run, &snap, &err), -ENOMEM);
	cr_assert_str_eq(err.text, "no memory");
	cr_assert_eq(atomic_load(&run->shared->request_number), 0);
	snap.tune_error.code = 0;
	cr_assert_eq(iob_sweep_follow(run, &snap, &err), 0, "%s", err.text);
	WAIT_FOR(!snap.tune_pending && snap.live.iodepth == 2);
	iob_run_stop(run);
	wait_done(3000);
}

Test(run, a_synchronous_engine_with_a_depth_is_tuned_all_the_same)
{
	struct iob_error err = {0};
	char path[] = "/tmp/iob-run-XXXXXX";
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(pwrite(fd, path, sizeof(path), (1 << 20) - sizeof(path)), sizeof(path));
	close(fd);
	set("ioengine", "psync");
	set("filename", path);
	set("direct", "0");
	set("runtime", "20s");
	plan->tunable = true;
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	unlink(path);
	cr_assert_eq(snap.capacity, 1);
	struct iob_live live = snap.live;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = 8192;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	WAIT_FOR(snap.live.bs[IOB_READ].max == 8192);
	live = snap.live;
	live.iodepth *= 2;
	cr_assert_lt(iob_run_tune(run, &live, &err), 0);
	cr_assert_not_null(strstr(err.text, "one I/O at a time"), "%s", err.text);
	iob_run_stop(run);
	wait_done(3000);
}

Test(run, a_pause_issues_nothing_and_stops_the_clock)
{
	struct iob_error err;
	struct iob_segment_figures f;
	struct iob_segment_params p;

	set("runtime", "1s");
	start(0);
	WAIT_FOR(snap.phase == IOB_PHASE_RUNNING);
	struct iob_live live = snap.live;
	live.paused = true;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	WAIT_FOR(snap.phase == IOB_PHASE_PAUSED);
	uint64_t elapsed = snap.elapsed_ns;
	uint64_t count = snap.view.total.all.ios;
	iob_sleep_until(iob_now_ns() + 1200 * IOB_NS_PER_MS);
	iob_run_snapshot(run, &snap);
	cr_assert_eq(snap.phase, IOB_PHASE_PAUSED, "the run time does not run out in a pause");
	cr_assert_eq(snap.elapsed_ns, elapsed);
	cr_assert_leq(snap.view.segment.all.ios, 0);
	cr_assert_geq(snap.view.total.all.ios, count);
	live.paused = false;
	cr_assert_eq(iob_run_tune(run, &live, &err), 0, "%s", err.text);
	wait_done(5000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE);
	cr_assert(iob_run_segment(run, 1, &f, &p));
	cr_assert_eq(p.kind, IOB_SEGMENT_PAUSED);
	cr_assert_eq(f.all.ios, 0);
	cr_assert_lt(snap.view.total.seconds, 1.5, "%.3f s", snap.view.total.seconds);
}

Test(run, a_ramp_is_not_in_the_totals)
{
	struct iob_segment_figures ramp, load;
	struct iob_segment_params p;

	set("ramp_time", "300ms");
	start(0);
	wait_done(5000);
	cr_assert(iob_run_segment(run, 0, &ramp, &p));
	cr_assert_eq(p.kind, IOB_SEGMENT_RAMP);
	cr_assert(iob_run_segment(run, 1, &load, &p));
	cr_assert_eq(p.kind, IOB_SEGMENT_LOAD);
	cr_assert_gt(ramp.all.ios, 0);
	cr_assert_eq(snap.view.total.all.ios, load.all.ios);
	cr_assert_eq(timeline_ios(), ramp.all.ios + load.all.ios);
	cr_assert_float_eq(load.seconds, 0.6, 0.1);
}

Test(run, stages_follow_each_other)
{
	struct iob_segment_figures f;
	struct iob_segment_params p;

	plan->nstages = 2;
	plan->stage[1] = plan->stage[0];
	plan->stage[1].iodepth = 2;
	start(0);
	wait_done(8000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE, "%s", snap.error.text);
	cr_assert(iob_run_segment(run, 1, &f, &p));
	cr_assert_eq(p.stage, 1);
	cr_assert_eq(p.live.iodepth, 2);
	cr_assert_gt(f.all.ios, 0);
	cr_assert_eq(timeline_ios(), segments_ios());
}

Test(run, a_killed_load_process_leaves_its_figures)
{
	set("runtime", "20s");
	start(0);
	WAIT_FOR(snap.view.total.all.ios > 0);
	uint64_t before = snap.view.total.all.ios;
	kill(run->pid, SIGKILL);
	wait_done(1000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_LOST);
	cr_assert_not_null(strstr(snap.error.text, "signal 9"), "%s", snap.error.text);
	cr_assert_geq(snap.view.total.all.ios, before);
	cr_assert_eq(timeline_ios(), segments_ios());
}

Test(run, a_stopped_load_process_is_left_behind)
{
	set("runtime", "1s");
	start(1.0);
	WAIT_FOR(snap.view.total.all.ios > 0);
	pid_t pid = run->pid;
	kill(pid, SIGSTOP);
	WAIT_FOR(!snap.responding);
	wait_done(4000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_ABANDONED);
	cr_assert_not_null(strstr(snap.error.text, "sign of life"), "%s", snap.error.text);
	cr_assert_gt(snap.view.total.all.ios, 0);
	cr_assert_lt(snap.view.total.seconds, 1.5, "the wait is not in the figures");
}

Test(run, a_request_that_hangs_is_given_up_after_the_grace_time)
{
	set("ioengine", "fault");
	set("fault_hang_at", "1000");
	set("runtime", "1s");
	start(1.0);
	wait_done(4000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_ABANDONED, "%s", snap.error.text);
	cr_assert_not_null(
		strstr(snap.error.text, "1 I/Os did not come back"), "%s", snap.error.text);
	cr_assert_eq(iob_run_unfinished(run), 1);
	cr_assert_gt(snap.view.total.all.ios, 1000, "the other slots went on");
	cr_assert_eq(timeline_ios(), snap.view.total.all.ios);
	cr_assert_float_eq(snap.view.total.seconds, 1.0, 0.2, "the wait is not in the figures");
}

Test(run, after_a_stop_hanging_requests_get_the_grace_time)
{
	set("ioengine", "fault");
	set("fault_hang_at", "10");
	set("numjobs", "3");
	set("runtime", "60s");
	start(0.5);
	WAIT_FOR(snap.view.total.all.ios > 1000 && snap.in_flight >= 3);
	uint64_t before = iob_now_ns();
	iob_run_stop(run);
	wait_done(3000);
	cr_assert_gt(iob_now_ns() - before, 450 * IOB_NS_PER_MS);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_ABANDONED);
	cr_assert_eq(iob_run_unfinished(run), 3, "one of each worker");
}

Test(run, the_first_error_ends_the_run_with_its_words)
{
	set("ioengine", "fault");
	set("fault_error_every", "5000");
	set("fault_errno", "ENODATA");
	start(0);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_FAILED);
	cr_assert_eq(snap.error.code, -ENODATA);
	cr_assert_not_null(strstr(snap.error.text, "read at offset "), "%s", snap.error.text);
	cr_assert_not_null(strstr(snap.error.text, "(ENODATA)"), "%s", snap.error.text);
	cr_assert_eq(snap.view.total.all.errors, 1);
	cr_assert_geq(snap.view.total.all.ios, 4999);
}

Test(run, short_transfers_count_with_what_they_moved)
{
	set("ioengine", "fault");
	set("fault_short_every", "2");
	set("number_ios", "1000");
	start(0);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE, "%s", snap.error.text);
	cr_assert_eq(snap.view.total.all.ios, 1000);
	cr_assert_eq(snap.view.total.all.shorts, 500);
	cr_assert_eq(snap.view.total.all.bytes, 500 * 4096 + 500 * 2048);
}

Test(run, more_memory_than_there_is_is_refused_before_anything_starts)
{
	set("numjobs", "512");
	set("iodepth", "65536");
	set("bs", "1g");
	start(0);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_FAILED);
	cr_assert_eq(snap.error.code, -ENOMEM);
	cr_assert_not_null(
		strstr(snap.error.text, "512 workers take 32PiB of memory"), "%s", snap.error.text);
	cr_assert_not_null(strstr(snap.error.text, "65536 requests of 1GiB"));
	cr_assert_eq(atomic_load(&run->shared->target_known), 0);
}

Test(run, a_depth_beyond_the_engine_is_refused)
{
	set("ioengine", "posixaio");
	set("iodepth", "65536");
	set("filename", "/nonexistent/file");
	start(0);
	wait_done(3000);
	cr_assert_eq(snap.error.kind, IOB_ERR_USAGE);
	cr_assert_not_null(
		strstr(snap.error.text, "iodepth=65536: the engine posixaio takes at most"), "%s",
		snap.error.text);
}

Test(run, a_stopped_second_is_a_gap_of_zeros_and_no_stall)
{
	static struct iob_interval entry[256];

	set("runtime", "3s");
	start(0);
	WAIT_FOR(snap.view.intervals >= 3);
	kill(run->pid, SIGSTOP);
	iob_sleep_until(iob_now_ns() + IOB_NS_PER_S);
	kill(run->pid, SIGCONT);
	wait_done(6000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE);
	size_t n = iob_run_timeline(run, 0, entry, 256);
	unsigned zeros = 0;
	for (size_t i = 0; i < n; i++)
		zeros += entry[i].dir[IOB_READ].ios == 0;
	cr_assert_geq(zeros, 8, "%u of %zu intervals without I/O", zeros, n);
	cr_assert_lt(snap.view.longest_stall_ns, 800 * IOB_NS_PER_MS);
	cr_assert_geq(snap.view.gap.ns, 700 * IOB_NS_PER_MS);
	cr_assert_lt(snap.view.total.seconds, 2.4);
	cr_assert(iob_warnings_have(&snap.warnings, "GAP"));
	cr_assert_eq(timeline_ios(), segments_ios());
}

Test(run, a_target_that_is_missing_is_a_usage_error)
{
	set("ioengine", "psync");
	set("filename", "/nonexistent/file");
	start(0);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_FAILED);
	cr_assert_eq(snap.error.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(snap.error.text, "/nonexistent/file"), "%s", snap.error.text);
}

Test(run, an_unknown_engine_is_a_usage_error)
{
	set("ioengine", "warp");
	start(0);
	wait_done(3000);
	cr_assert_eq(snap.error.kind, IOB_ERR_USAGE);
	cr_assert_not_null(strstr(snap.error.text, "warp"), "%s", snap.error.text);
}

/* The load process dies with the front, however the front dies. */
Test(run, does_not_outlive_the_front)
{
	int fds[2];
	pid_t load = 0;

	set("runtime", "20s");
	cr_assert_eq(pipe(fds), 0);
	pid_t front = fork();
	if (front == 0) {
		start(0);
		ssize_t n = write(fds[1], &run->pid, sizeof(run->pid));
		(void)n;
		pause();
		_exit(0);
	}
	cr_assert_eq(read(fds[0], &load, sizeof(load)), (ssize_t)sizeof(load));
	cr_assert_eq(kill(load, 0), 0);
	kill(front, SIGKILL);
	waitpid(front, NULL, 0);
	uint64_t until = iob_now_ns() + 5 * IOB_NS_PER_S;
	char path[64], state[256];
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)load);
	for (;;) {
		FILE *f = fopen(path, "r");
		bool gone = !f || !fgets(state, sizeof(state), f) || strstr(state, ") Z ");

		if (f)
			fclose(f);
		if (gone)
			break;
		cr_assert(iob_now_ns() < until, "the load process still lives: %s", state);
		iob_sleep_until(iob_now_ns() + 10 * IOB_NS_PER_MS);
	}
	run = NULL;
}

static void start_held(bool wait_turn)
{
	struct iob_error err;
	struct iob_run_config config = {
		.program = getenv("IOB_PROGRAM"),
		.hold = true,
		.wait_turn = wait_turn,
	};

	cr_assert_eq(iob_plan_finish(plan, &err), 0, "%s", err.text);
	cr_assert_eq(iob_run_start(&run, plan, &config, &err), 0, "%s", err.text);
}

#define WAIT_UNTIL(condition)                                                                      \
	do {                                                                                       \
		uint64_t until_ = iob_now_ns() + 5 * IOB_NS_PER_S;                                 \
		while (!(condition)) {                                                             \
			cr_assert(iob_now_ns() < until_, "never came true: %s", #condition);       \
			iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);                             \
		}                                                                                  \
	} while (0)

Test(run, is_held_until_it_is_released)
{
	set("runtime", "200ms");
	start_held(false);
	WAIT_UNTIL(iob_run_is_ready(run));
	iob_run_snapshot(run, &snap);
	cr_assert_eq(snap.phase, IOB_PHASE_READY);
	cr_assert_eq(snap.view.t0_ns, 0, "the measuring has not begun");
	cr_assert_eq(snap.workers, 1);
	uint64_t released = iob_now_ns();
	iob_run_release(run);
	wait_done(5000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE, "%s", snap.error.text);
	cr_assert_geq(snap.view.t0_ns, released);
	cr_assert_gt(snap.view.total.all.ios, 0);
}

Test(run, prepares_when_it_is_its_turn)
{
	set("runtime", "100ms");
	start_held(true);
	WAIT_UNTIL(atomic_load(&run->shared->reached) == IOB_GATE_PREPARE);
	cr_assert_not(iob_run_is_prepared(run, 30));
	cr_assert_eq(atomic_load(&run->shared->phase), IOB_PHASE_STARTING);
	iob_run_prepare(run, &(struct iob_run_family){0});
	cr_assert(iob_run_is_prepared(run, 5000));
	WAIT_UNTIL(iob_run_is_ready(run));
	iob_run_release(run);
	wait_done(5000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE, "%s", snap.error.text);
}

Test(run, a_stop_ends_one_that_is_held)
{
	start_held(false);
	WAIT_UNTIL(iob_run_is_ready(run));
	iob_run_stop(run);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_STOPPED, "%s", snap.error.text);
}

Test(run, a_stop_ends_one_that_waits_for_its_turn)
{
	start_held(true);
	WAIT_UNTIL(atomic_load(&run->shared->reached) == IOB_GATE_PREPARE);
	iob_run_stop(run);
	wait_done(3000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_STOPPED, "%s", snap.error.text);
	cr_assert_eq(snap.view.nsegments, 0);
}

/* The front is a process of its own here: it is killed while the run is held. */
Test(run, does_not_outlive_a_dead_front)
{
	int out[2];
	pid_t load = 0;

	cr_assert_eq(pipe(out), 0);
	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0, "so that it can be waited for");
	pid_t front = fork();
	if (front == 0) {
		start_held(false);
		WAIT_UNTIL(iob_run_is_ready(run));
		if (write(out[1], &run->pid, sizeof(run->pid)) != sizeof(run->pid))
			_exit(1);
		for (;;)
			pause();
	}
	cr_assert_eq(read(out[0], &load, sizeof(load)), (ssize_t)sizeof(load));
	kill(front, SIGKILL);
	waitpid(front, NULL, 0);
	WAIT_UNTIL(waitpid(load, NULL, WNOHANG) == load);
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

	set("numjobs", "2");
	set("number_ios", "5000");
	plan->detail = true;
	plan->log = (struct iob_plan_log){.transfers = true, .window_ns = IOB_NS_PER_MS};
	start(5);
	wait_done(10000);
	for (unsigned i = 0; i < 2; i++) {
		cr_assert(iob_run_detail(run, i, &detail));
		ios += detail.dir[IOB_READ].ios;
		cr_assert_eq(detail.dir[IOB_READ].slat.moments.n, detail.dir[IOB_READ].ios);
		cr_assert_eq(iob_run_log(run, i, count_ios, &logged), 0);
	}
	cr_assert_not(iob_run_detail(run, 2, &detail));
	cr_assert_eq(ios, snap.view.total.dir[IOB_READ].ios);
	cr_assert_eq(ios, 10000);
	cr_assert_eq(logged, ios);
	cr_assert_eq(iob_run_log_lost(run), 0);
}

Test(run, requests_that_failed_make_the_run_fail_also_if_they_were_let_pass)
{
	set("ioengine", "fault");
	set("fault_error_every", "100");
	set("continue_on_error", "all");
	set("number_ios", "5000");
	start(5);
	wait_done(10000);
	cr_assert_eq(snap.outcome, IOB_OUTCOME_COMPLETE);
	cr_assert_eq(snap.error.code, -EIO);
	cr_assert_not_null(
		strstr(snap.error.text, "50 requests failed and were let pass (50 reads EIO)"));
	cr_assert_eq(snap.failures.total, 50);
	cr_assert_eq(snap.failures.nfirst, IOB_FAILURES_FIRST);
	bool warned = false;
	for (unsigned i = 0; i < snap.warnings.count; i++)
		warned |= strcmp(snap.warnings.item[i].code, "ERRORS") == 0;
	cr_assert(warned);
}

Test(run, errors_that_are_ignored_do_not_make_it_fail)
{
	set("ioengine", "fault");
	set("fault_error_every", "100");
	set("ignore_error", "EIO");
	set("number_ios", "5000");
	start(5);
	wait_done(10000);
	cr_assert_eq(snap.error.code, 0, "%s", snap.error.text);
	cr_assert_eq(snap.failures.ignored, 50);
}
