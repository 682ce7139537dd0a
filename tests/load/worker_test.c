/* SPDX-License-Identifier: MIT */
/* One worker against an engine that keeps its own count. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "tests/support/worker_suite.h"

static void expect_all_returned(void)
{
	cr_assert_eq(atomic_load(&r.slot->issued), atomic_load(&r.slot->completed));
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		cr_assert_eq(rig_total(&r, d), fake_count.ios[d]);
		for (unsigned s = 0; s < RIG_SEGMENTS; s++)
			cr_assert_eq(r.segment[s].dir[d].issued, r.segment[s].dir[d].ios);
	}
}

Test(worker, counts_what_the_engine_counts, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDRW, SIZE, 32);
	fake_script.short_every = 100;
	start(&fake_engine, 32);
	rig_wait_completed(&r, 200000);
	rig_stop(&r);
	finish();
	expect_all_returned();
	const struct iob_dir_counts *read = &r.segment[0].dir[IOB_READ];
	const struct iob_dir_counts *write = &r.segment[0].dir[IOB_WRITE];
	cr_assert_eq(read->shorts + write->shorts, fake_count.shorts);
	cr_assert_eq(read->bytes + write->bytes,
		(read->ios + write->ios) * 4096 - fake_count.shorts * 2048);
	cr_assert_eq(fake_count.most_in_flight, 32);
	cr_assert_eq(fake_count.stamped, fake_count.ios[IOB_WRITE]);
	cr_assert_gt(r.cpu_ns, 0);
	cr_assert_str_eq(r.slot->engine_flags, "fake");
	cr_assert_eq(r.slot->error.code, 0);
	rig_free(&r);
}

Test(worker, ends_after_number_ios, .timeout = 60)
{
	static const unsigned depths[] = {1, 7, 32};

	for (unsigned i = 0; i < 3; i++) {
		memset(&fake_count, 0, sizeof(fake_count));
		rig_init(&r, IOB_RW_RANDREAD, SIZE, depths[i]);
		r.job.number_ios = 1001;
		start(&fake_engine, depths[i]);
		finish();
		cr_assert_eq(fake_count.ios[IOB_READ], 1001);
		expect_all_returned();
		cr_assert_gt(atomic_load(&r.slot->ended_ns), 0);
		rig_free(&r);
	}
}

Test(worker, ends_when_the_size_is_done, .timeout = 60)
{
	rig_init(&r, IOB_RW_READ, SIZE, 16);
	r.job.time_based = false;
	start(&fake_engine, 16);
	finish();
	cr_assert_eq(fake_count.ios[IOB_READ], 1000);
	expect_all_returned();
	rig_free(&r);
}

Test(worker, ends_at_the_given_time, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	fake_script.hold_ns = 1 * IOB_NS_PER_MS;
	uint64_t stop_at = iob_now_ns() + 250 * IOB_NS_PER_MS;
	atomic_store(&r.steer->stop_at_ns, stop_at);
	start(&fake_engine, 4);
	finish();
	expect_all_returned();
	cr_assert_geq(atomic_load(&r.slot->ended_ns), stop_at);
	rig_free(&r);
}

Test(worker, splits_segments_by_issue, .timeout = 60)
{
	struct iob_live live;

	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	fake_script.hold_ns = 50 * IOB_NS_PER_US;
	fake_script.slow_every = 10;
	fake_script.slow_ns = 5 * IOB_NS_PER_MS;
	start(&fake_engine, 64);
	live = r.steer->live;
	for (unsigned generation = 1; generation <= 8; generation++) {
		rig_wait_completed(&r, atomic_load(&r.slot->completed) + 1000);
		/* The length of a request tells under which parameters it was issued. */
		live.bs[IOB_READ].min = live.bs[IOB_READ].max = 4096 * (1 + generation);
		live.iodepth = generation % 2 ? 8 : 64;
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
		cr_assert_eq(atomic_load(&r.slot->depth), live.iodepth);
		cr_assert_eq(atomic_load(&r.slot->adopt_error), 0);
	}
	rig_wait_completed(&r, atomic_load(&r.slot->completed) + 1000);
	rig_stop(&r);
	finish();
	expect_all_returned();
	cr_assert_eq(fake_count.most_in_flight, 64);
	for (unsigned s = 0; s <= 8; s++) {
		const struct iob_dir_counts *c = &r.segment[s].dir[IOB_READ];

		cr_assert_gt(c->ios, 0);
		cr_assert_eq(c->ios, fake_count.by_kib[IOB_READ][4 * (1 + s)]);
		cr_assert_eq(c->bytes, c->ios * 4096 * (1 + s));
	}
	rig_free(&r);
}

/* Smaller blocks and depths need no other buffers, so requests of three segments meet. */
Test(worker, requests_in_flight_stay_in_their_segment, .timeout = 60)
{
	struct iob_live live;

	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.bs[IOB_READ] = (struct iob_range){UINT64_C(4096) * 16, UINT64_C(4096) * 16};
	fake_script.hold_ns = 50 * IOB_NS_PER_US;
	fake_script.slow_every = 10;
	fake_script.slow_ns = 20 * IOB_NS_PER_MS;
	start(&fake_engine, 32);
	live = r.steer->live;
	for (unsigned generation = 1; generation < RIG_SEGMENTS; generation++) {
		rig_wait_completed(&r, atomic_load(&r.slot->completed) + 20);
		live.bs[IOB_READ].min = live.bs[IOB_READ].max = UINT64_C(4096) * (16 - generation);
		live.iodepth = generation % 2 ? 8 : 32;
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
	}
	rig_stop(&r);
	finish();
	expect_all_returned();
	cr_assert_eq(fake_count.arena_moves, 0);
	for (unsigned s = 0; s < RIG_SEGMENTS; s++) {
		const struct iob_dir_counts *c = &r.segment[s].dir[IOB_READ];

		cr_assert_eq(c->ios, fake_count.by_kib[IOB_READ][4 * (16 - s)], "segment %u", s);
		cr_assert_eq(c->bytes, c->ios * 4096 * (16 - s));
	}
	rig_free(&r);
}

Test(worker, quick_changes_of_mix_lose_nothing, .timeout = 60)
{
	struct iob_live live;

	rig_init(&r, IOB_RW_RANDRW, SIZE, 32);
	start(&fake_engine, 32);
	live = r.steer->live;
	for (unsigned i = 1; i < RIG_SEGMENTS; i++) {
		live.rwmixread = i % 2 ? 100 : 0;
		rig_adopt(&r, &live);
		rig_wait_acked(&r);
		rig_wait_completed(&r, atomic_load(&r.slot->completed) + 500);
	}
	rig_stop(&r);
	finish();
	expect_all_returned();
	for (unsigned s = 1; s < RIG_SEGMENTS; s++) {
		cr_assert_gt(r.segment[s].dir[s % 2 ? IOB_READ : IOB_WRITE].ios, 0);
		cr_assert_eq(r.segment[s].dir[s % 2 ? IOB_WRITE : IOB_READ].ios, 0);
	}
	rig_free(&r);
}

Test(worker, keeps_the_old_parameters_when_memory_is_short, .timeout = 60)
{
	struct iob_live live;

	rig_init(&r, IOB_RW_RANDREAD, SIZE, 4);
	fake_script.refuse_arena = ENOMEM;
	start(&fake_engine, 64);
	live = r.steer->live;
	live.iodepth = 64;
	rig_adopt(&r, &live);
	rig_wait_acked(&r);
	cr_assert_eq(atomic_load(&r.slot->adopt_error), ENOMEM);
	cr_assert_eq(atomic_load(&r.slot->depth), 4);
	cr_assert_geq(fake_count.arena_moves, 2, "the engine must be given the old arena again");
	rig_wait_completed(&r, atomic_load(&r.slot->completed) + 1000);
	/* A block larger than the region is refused as well. */
	live.iodepth = 2;
	live.bs[IOB_READ].min = live.bs[IOB_READ].max = SIZE * 2;
	rig_adopt(&r, &live);
	rig_wait_acked(&r);
	cr_assert_eq(atomic_load(&r.slot->adopt_error), ERANGE);
	rig_stop(&r);
	finish();
	expect_all_returned();
	cr_assert_eq(fake_count.most_in_flight, 4);
	rig_free(&r);
}

Test(worker, pause_submits_nothing_and_pushes_on, .timeout = 60)
{
	struct iob_live live;

	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	fake_script.hold_ns = 10 * IOB_NS_PER_US;
	start(&fake_engine, 8);
	rig_wait_completed(&r, 100);
	live = r.steer->live;
	live.paused = true;
	rig_adopt(&r, &live);
	rig_wait_acked(&r);
	while (atomic_load(&r.slot->issued) != atomic_load(&r.slot->completed))
		;
	uint64_t issued = atomic_load(&r.slot->issued);
	unsigned samples = r.samples;
	while (r.samples < samples + 4)
		rig_read(&r);
	cr_assert_eq(atomic_load(&r.slot->issued), issued);
	cr_assert_eq(r.segment[1].dir[IOB_READ].issued, 0);
	live.paused = false;
	rig_adopt(&r, &live);
	rig_wait_completed(&r, issued + 100);
	rig_stop(&r);
	finish();
	expect_all_returned();
	cr_assert_gt(r.segment[2].dir[IOB_READ].ios, 0);
	rig_free(&r);
}

Test(worker, stop_ends_a_pause, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 8);
	start(&fake_engine, 8);
	struct iob_live live = r.steer->live;
	live.paused = true;
	rig_adopt(&r, &live);
	rig_wait_acked(&r);
	rig_stop(&r);
	finish();
	expect_all_returned();
	rig_free(&r);
}

Test(worker, a_late_reader_loses_nothing, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDRW, SIZE, 4);
	fake_script.hold_ns = 200 * IOB_NS_PER_US;
	/* Leave no room: every push is refused until the reader comes. */
	atomic_store(&r.ring->head, 0);
	r.ring->tail = r.ring->tail_seen = IOB_RING_BYTES;
	start(&fake_engine, 4);
	uint64_t until = iob_now_ns() + 450 * IOB_NS_PER_MS;
	while (iob_now_ns() < until)
		iob_sleep_until(until);
	atomic_store(&r.ring->head, IOB_RING_BYTES);
	rig_stop(&r);
	finish();
	expect_all_returned();
	cr_assert_geq(r.merged, 1);
	rig_free(&r);
}

Test(worker, a_blocking_engine_fills_its_stall_with_zeros, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	fake_script.hold_ns = 350 * IOB_NS_PER_MS;
	r.job.number_ios = 2;
	start(&fake_sync_engine, 32);
	finish();
	cr_assert_eq(atomic_load(&r.slot->depth), 1);
	cr_assert_eq(fake_count.most_in_flight, 1);
	cr_assert_eq(rig_total(&r, IOB_READ), 2);
	/* Started in interval 0, reaped in 3 and 7 (or a little later). */
	cr_assert_eq(r.ios_in[0] + r.ios_in[1] + r.ios_in[2], 0);
	cr_assert_geq(r.last_interval, 7);
	cr_assert_geq(r.merged, 2);
	cr_assert_eq(r.merged_ios, 0, "the stall and what ended it must be told apart");
	rig_free(&r);
}

Test(worker, syncs_after_so_many_writes, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDWRITE, SIZE, 4);
	r.job.number_ios = 1000;
	r.job.fsync = 10;
	r.job.fdatasync = 100;
	r.job.sync_file_range = (struct iob_sync_range){.flags = 2, .every = 50};
	start(&fake_engine, 4);
	finish();
	cr_assert_eq(fake_count.ios[IOB_OP_WRITE], 1000);
	cr_assert_eq(fake_count.ios[IOB_OP_FSYNC], 100);
	cr_assert_eq(fake_count.ios[IOB_OP_FDATASYNC], 10);
	cr_assert_eq(fake_count.ios[IOB_OP_SYNC_FILE_RANGE], 20);
	cr_assert_eq(r.segment[0].syncs, 130);
	cr_assert_eq(r.segment[0].dir[IOB_WRITE].ios, 1000);
	rig_free(&r);
}

Test(worker, submits_in_batches_of_the_given_size, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.number_ios = 3200;
	r.job.iodepth_batch = 4;
	fake_script.hold_ns = 300 * IOB_NS_PER_US;
	start(&fake_engine, 32);
	finish();
	cr_assert_geq(fake_count.queue_calls, 800);
	cr_assert_eq(fake_count.most_in_flight, 32);
	expect_all_returned();
	rig_free(&r);
}

Test(worker, memory_is_announced, .timeout = 60)
{
	rig_init(&r, IOB_RW_RANDREAD, SIZE, 32);
	r.job.bs[IOB_READ] = (struct iob_range){1 << 20, 1 << 20};
	uint64_t bytes = iob_worker_memory(&r.job, 64, &fake_engine);
	cr_assert(bytes > UINT64_C(32) << 20 && bytes < UINT64_C(33) << 20);
	r.job.lockmem = UINT64_C(1) << 30;
	cr_assert_eq(iob_worker_memory(&r.job, 64, &fake_engine), bytes + (UINT64_C(1) << 30));
	cr_assert_lt(
		iob_worker_memory(&r.job, 64, &fake_sync_engine), (UINT64_C(1) << 30) + (2 << 20));
	rig_free(&r);
}
