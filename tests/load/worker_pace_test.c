/* SPDX-License-Identifier: MIT */
/*
 * One worker with a rate, against an engine that keeps its own count.  A machine that is busy or
 * stalls makes a worker late, never wrong: counts are judged over the time that the run itself
 * took, less what it says it was behind.  That it is hardly behind has three attempts.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "tests/support/worker_suite.h"

#define MS IOB_NS_PER_MS

/* How late a sleeper is woken on this machine meanwhile; the median. */
static uint64_t machine_late_ns;

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void run_for(uint64_t ns)
{
	uint64_t now = iob_now_ns(), stop = now + ns, late[100];
	size_t n = 0;

	atomic_store(&r.steer->stop_at_ns, stop);
	for (uint64_t at = now; at < stop && n < 100; at += 10 * MS) {
		iob_sleep_until(at);
		now = iob_now_ns();
		late[n++] = now > at ? now - at : 0;
	}
	qsort(late, n, sizeof(late[0]), ascending);
	machine_late_ns = late[n / 2];
}

/* Of the schedule: from the first request to the end. */
static uint64_t span_ns(void)
{
	return atomic_load(&r.steer->stop_at_ns) - atomic_load(&fake_count.first_ns);
}

/* What always holds: each transfer of a direction with a rate is counted from its intended time,
 * too, and that is never later than its start. */
static void finish_paced(void)
{
	finish();
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		uint64_t ios = rig_total(&r, (enum iob_dir)d), n = 0, hist = 0, sum = 0, lat = 0;

		for (unsigned s = 0; s < RIG_SEGMENTS; s++) {
			n += r.segment[s].intended[d].n;
			hist += r.segment[s].intended_total[d];
			sum += r.segment[s].intended[d].sum_ns;
			lat += r.segment[s].dir[d].sum_ns;
		}
		cr_assert_eq(n, hist, "histogram and count differ");
		cr_assert_eq(ios, fake_count.ios[d]);
		if (n)
			cr_assert_geq(sum, n == ios ? lat : 0);
	}
}

/* No slot is taken before it is due, and the oldest one that was not taken had been due for so long
 * as the worker says it is behind.  slack: of random gaps. */
static void check_rate(enum iob_dir dir, uint64_t rate, double slack)
{
	double ios = (double)rig_total(&r, dir), asked = (double)rate / 1e9;
	double behind = (double)r.segment[0].behind_ns,
	       start = (double)atomic_load(&r.steer->t0_ns);
	double most = asked * ((double)atomic_load(&r.steer->stop_at_ns) - start) + 1;
	double fewest = asked * ((double)span_ns() - behind) - 1;

	cr_assert(ios >= fewest - slack && ios <= most + slack, "%s: %.0f, not %.0f to %.0f",
		iob_dir_name(dir), ios, fewest, most);
}

static uint64_t percentile(const struct iob_hist *h, double percent)
{
	return iob_hist_percentile(h, percent, 0, UINT64_MAX);
}

/* Half of the reads went out when they were due, as far as this machine wakes anybody in time
 * (gathered at the end of each 100 ms they would be 50 ms late), and at the end little was owed. */
static bool is_in_time(void)
{
	return percentile(&r.intended, 50) < 25 * MS + 2 * machine_late_ns &&
	       r.segment[0].behind_ns < span_ns() / 2;
}

#define IN_ONE_OF_THREE_ATTEMPTS(name, attempt)                                                    \
	Test(worker_pace, name, .timeout = 60)                                                     \
	{                                                                                          \
		for (unsigned i_ = 1; attempt(), !is_in_time(); i_++) {                            \
			cr_assert_lt(i_, 3,                                                        \
				"half are %.1f ms late, the machine %.1f; the end %.1f",           \
				(double)percentile(&r.intended, 50) / 1e6,                         \
				(double)machine_late_ns / 1e6,                                     \
				(double)r.segment[0].behind_ns / 1e6);                             \
			rig_free(&r);                                                              \
			memset(&fake_count, 0, sizeof(fake_count));                                \
		}                                                                                  \
		rig_free(&r);                                                                      \
	}

/* At no boundary of the grid has more come back than was due by then. */
static void check_never_early(uint64_t rate)
{
	uint64_t ios = 0;

	for (uint32_t i = 0; i <= r.last_interval; i++) {
		double passed = (double)(i + 1) * (double)IOB_INTERVAL_NS;
		double due = (double)rate * passed / 1e9 + 1;

		ios += r.ios_in[i % RIG_INTERVALS];
		cr_assert_leq((double)ios, due, "after interval %u", i);
	}
}

static void run_at_a_rate(void)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.rate_iops[IOB_READ] = 1000;
	fake_script.hold_ns = 200 * IOB_NS_PER_US;
	start(&fake_engine, 32);
	run_for(1000 * MS);
	finish_paced();
	check_rate(IOB_READ, 1000, 0);
	check_never_early(1000);
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, rig_total(&r, IOB_READ));
	uint64_t took = atomic_load(&r.slot->ended_ns) - atomic_load(&r.steer->t0_ns);
	cr_assert_lt(r.cpu_ns, took * 6 / 10, "waiting must not spin");
}

IN_ONE_OF_THREE_ATTEMPTS(keeps_its_rate, run_at_a_rate)

static void run_blocking(void)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	r.job.rate_iops[IOB_READ] = 200;
	fake_script.hold_ns = 500 * IOB_NS_PER_US;
	start(&fake_sync_engine, 1);
	run_for(1000 * MS);
	finish_paced();
	check_rate(IOB_READ, 200, 0);
	check_never_early(200);
}

IN_ONE_OF_THREE_ATTEMPTS(a_blocking_engine_keeps_its_rate, run_blocking)

static void run_at_random(void)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.rate_iops[IOB_READ] = 5000;
	r.job.rate_process = IOB_RATE_POISSON;
	start(&fake_engine, 32);
	run_for(1000 * MS);
	finish_paced();
	check_rate(IOB_READ, 5000, 300); /* more than four standard deviations */
}

IN_ONE_OF_THREE_ATTEMPTS(random_gaps_keep_the_mean, run_at_random)

/* Of a stall one request tells the service latency, and all that were due meanwhile the other. */
Test(worker_pace, a_stall_is_held_against_all_slots_that_it_missed, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	r.job.rate_iops[IOB_READ] = 1000;
	r.job.number_ios = 1700;
	fake_script.slow_every = 1000;
	fake_script.slow_ns = 600 * MS;
	start(&fake_engine, 1);
	finish_paced();
	/* 600 slots were late by 0 to 600 ms; one request was slow. */
	cr_assert_gt(percentile(&r.intended, 70), 30 * MS);
	cr_assert_gt(percentile(&r.intended, 90), 300 * MS);
	cr_assert_geq(r.segment[0].intended[IOB_READ].max_ns, 600 * MS);
	cr_assert_lt(percentile(&r.lat, 90), 20 * MS);
	uint64_t slow = 0, late = 0;
	for (unsigned i = iob_hist_index(100 * MS); i <= IOB_HIST_BUCKETS; i++) {
		slow += r.lat.count[i];
		late += r.intended.count[i];
	}
	cr_assert_geq(slow, 1);
	cr_assert_leq(slow, 10, "the machine may have stalls of its own, but not %lu",
		(unsigned long)slow);
	cr_assert_geq(late, 450, "only %lu", (unsigned long)late);
	rig_free(&r);
}

Test(worker_pace, what_cannot_be_reached_is_behind_and_depth_stays_the_bound, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	r.job.rate_iops[IOB_READ] = 10000;
	fake_script.hold_ns = 10 * MS; /* 4 / 10 ms: at most 400 per second */
	start(&fake_engine, 4);
	run_for(500 * MS);
	finish_paced();
	cr_assert_eq(fake_count.most_in_flight, 4);
	cr_assert_leq(rig_total(&r, IOB_READ), 4 * (span_ns() / (10 * MS) + 1));
	/* 400 of 10,000: the schedule stands where it was after a 25th of the time. */
	cr_assert_gt(r.segment[0].behind_ns, span_ns() * 9 / 10);
	rig_free(&r);
}

static void run_mixed(void)
{
	rig_init(&r, IOB_RW_RANDRW, SIZE, 32);
	r.job.rate_iops[IOB_READ] = 900;
	r.job.rate_iops[IOB_WRITE] = 300;
	r.job.fsync = 50;
	start(&fake_engine, 32);
	run_for(1000 * MS);
	finish_paced();
	check_rate(IOB_READ, 900, 0);
	check_rate(IOB_WRITE, 300, 0);
	/* One may have been due at the very end. */
	cr_assert_geq(fake_count.ios[IOB_OP_FSYNC], (rig_total(&r, IOB_WRITE) - 1) / 50);
	cr_assert_leq(fake_count.ios[IOB_OP_FSYNC], rig_total(&r, IOB_WRITE) / 50);
}

IN_ONE_OF_THREE_ATTEMPTS(rates_make_the_mix, run_mixed)

static void run_half_paced(void)
{
	rig_init(&r, IOB_RW_RANDRW, SIZE, 4);
	r.job.rate_iops[IOB_WRITE] = 100;
	fake_script.hold_ns = 100 * IOB_NS_PER_US;
	start(&fake_engine, 4);
	run_for(500 * MS);
	finish_paced();
	check_rate(IOB_WRITE, 100, 0);
	/* Four at a time, thousands in a second. */
	cr_assert_gt(rig_total(&r, IOB_READ), 4 * rig_total(&r, IOB_WRITE));
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, 0);
	cr_assert_eq(r.segment[0].intended[IOB_WRITE].n, rig_total(&r, IOB_WRITE));
}

IN_ONE_OF_THREE_ATTEMPTS(a_direction_without_a_rate_is_not_held, run_half_paced)

Test(worker_pace, a_rate_is_turned_on_changed_and_off, .timeout = 60)
{
	static const uint64_t rates[] = {500, 2000, 0};
	uint64_t told[3], acked[3];

	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	fake_script.hold_ns = 100 * IOB_NS_PER_US;
	start(&fake_engine, 8);
	rig_wait_completed(&r, 1000);
	struct iob_live live = r.steer->live;
	for (unsigned i = 0; i < 3; i++) {
		live.rate_iops[IOB_READ] = rates[i];
		told[i] = iob_now_ns();
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
		acked[i] = iob_now_ns();
		iob_sleep_until(acked[i] + 500 * MS);
	}
	rig_wait_completed(&r, atomic_load(&r.slot->completed) + 5000);
	rig_stop(&r);
	finish_paced();
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, 0);
	cr_assert_eq(r.segment[3].intended[IOB_READ].n, 0);
	for (unsigned i = 0; i < 2; i++) {
		const struct rig_sum *s = &r.segment[i + 1];
		double n = (double)s->dir[IOB_READ].ios, rate = (double)rates[i] / 1e9;
		double most = rate * (double)(acked[i + 1] - told[i]);
		double fewest = rate * ((double)(told[i + 1] - acked[i]) - (double)s->behind_ns);

		cr_assert(n >= fewest * 9 / 10 && n <= most + 1,
			"%.0f at %lu per second, not %.0f to %.0f", n, (unsigned long)rates[i],
			fewest, most);
		cr_assert_lt(s->behind_ns, 400 * MS);
		cr_assert_eq(s->intended[IOB_READ].n, s->dir[IOB_READ].ios);
	}
	rig_free(&r);
}

/* The pause is longer than any other reason to be late. */
Test(worker_pace, a_pause_is_no_lateness, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	r.job.rate_iops[IOB_READ] = 1000;
	start(&fake_engine, 8);
	rig_wait_completed(&r, 100);
	struct iob_live live = r.steer->live;
	live.paused = true;
	rig_adopt(&r, &live);
	rig_wait_acked(&r);
	iob_sleep_until(iob_now_ns() + 1000 * MS);
	uint64_t before = atomic_load(&r.slot->completed);
	live.paused = false;
	rig_adopt(&r, &live);
	rig_wait_completed(&r, before + 100);
	rig_stop(&r);
	finish_paced();
	cr_assert_lt(r.segment[2].intended[IOB_READ].max_ns, 800 * MS);
	rig_free(&r);
}

/* How long it takes a worker to end that waits for a slot in a second. */
static uint64_t stopped_after_ns(void)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	r.job.rate_iops[IOB_READ] = 1;
	start(&fake_sync_engine, 1);
	rig_wait_completed(&r, 1);
	iob_sleep_until(iob_now_ns() + 5 * MS);
	uint64_t told = iob_now_ns();
	rig_stop(&r);
	finish_paced();
	uint64_t ended = atomic_load(&r.slot->ended_ns);
	cr_assert_eq(rig_total(&r, IOB_READ), 1);
	rig_free(&r);
	return ended > told ? ended - told : 0;
}

/* Without being woken it would look at the next boundary of the grid, 90 ms later; one that is
 * woken may wait for a busy CPU, but not each time. */
Test(worker_pace, stop_ends_a_long_wait_at_once, .timeout = 60)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < 5 && least >= 60 * MS; i++) {
		uint64_t ns;

		memset(&fake_count, 0, sizeof(fake_count));
		ns = stopped_after_ns();
		least = ns < least ? ns : least;
	}
	cr_assert_lt(least, 60 * MS);
}

Test(worker_pace, number_ios_ends_it, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	r.job.rate_iops[IOB_READ] = 2000;
	r.job.number_ios = 101;
	start(&fake_engine, 4);
	finish_paced();
	cr_assert_eq(rig_total(&r, IOB_READ), 101);
	rig_free(&r);
}
