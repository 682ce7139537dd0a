/* SPDX-License-Identifier: MIT */
/* How runs end: errors, requests that never return, a load process that is killed or stopped. */
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/private.h"
#include "tests/support/run_rig.h"

#define DEFAULT_GRACE_MS 10000

TestSuite(end, .init = run_fresh, .fini = run_free, .timeout = 60);

static void wait_for_io(void)
{
	WAIT_FOR(snap.view.total.all.ios > 0);
}

/* A thousand and some, and `hanging` that never come back. */
static void wait_until_they_hang(uint64_t hanging)
{
	WAIT_FOR(snap.view.total.all.ios > 1000 && snap.in_flight >= hanging);
}

Test(end, a_killed_load_process_leaves_its_figures)
{
	set("runtime", "100s");
	start();
	wait_for_io();
	uint64_t before = snap.view.total.all.ios;
	kill(run->pid, SIGKILL);
	wait_done_within(DEFAULT_GRACE_MS / 2);
	expect_outcome(IOB_OUTCOME_LOST);
	expect_words(&snap.error, "signal 9");
	cr_assert_geq(snap.view.total.all.ios, before);
	cr_assert_eq(timeline_ios(), segments_ios());
}

/* The figures end with the run time; what was waited for after it is not in them. */
static void expect_no_wait_in_figures(uint64_t begun_ns, double waited_s)
{
	double wall = (double)(iob_now_ns() - begun_ns) / 1e9;

	cr_assert_gt(snap.view.total.seconds, 0);
	cr_assert_leq(snap.view.total.seconds, wall - waited_s, "%.3f s of %.3f",
		snap.view.total.seconds, wall);
}

Test(end, a_stopped_load_process_is_left_behind)
{
	set("runtime", "1s");
	start_with_grace(1000);
	uint64_t begun = iob_now_ns();
	wait_for_io();
	kill(run->pid, SIGSTOP);
	WAIT_FOR(!snap.responding);
	wait_done();
	expect_outcome(IOB_OUTCOME_ABANDONED);
	expect_words(&snap.error, "sign of life");
	cr_assert_gt(snap.view.total.all.ios, 0);
	expect_no_wait_in_figures(begun, 0.9);
}

Test(end, a_request_that_hangs_is_given_up_after_the_grace_time)
{
	set("ioengine", "fault");
	set("fault_hang_at", "1000");
	set("runtime", "1s");
	start_with_grace(1000);
	uint64_t begun = iob_now_ns();
	wait_done_within(DEFAULT_GRACE_MS * 3 / 4);
	expect_outcome(IOB_OUTCOME_ABANDONED);
	expect_words(&snap.error, "1 I/Os did not come back");
	cr_assert_eq(iob_run_unfinished(run), 1);
	cr_assert_gt(snap.view.total.all.ios, 1000, "the other slots went on");
	cr_assert_eq(timeline_ios(), snap.view.total.all.ios);
	cr_assert_gt(snap.view.total.seconds, 0.9);
	expect_no_wait_in_figures(begun, 0.9);
}

Test(end, after_a_stop_hanging_requests_get_the_grace_time)
{
	set("ioengine", "fault");
	set("fault_hang_at", "10");
	set("numjobs", "3");
	set("runtime", "100s");
	start_with_grace(500);
	wait_until_they_hang(3);
	uint64_t before = iob_now_ns();
	iob_run_stop(run);
	wait_done_within(DEFAULT_GRACE_MS * 3 / 4);
	cr_assert_gt(iob_now_ns() - before, 450 * IOB_NS_PER_MS);
	expect_outcome(IOB_OUTCOME_ABANDONED);
	cr_assert_eq(iob_run_unfinished(run), 3, "one of each worker");
}

Test(end, the_first_error_ends_the_run_with_its_words)
{
	set("ioengine", "fault");
	set("fault_error_every", "5000");
	set("fault_errno", "ENODATA");
	set("runtime", "100s");
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_FAILED);
	cr_assert_eq(snap.error.code, -ENODATA);
	expect_words(&snap.error, "read at offset ");
	expect_words(&snap.error, "(ENODATA)");
	cr_assert_eq(snap.view.total.all.errors, 1);
	cr_assert_geq(snap.view.total.all.ios, 4999);
}

/* A hundredth of 5000 requests fails. */
static void run_with_errors(const char *how, const char *which)
{
	set("ioengine", "fault");
	set("fault_error_every", "100");
	set("number_ios", "5000");
	set("runtime", "0");
	set(how, which);
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
}

Test(end, requests_that_failed_make_the_run_fail_also_if_they_were_let_pass)
{
	bool warned = false;

	run_with_errors("continue_on_error", "all");
	cr_assert_eq(snap.error.code, -EIO);
	expect_words(&snap.error, "50 requests failed and were let pass (50 reads EIO)");
	cr_assert_eq(snap.failures.total, 50);
	cr_assert_eq(snap.failures.nfirst, IOB_FAILURES_FIRST);
	for (unsigned i = 0; i < snap.warnings.count; i++)
		warned |= strcmp(snap.warnings.item[i].code, "ERRORS") == 0;
	cr_assert(warned);
}

Test(end, errors_that_are_ignored_do_not_make_it_fail)
{
	run_with_errors("ignore_error", "EIO");
	cr_assert_eq(snap.error.code, 0, "%s", snap.error.text);
	cr_assert_eq(snap.failures.ignored, 50);
}

Test(end, a_stopped_second_is_a_gap_of_zeros_and_no_stall)
{
	static struct iob_interval entry[256];
	unsigned zeros = 0;

	set("runtime", "3s");
	start();
	WAIT_FOR(snap.view.intervals >= 3);
	kill(run->pid, SIGSTOP);
	iob_sleep_until(iob_now_ns() + IOB_NS_PER_S);
	kill(run->pid, SIGCONT);
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	size_t n = iob_run_timeline(run, 0, entry, 256);
	for (size_t i = 0; i < n; i++)
		zeros += entry[i].dir[IOB_READ].ios == 0;
	cr_assert_geq(zeros, 8, "%u of %zu intervals without I/O", zeros, n);
	cr_assert_lt(snap.view.longest_stall_ns, 800 * IOB_NS_PER_MS);
	cr_assert_geq(snap.view.gap.ns, 700 * IOB_NS_PER_MS);
	cr_assert_lt(snap.view.total.seconds, 2.4);
	cr_assert(iob_warnings_have(&snap.warnings, "GAP"));
	cr_assert_eq(timeline_ios(), segments_ios());
}

/* A front in a process of its own: starts a run, tells who its load process is, and waits to be
 * killed.  What it leaves behind becomes ours. */
static pid_t kill_a_front(void (*begin)(void))
{
	pid_t load = 0;
	int out[2];

	cr_assert_eq(pipe(out), 0);
	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	pid_t front = fork();
	if (front == 0) {
		begin();
		if (write(out[1], &run->pid, sizeof(run->pid)) != sizeof(run->pid))
			_exit(1);
		for (;;)
			pause();
	}
	cr_assert_eq(read(out[0], &load, sizeof(load)), (ssize_t)sizeof(load));
	cr_assert_eq(kill(load, 0), 0);
	kill(front, SIGKILL);
	waitpid(front, NULL, 0);
	return load;
}

static void expect_death(pid_t load)
{
	uint64_t until = iob_now_ns() + RUN_PATIENCE_MS * IOB_NS_PER_MS;

	while (waitpid(load, NULL, WNOHANG) != load) {
		cr_assert(iob_now_ns() < until, "the load process still lives");
		iob_sleep_until(iob_now_ns() + 2 * IOB_NS_PER_MS);
	}
}

static void begin_long(void)
{
	set("runtime", "100s");
	start();
}

Test(end, does_not_outlive_the_front)
{
	expect_death(kill_a_front(begin_long));
}

static void begin_held(void)
{
	start_with((struct iob_run_config){.hold = true});
	while (!iob_run_is_ready(run))
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
}

Test(end, does_not_outlive_a_front_that_holds_it)
{
	expect_death(kill_a_front(begin_held));
}
