/* SPDX-License-Identifier: MIT */
/* How runs end: errors, requests that never return, a load process that is killed or stopped. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

/* We did not look for so long, as when we are stopped. */
static void look_away(uint64_t ms)
{
	pthread_mutex_lock(&run->lock);
	iob_sleep_until(iob_now_ns() + ms * IOB_NS_PER_MS);
	pthread_mutex_unlock(&run->lock);
}

/* Each time only some of the patience passes; it is not given back. */
Test(end, a_front_that_is_late_again_and_again_does_not_wait_for_ever)
{
	int rounds = 0;

	set("ioengine", "fault");
	set("fault_hang_at", "10");
	set("runtime", "100ms");
	start_with_grace(150);
	WAIT_FOR(snap.in_flight > 0 && snap.view.total.all.ios >= 9);
	for (; rounds < 100 && !iob_run_wait(run, 60); rounds++)
		look_away(280);
	wait_done_within(0);
	expect_outcome(IOB_OUTCOME_ABANDONED);
	cr_assert_geq(rounds, 2, "what it did not see counted as patience");
}

/* The first part of the silence was in a time in which we did not look. */
Test(end, a_silence_that_began_unseen_is_in_no_figure)
{
	set("runtime", "100s");
	start_with_grace(150);
	wait_for_io();
	kill(run->pid, SIGSTOP);
	uint64_t stopped = iob_now_ns();
	look_away(700);
	wait_done();
	expect_outcome(IOB_OUTCOME_ABANDONED);
	double ran = (double)(stopped - snap.view.t0_ns) / 1e9;
	cr_assert_lt(snap.view.total.seconds, ran + 0.35, "%.3f s of %.3f", snap.view.total.seconds,
		ran);
	cr_assert_geq(snap.view.gap.ns, 1200 * IOB_NS_PER_MS);
}

/* The second of two workers has less to do: half of its part answers at once. */
Test(end, a_worker_that_ends_early_is_no_burst_of_the_device)
{
	set("ioengine", "fault");
	set("fault_delay", "500us");
	set("fault_size", "12m");
	set("size", "16m");
	set("bs", "4k");
	set("iodepth", "1");
	set("numjobs", "2");
	set("time_based", "0");
	set("runtime", "0");
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	struct iob_segment_figures f = segment(0);
	cr_assert_eq(f.all.ios, 4096);
	cr_assert_geq(f.seconds, 1, "it has windows enough for a verdict");
	cr_assert_gt(f.thin_ms, 0);
	cr_assert_lt(f.thin_ms, f.to_ms * 9 / 10);
	cr_assert_not(iob_warnings_have(&snap.warnings, "BURST"));
	cr_assert_not(iob_warnings_have(&snap.warnings, "LITTLE"));
}

/* Each second one request, and nothing in between. */
Test(end, a_slow_rate_is_no_stall)
{
	set("rate_iops", "1");
	set("rate_process", "poisson");
	set("randseed", "11");
	set("runtime", "4s");
	start();
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_geq(snap.view.longest_stall_ns, IOB_NS_PER_S, "another randseed is needed");
	cr_assert_not(iob_warnings_have(&snap.warnings, "STALL"));
}

/* The null engine answers without a disk: then it stands for none of the sums. */
Test(end, stages_with_and_without_a_disk_have_no_sum)
{
	char file[] = "/var/tmp/iob-end-XXXXXX";
	int fd = mkstemp(file);

	cr_assert_geq(fd, 0);
	cr_assert_eq(ftruncate(fd, 1 << 20), 0);
	close(fd);
	set("runtime", "400ms");
	plan->stage[1] = plan->stage[0];
	plan->nstages = 2;
	snprintf(plan->stage[1].ioengine, sizeof(plan->stage[1].ioengine), "psync");
	snprintf(plan->stage[1].filename, sizeof(plan->stage[1].filename), "%s", file);
	plan->stage[1].iodepth = 1;
	start();
	wait_done();
	unlink(file);
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_not(iob_warnings_have(&snap.warnings, "CACHED"));
	cr_assert_str_eq(snap.limit.what, "");
}

#if defined(__x86_64__)
/* Where the load process has its clock; 0 = that cannot be told. */
static unsigned long clock_of_load(void)
{
	char line[256], path[64];
	unsigned long at = 0, base = 0;

	snprintf(line, sizeof(line), "nm '%s' 2>&1", getenv("IOB_PROGRAM"));
	FILE *nm = popen(line, "r");
	while (fgets(line, sizeof(line), nm))
		if (strstr(line, " iob_clock_scale\n"))
			at = strtoul(line, NULL, 16);
	pclose(nm);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)run->pid);
	FILE *maps = fopen(path, "r");
	if (maps && fgets(line, sizeof(line), maps))
		base = strtoul(line, NULL, 16);
	if (maps)
		fclose(maps);
	/* One that is not loaded where the linker says begins at 0 there. */
	return at < base ? base + at : at;
}

static bool set_clock_back(unsigned long clock, uint64_t counts)
{
	char path[64];
	off_t at = (off_t)(clock + offsetof(struct iob_clock, base_tsc));
	uint64_t tsc = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)run->pid);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	bool ok = fd >= 0 && pread(fd, &tsc, sizeof(tsc), at) == sizeof(tsc);
	tsc += counts;
	ok = ok && pwrite(fd, &tsc, sizeof(tsc), at) == sizeof(tsc);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* By half a minute or so, as when the machine slept.  Requests that went out by the wrong clock
 * come back by the right one. */
Test(end, a_clock_that_was_set_back_is_mended_while_the_run_goes_on)
{
	set("runtime", "1s");
	start();
	wait_for_io();
	unsigned long clock = iob_clock_scale.tsc ? clock_of_load() : 0;
	uint64_t begun = iob_now_ns();
	if (!clock || !set_clock_back(clock, UINT64_C(1) << 36))
		cr_skip_test("the load process does not read the TSC, or has no symbols");
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_lt(iob_now_ns() - begun, 15 * IOB_NS_PER_S);
	cr_assert_gt(snap.view.total.seconds, 0.7);
	cr_assert_lt(snap.view.total.seconds, 5);
	cr_assert_lt(snap.view.total.all.lat.max_ns, 5 * IOB_NS_PER_S);
	cr_assert_eq(timeline_ios(), segments_ios());
}
#endif

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
