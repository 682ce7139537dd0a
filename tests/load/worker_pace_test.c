/* SPDX-License-Identifier: MIT */
/* One worker with a rate, against an engine that keeps its own count. */
#include <config.h>

#include <criterion/criterion.h>
#include <string.h>

#include "base/clock.h"
#include "tests/support/fake_engine.h"
#include "tests/support/worker_rig.h"

#define SIZE (1000 * UINT64_C(4096))
#define MS   IOB_NS_PER_MS

static struct rig r;

static void start(const struct iob_engine *engine, unsigned depth)
{
	struct iob_error err = {0};

	cr_assert_eq(rig_start(&r, engine, depth, &err), 0, "%s", err.text);
}

static void run_for(uint64_t ns)
{
	atomic_store(&r.steer->stop_at_ns, iob_now_ns() + ns);
}

/* What always holds: each transfer of a direction with a rate is counted from its intended time,
 * too, and that is never later than its start. */
static void finish(void)
{
	rig_finish(&r);
	cr_assert_eq(fake_count.bad_calls, 0, "the worker broke the engine's contract");
	cr_assert_eq(r.last_samples, 1);
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

static void check_count(enum iob_dir dir, uint64_t expected, uint64_t slack)
{
	uint64_t ios = rig_total(&r, dir);

	cr_assert(ios + slack >= expected && ios <= expected + slack, "%s: %lu instead of %lu",
		iob_dir_name(dir), (unsigned long)ios, (unsigned long)expected);
}

static uint64_t percentile(const struct iob_hist *h, double percent)
{
	return iob_hist_percentile(h, percent, 0, UINT64_MAX);
}

Test(worker_pace, keeps_its_rate, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.rate_iops[IOB_READ] = 1000;
	fake_script.hold_ns = 200 * IOB_NS_PER_US;
	start(&fake_engine, 32);
	run_for(1000 * MS);
	finish();
	/* The slots of a second, the first one included; the start is not quite the test's. */
	check_count(IOB_READ, 1000, 5);
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, rig_total(&r, IOB_READ));
	cr_assert_lt(r.cpu_ns, 600 * MS, "waiting must not spin");
	/* Each of the grid's inner intervals has its hundred. */
	for (int i = 1; i < 9; i++)
		cr_assert(r.ios_in[i] >= 70 && r.ios_in[i] <= 130, "interval %d: %lu", i,
			(unsigned long)r.ios_in[i]);
	rig_free(&r);
}

Test(worker_pace, a_blocking_engine_keeps_its_rate, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	r.job.rate_iops[IOB_READ] = 500;
	fake_script.hold_ns = 500 * IOB_NS_PER_US;
	start(&fake_sync_engine, 1);
	run_for(1000 * MS);
	finish();
	check_count(IOB_READ, 500, 15);
	rig_free(&r);
}

Test(worker_pace, random_gaps_keep_the_mean, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.rate_iops[IOB_READ] = 5000;
	r.job.rate_process = IOB_RATE_POISSON;
	start(&fake_engine, 32);
	run_for(1000 * MS);
	finish();
	check_count(IOB_READ, 5000, 300); /* more than four standard deviations */
	rig_free(&r);
}

/* Of a stall one request tells the service latency, and all that were due meanwhile the other. */
Test(worker_pace, a_stall_is_held_against_all_slots_that_it_missed, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	r.job.rate_iops[IOB_READ] = 1000;
	fake_script.slow_every = 1000;
	fake_script.slow_ns = 600 * MS;
	start(&fake_engine, 1);
	rig_wait_completed(&r, 1000 + 700);
	rig_stop(&r);
	finish();
	/* Of 1700 and some slots 600 were late by 0 to 600 ms; one request was slow. */
	cr_assert_gt(percentile(&r.intended, 70), 30 * MS);
	cr_assert_gt(percentile(&r.intended, 90), 300 * MS);
	cr_assert_geq(r.segment[0].intended[IOB_READ].max_ns, 600 * MS);
	cr_assert_lt(percentile(&r.lat, 90), 20 * MS);
	uint64_t slow = 0, late = 0;
	for (unsigned i = iob_hist_index(100 * MS); i <= IOB_HIST_BUCKETS; i++) {
		slow += r.lat.count[i];
		late += r.intended.count[i];
	}
	cr_assert_leq(slow, 2);
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
	finish();
	cr_assert_eq(fake_count.most_in_flight, 4);
	cr_assert_leq(rig_total(&r, IOB_READ), 210);
	cr_assert_gt(r.segment[0].behind_ns, 400 * MS);
	rig_free(&r);
}

Test(worker_pace, rates_make_the_mix, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDRW, SIZE, 32);
	r.job.rate_iops[IOB_READ] = 900;
	r.job.rate_iops[IOB_WRITE] = 300;
	r.job.fsync = 50;
	start(&fake_engine, 32);
	run_for(1000 * MS);
	finish();
	check_count(IOB_READ, 900, 5);
	check_count(IOB_WRITE, 300, 5);
	cr_assert_geq(fake_count.ios[IOB_OP_FSYNC], 5);
	rig_free(&r);
}

Test(worker_pace, a_direction_without_a_rate_is_not_held, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDRW, SIZE, 4);
	r.job.rate_iops[IOB_WRITE] = 100;
	fake_script.hold_ns = 100 * IOB_NS_PER_US;
	start(&fake_engine, 4);
	run_for(500 * MS);
	finish();
	check_count(IOB_WRITE, 50, 3);
	cr_assert_gt(rig_total(&r, IOB_READ), 500);
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, 0);
	cr_assert_eq(r.segment[0].intended[IOB_WRITE].n, rig_total(&r, IOB_WRITE));
	rig_free(&r);
}

Test(worker_pace, a_rate_is_turned_on_changed_and_off, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	fake_script.hold_ns = 100 * IOB_NS_PER_US;
	start(&fake_engine, 8);
	rig_wait_completed(&r, 1000);
	struct iob_live live = r.steer->live;
	static const uint64_t rates[] = {500, 2000, 0};
	for (unsigned i = 0; i < 3; i++) {
		live.rate_iops[IOB_READ] = rates[i];
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
		iob_sleep_until(iob_now_ns() + 500 * MS);
	}
	rig_stop(&r);
	finish();
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, 0);
	cr_assert_eq(r.segment[3].intended[IOB_READ].n, 0);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t n = r.segment[i + 1].dir[IOB_READ].ios;

		cr_assert(n >= rates[i] / 2 * 9 / 10 && n <= rates[i] / 2 * 11 / 10,
			"%lu at %lu per second", (unsigned long)n, (unsigned long)rates[i]);
		cr_assert_eq(r.segment[i + 1].intended[IOB_READ].n, n);
	}
	cr_assert_gt(r.segment[3].dir[IOB_READ].ios, 5000);
	rig_free(&r);
}

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
	iob_sleep_until(iob_now_ns() + 300 * MS);
	uint64_t before = atomic_load(&r.slot->completed);
	live.paused = false;
	rig_adopt(&r, &live);
	rig_wait_completed(&r, before + 100);
	rig_stop(&r);
	finish();
	cr_assert_lt(r.segment[2].intended[IOB_READ].max_ns, 200 * MS);
	rig_free(&r);
}

Test(worker_pace, stop_ends_a_long_wait_at_once, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 1);
	r.job.rate_iops[IOB_READ] = 1;
	start(&fake_sync_engine, 1);
	rig_wait_completed(&r, 1);
	iob_sleep_until(iob_now_ns() + 5 * MS);
	uint64_t told = iob_now_ns();
	rig_stop(&r);
	finish();
	cr_assert_lt(atomic_load(&r.slot->ended_ns) - told, 60 * MS);
	cr_assert_eq(rig_total(&r, IOB_READ), 1);
	rig_free(&r);
}

Test(worker_pace, number_ios_ends_it, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	r.job.rate_iops[IOB_READ] = 2000;
	r.job.number_ios = 101;
	start(&fake_engine, 4);
	finish();
	cr_assert_eq(rig_total(&r, IOB_READ), 101);
	rig_free(&r);
}
