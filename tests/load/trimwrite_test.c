/* SPDX-License-Identifier: MIT */
/* rw=trimwrite: the pattern alone, and a worker against an engine that knows of each block whether
 * it was trimmed. */
#include <config.h>

#include <criterion/criterion.h>
#include <string.h>

#include "base/clock.h"
#include "load/pace.h"
#include "tests/support/fake_engine.h"
#include "tests/support/worker_rig.h"

#define BLOCK  UINT64_C(4096)
#define BLOCKS 500
#define SIZE   (BLOCKS * BLOCK)
#define MS     IOB_NS_PER_MS

static struct rig r;
static struct iob_engine strict;
static struct iob_detail detailed;

/* What the engine has seen of each block; the worker's thread writes, the test reads at the end. */
static struct {
	unsigned trims_out[BLOCKS], trimmed[BLOCKS], written[BLOCKS];
	unsigned early; /* writes of blocks whose trim had not come back */
	unsigned other; /* writes that are not as long as their trim */
	uint32_t length[BLOCKS];
} seen;

static void strict_queue(void *state, struct iob_req *const *reqs, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t at = reqs[i]->offset / BLOCK;

		if (reqs[i]->op == IOB_OP_TRIM) {
			seen.trims_out[at]++;
			seen.length[at] = reqs[i]->length;
		}
		if (reqs[i]->op == IOB_OP_WRITE) {
			seen.early += seen.written[at] >= seen.trimmed[at];
			seen.other += reqs[i]->length != seen.length[at];
			seen.written[at]++;
		}
	}
	fake_engine.queue(state, reqs, n);
}

static int strict_reap(
	void *state, struct iob_req **done, unsigned min, unsigned max, uint64_t timeout_ns)
{
	int n = fake_engine.reap(state, done, min, max, timeout_ns);

	for (int i = 0; i < n; i++)
		if (done[i]->op == IOB_OP_TRIM)
			seen.trimmed[done[i]->offset / BLOCK]++;
	return n;
}

static void begin(uint32_t rw, unsigned depth)
{
	memset(&seen, 0, sizeof(seen));
	memset(&fake_count, 0, sizeof(fake_count));
	strict = fake_engine;
	strict.queue = strict_queue;
	strict.reap = strict_reap;
	fake_script.hold_ns = 20 * IOB_NS_PER_US;
	fake_script.slow_every = 7;
	fake_script.slow_ns = 200 * IOB_NS_PER_US;
	rig_init(&r, rw, SIZE, depth);
}

static void start(unsigned depth)
{
	struct iob_error err = {0};

	cr_assert_eq(rig_start(&r, &strict, depth, &err), 0, "%s", err.text);
}

static void finish(void)
{
	rig_finish(&r);
	cr_assert_eq(fake_count.bad_calls, 0);
	cr_assert_eq(seen.early, 0, "%u writes before their trims were back", seen.early);
	cr_assert_eq(seen.other, 0);
	cr_assert_eq(rig_total(&r, IOB_TRIM), fake_count.ios[IOB_TRIM]);
	cr_assert_eq(rig_total(&r, IOB_WRITE), fake_count.ios[IOB_WRITE]);
	cr_assert_eq(r.slot->error.code, 0, "%s", r.slot->error.text);
}

/* detail: with the loop of fio's statistics. */
static void cover(uint32_t rw, unsigned depth, bool detail)
{
	begin(rw, depth);
	r.job.time_based = false;
	if (detail)
		r.detail = &detailed;
	start(depth);
	finish();
	for (unsigned i = 0; i < BLOCKS; i++) {
		cr_assert_eq(seen.trimmed[i], 1, "block %u: %u trims", i, seen.trimmed[i]);
		cr_assert_eq(seen.written[i], 1, "block %u: %u writes", i, seen.written[i]);
	}
	rig_free(&r);
}

Test(trimwrite, each_block_is_trimmed_and_then_written_once, .timeout = 60)
{
	static const unsigned depths[] = {1, 3, 32};

	for (unsigned i = 0; i < 6; i++) {
		cover(IOB_RW_TRIMWRITE, depths[i / 2], i % 2);
		cover(IOB_RW_RANDTRIMWRITE, depths[i / 2], i % 2);
	}
}

Test(trimwrite, number_ios_counts_blocks, .timeout = 60)
{
	for (unsigned depth = 1; depth <= 16; depth *= 16) {
		begin(IOB_RW_TRIMWRITE, depth);
		r.job.number_ios = 33;
		start(depth);
		finish();
		cr_assert_eq(rig_total(&r, IOB_TRIM), 33);
		cr_assert_eq(rig_total(&r, IOB_WRITE), 33);
		rig_free(&r);
	}
}

Test(trimwrite, io_size_counts_what_is_written, .timeout = 60)
{
	begin(IOB_RW_RANDTRIMWRITE, 8);
	r.job.time_based = false;
	r.job.io_size.bytes = 2 * SIZE;
	start(8);
	finish();
	cr_assert_eq(rig_total(&r, IOB_TRIM), 2 * BLOCKS);
	cr_assert_eq(rig_total(&r, IOB_WRITE), 2 * BLOCKS);
	rig_free(&r);
}

Test(trimwrite, writes_are_as_long_as_their_trims, .timeout = 60)
{
	begin(IOB_RW_TRIMWRITE, 8);
	r.job.time_based = false;
	r.job.bs[IOB_TRIM] = (struct iob_range){BLOCK, 4 * BLOCK};
	start(8);
	finish();
	cr_assert_eq(rig_total(&r, IOB_TRIM), rig_total(&r, IOB_WRITE));
	cr_assert_lt(rig_total(&r, IOB_TRIM), BLOCKS);
	cr_assert_eq(r.segment[0].dir[IOB_WRITE].bytes, SIZE);
	rig_free(&r);
}

Test(trimwrite, a_sync_follows_each_write, .timeout = 60)
{
	begin(IOB_RW_TRIMWRITE, 8);
	r.job.time_based = false;
	r.job.fsync = 2;
	start(8);
	finish();
	cr_assert_eq(fake_count.ios[IOB_OP_FSYNC], BLOCKS / 2);
	rig_free(&r);
}

Test(trimwrite, ends_at_the_given_time, .timeout = 60)
{
	begin(IOB_RW_RANDTRIMWRITE, 8);
	atomic_store(&r.steer->stop_at_ns, iob_now_ns() + 100 * MS);
	start(8);
	finish();
	uint64_t trims = rig_total(&r, IOB_TRIM), writes = rig_total(&r, IOB_WRITE);
	cr_assert_gt(writes, 0);
	cr_assert(trims >= writes && trims <= writes + 8, "%lu trims, %lu writes",
		(unsigned long)trims, (unsigned long)writes);
	rig_free(&r);
}

/* Turned back and forth with trims in flight: nothing is written that was not trimmed, no buffer is
 * too short, and it goes on. */
Test(trimwrite, can_be_turned, .timeout = 60)
{
	static const uint32_t kinds[] = {
		IOB_RW_RANDTRIM, IOB_RW_TRIMWRITE, IOB_RW_RANDREAD, IOB_RW_RANDTRIMWRITE};
	struct iob_live live;

	begin(IOB_RW_TRIMWRITE, 16);
	start(16);
	live = r.steer->live;
	for (unsigned i = 0; i < RIG_SEGMENTS - 1; i++) {
		live.rw = kinds[i % 4];
		live.bs[IOB_TRIM].max = live.bs[IOB_TRIM].min = BLOCK * (1 + i % 3);
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
		cr_assert_eq(atomic_load(&r.slot->adopt_error), 0);
		rig_wait_completed(&r, atomic_load(&r.slot->completed) + 100);
	}
	rig_stop(&r);
	rig_finish(&r);
	cr_assert_eq(fake_count.bad_calls, 0);
	cr_assert_gt(rig_total(&r, IOB_WRITE), 0);
	cr_assert_geq(rig_total(&r, IOB_TRIM), rig_total(&r, IOB_WRITE));
	rig_free(&r);
}

Test(trimwrite, the_slower_rate_holds_for_both, .timeout = 60)
{
	begin(IOB_RW_TRIMWRITE, 8);
	r.job.rate_iops[IOB_TRIM] = 5000;
	r.job.rate_iops[IOB_WRITE] = 200;
	r.job.number_ios = 20;
	uint64_t from = iob_now_ns();
	start(8);
	finish();
	uint64_t ms = (atomic_load(&r.slot->ended_ns) - from) / MS;
	cr_assert_eq(rig_total(&r, IOB_WRITE), 20);
	cr_assert_geq(ms, 90, "%lu ms", (unsigned long)ms);
	cr_assert_eq(r.segment[0].intended[IOB_TRIM].n, 20);
	cr_assert_eq(r.segment[0].intended[IOB_WRITE].n, 0);
	rig_free(&r);
}

Test(trimwrite, a_rate_of_bytes_is_compared_by_the_requests, .timeout = 10)
{
	struct iob_live live = {.rw = IOB_RW_TRIMWRITE, .rate_iops = {0, 0, 100}};
	struct iob_pace_share alone = {0, 1};
	struct iob_job job = {.rw = IOB_RW_TRIMWRITE};
	struct iob_pace p;

	live.bs[IOB_TRIM] = (struct iob_range){BLOCK, BLOCK};
	live.rate_bytes[IOB_WRITE] = 50 * BLOCK;
	iob_pace_init(&p, &job, 1, 0);
	iob_pace_start(&p, &live, alone, 0);
	cr_assert_eq(iob_pace_take(&p, IOB_TRIM, BLOCK), 0);
	cr_expect_eq(iob_pace_next_ns(&p), 20 * MS);
	cr_expect_eq(iob_pace_due(&p, 20 * MS - 1), IOB_NDIR);
	live.rate_bytes[IOB_WRITE] = 200 * BLOCK;
	iob_pace_start(&p, &live, alone, 0);
	iob_pace_take(&p, IOB_TRIM, BLOCK);
	cr_expect_eq(iob_pace_next_ns(&p), 10 * MS);
}
