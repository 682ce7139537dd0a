/* SPDX-License-Identifier: MIT */
/* The statistics of fio's reports, from one worker against an engine that keeps its own count. */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/param.h"
#include "tests/support/fake_engine.h"
#include "tests/support/worker_rig.h"

#define SIZE (1000 * UINT64_C(4096))

static struct rig r;
static struct iob_detail detail;

static void begin(uint32_t rw, unsigned depth)
{
	rig_init(&r, rw, SIZE, depth);
	r.detail = &detail;
}

static void run(const struct iob_engine *engine, uint64_t ios)
{
	struct iob_error err = {0};

	r.job.number_ios = ios;
	cr_assert_eq(rig_start(&r, engine, (unsigned)r.job.iodepth, &err), 0, "%s", err.text);
	rig_finish(&r);
	cr_assert_eq(fake_count.bad_calls, 0, "the worker broke the engine's contract");
	for (unsigned d = 0; d < IOB_NDIR; d++) {
		const struct iob_detail_dir *dir = &detail.dir[d];

		cr_assert_eq(dir->ios, rig_total(&r, d), "samples and details differ");
		cr_assert_eq(dir->lat.moments.n, dir->ios);
		cr_assert_eq(dir->lat.hist.total, dir->ios);
		cr_assert_eq(dir->clat.moments.n, dir->ios);
		cr_assert_eq(dir->clat.hist.total, dir->ios);
	}
}

Test(worker_detail, spans_begin_and_end_where_fio_has_them, .timeout = 20)
{
	const struct iob_detail_dir *read = &detail.dir[IOB_READ];

	begin(IOB_RW_RANDREAD, 4);
	fake_script.submit_ns = 200000;
	fake_script.hold_ns = 2000000;
	run(&fake_engine, 100);
	cr_assert_eq(read->ios, 100);
	cr_assert_eq(read->issued, 100);
	cr_assert_eq(read->bytes, 409600);
	cr_assert_eq(read->issued_bytes, 409600);
	cr_assert_eq(read->slat.moments.n, 100);
	cr_assert_eq(read->slat.hist.total, 100);
	cr_assert_geq(read->slat.moments.min_ns, 200000);
	cr_assert_eq(
		read->lat.moments.sum_ns, read->slat.moments.sum_ns + read->clat.moments.sum_ns);
	cr_assert_geq(read->lat.moments.min_ns, 2000000);
	cr_assert_gt(detail.end_ns, detail.begin_ns);
	rig_free(&r);
}

Test(worker_detail, by_default_each_request_is_submitted_and_taken_back_alone, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 8);
	run(&fake_engine, 1000);
	cr_assert_eq(fake_count.submit_calls, 1000);
	cr_assert_eq(detail.submit[1], 1000);
	cr_assert_eq(detail.complete[1], 1000);
	/* Up to 1, 3 and 7 while it fills, then always the eighth. */
	cr_assert_eq(detail.depth[0], 1);
	cr_assert_eq(detail.depth[1], 2);
	cr_assert_eq(detail.depth[2], 4);
	cr_assert_eq(detail.depth[3], 993);
	rig_free(&r);
}

Test(worker_detail, batches_and_low_mark_are_those_of_the_job, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 16);
	r.job.iodepth_batch = 8;
	r.job.iodepth_batch_complete = 4;
	r.job.iodepth_batch_complete_max = 16;
	r.job.iodepth_low = 8;
	run(&fake_engine, 1600);
	cr_assert_eq(fake_count.most_in_flight, 16);
	cr_assert_gt(detail.submit[2], 150);
	cr_assert_eq(detail.submit[1], 0);
	cr_assert_gt(detail.complete[3], 50, "at once up to 16");
	rig_free(&r);
}

Test(worker_detail, a_batch_of_zero_fills_the_queue, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 16);
	cr_assert_eq(iob_param_set_named(&r.job, "iodepth_batch", "0", NULL), 0);
	r.job.iodepth_batch_complete = 16;
	run(&fake_engine, 1600);
	cr_assert_eq(detail.submit[3], 100);
	cr_assert_eq(detail.complete[3], 100);
	cr_assert_eq(detail.depth[4], 1600);
	rig_free(&r);
}

Test(worker_detail, what_overlaps_waits_if_the_job_says_so, .timeout = 20)
{
	/* Two blocks: of many requests in flight at least two are of the same one. */
	begin(IOB_RW_RANDRW, 8);
	r.region.size = 2 * 4096;
	r.job.norandommap = true;
	fake_script.hold_ns = 20000;
	run(&fake_engine, 500);
	cr_assert_eq(fake_count.most_in_flight, 8);
	rig_free(&r);

	memset(&fake_count, 0, sizeof(fake_count));
	begin(IOB_RW_RANDRW, 8);
	r.region.size = 2 * 4096;
	r.job.norandommap = r.job.serialize_overlap = true;
	run(&fake_engine, 500);
	cr_assert_eq(fake_count.most_in_flight, 2);
	cr_assert_eq(detail.dir[IOB_READ].ios + detail.dir[IOB_WRITE].ios, 500);
	rig_free(&r);
}

Test(worker_detail, levels_end_with_all_that_is_more, .timeout = 20)
{
	static const struct {
		unsigned depth, call, level;
	} rows[] = {{4, 1, 2}, {5, 2, 2}, {8, 2, 3}, {9, 3, 3}, {33, 5, 5}, {64, 5, 6}, {65, 6, 6},
		{129, 6, 6}, {256, 6, 6}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned n = rows[i].depth;

		memset(&detail, 0, sizeof(detail));
		begin(IOB_RW_RANDREAD, n);
		r.job.iodepth_batch = r.job.iodepth_batch_complete = n;
		run(&fake_engine, 2 * n);
		cr_expect_eq(detail.submit[rows[i].call], 2, "%u", n);
		cr_expect_eq(detail.complete[rows[i].call], 2, "%u", n);
		cr_expect_eq(detail.depth[rows[i].level], 2 * n, "%u", n);
		cr_expect_eq(detail.syncs_issued, 0, "%u", n);
		rig_free(&r);
	}
}

Test(worker_detail, polling_keeps_one_in_flight_as_in_fio, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 8);
	r.job.iodepth_batch_complete = 0;
	run(&fake_engine, 100);
	cr_assert_eq(fake_count.most_in_flight, 1);
	cr_assert_eq(detail.complete[1], 100);
	rig_free(&r);
}

Test(worker_detail, a_trim_has_no_slat, .timeout = 20)
{
	const struct iob_detail_dir *trim = &detail.dir[IOB_TRIM];

	begin(IOB_RW_RANDTRIM, 2);
	fake_script.submit_ns = 100000;
	run(&fake_engine, 20);
	cr_assert_eq(trim->ios, 20);
	cr_assert_eq(trim->slat.moments.n, 0);
	cr_assert_eq(trim->clat.moments.sum_ns, trim->lat.moments.sum_ns);
	rig_free(&r);
}

Test(worker_detail, an_engine_that_does_one_at_a_time_has_no_slat, .timeout = 20)
{
	begin(IOB_RW_READ, 1);
	fake_script.hold_ns = 100000;
	run(&fake_sync_engine, 50);
	const struct iob_detail_dir *read = &detail.dir[IOB_READ];
	cr_assert_eq(read->slat.moments.n, 0);
	cr_assert_geq(read->clat.moments.min_ns, 100000);
	cr_assert_eq(read->clat.moments.sum_ns, read->lat.moments.sum_ns);
	cr_assert_eq(detail.depth[0], 50);
	cr_assert_eq(detail.submit[1], 50);
	cr_assert_eq(detail.complete[1], 50);
	rig_free(&r);
}

Test(worker_detail, the_rest_of_a_short_transfer_goes_out_again, .timeout = 20)
{
	begin(IOB_RW_RANDRW, 8);
	r.target.size = SIZE;
	fake_script.short_every = 10;
	run(&fake_engine, 2000);
	const struct iob_detail_dir *read = &detail.dir[IOB_READ];
	const struct iob_detail_dir *write = &detail.dir[IOB_WRITE];
	cr_assert_gt(fake_count.shorts, 0);
	cr_assert_eq(read->shorts + write->shorts, fake_count.shorts);
	cr_assert_eq(read->ios + write->ios, 2000);
	cr_assert_eq(read->issued + write->issued, 2000);
	cr_assert_eq(read->bytes + write->bytes, 2000 * 4096);
	cr_assert_eq(fake_count.stamped, fake_count.ios[IOB_WRITE]);
	cr_assert_eq(r.segment[0].dir[IOB_READ].shorts, 0);
	rig_free(&r);
}

Test(worker_detail, at_the_end_of_the_file_a_short_transfer_is_whole, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 1);
	r.target.size = 2048;
	fake_script.short_every = 1;
	run(&fake_engine, 10);
	cr_assert_eq(detail.dir[IOB_READ].shorts, 10);
	cr_assert_eq(detail.dir[IOB_READ].ios, 10);
	cr_assert_eq(detail.dir[IOB_READ].bytes, 10 * 2048);
	cr_assert_eq(r.segment[0].dir[IOB_READ].shorts, 10);
	rig_free(&r);
}

Test(worker_detail, syncs_have_a_row_of_their_own, .timeout = 20)
{
	begin(IOB_RW_WRITE, 4);
	r.job.fsync = 5;
	run(&fake_engine, 100);
	cr_assert_eq(detail.dir[IOB_WRITE].ios, 100);
	cr_assert_eq(detail.syncs_issued, fake_count.ios[IOB_OP_FSYNC]);
	cr_assert_eq(detail.sync.moments.n, detail.syncs_issued);
	cr_assert_geq(detail.syncs_issued, 19);
	cr_assert_eq(detail.sync.hist.total, detail.syncs_issued);
	rig_free(&r);
}

Test(worker_detail, what_came_before_the_end_of_the_ramp_is_forgotten, .timeout = 20)
{
	struct iob_error err = {0};

	begin(IOB_RW_RANDREAD, 4);
	r.job.ramp_time_ns = 150 * IOB_NS_PER_MS;
	fake_script.hold_ns = 1000000;
	uint64_t start = iob_now_ns();
	cr_assert_eq(rig_start(&r, &fake_engine, 4, &err), 0);
	while (iob_now_ns() < start + 300 * IOB_NS_PER_MS)
		rig_wait_completed(&r, atomic_load(&r.slot->completed) + 10);
	rig_stop(&r);
	rig_finish(&r);
	uint64_t all = rig_total(&r, IOB_READ), some = detail.dir[IOB_READ].ios;
	cr_assert_lt(some, all);
	cr_assert_gt(some, 0);
	cr_assert_geq(detail.begin_ns, start + 150 * IOB_NS_PER_MS);
	/* Four at a time, each takes a millisecond at least. */
	cr_assert_leq(some, 4 * ((detail.end_ns - detail.begin_ns) / IOB_NS_PER_MS + 2));
	cr_assert_eq(detail.submit[1], detail.dir[IOB_READ].issued);
	rig_free(&r);
}

Test(worker_detail, a_failure_is_counted_and_named_by_its_errno, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 4);
	fake_script.fail_at = 50;
	fake_script.fail_result = -ENOSPC;
	run(&fake_engine, 1000);
	cr_assert_eq(detail.dir[IOB_READ].errors, 1);
	cr_assert_eq(detail.first_error, ENOSPC);
	cr_assert_lt(detail.dir[IOB_READ].ios, 60);
	cr_assert_eq(r.slot->error.code, -ENOSPC);
	rig_free(&r);
}

Test(worker_detail, a_rate_is_kept, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 4);
	r.job.rate_iops[IOB_READ] = 1000;
	run(&fake_engine, 200);
	double took = (double)(detail.end_ns - detail.begin_ns) / 1e9;
	cr_assert_geq(took, 0.19);
	cr_assert_leq(took, 1.0);
	cr_assert_eq(r.segment[0].intended[IOB_READ].n, 200);
	rig_free(&r);
}

Test(worker_detail, what_the_thread_used_is_told, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 32);
	run(&fake_engine, 100000);
	cr_assert_gt(detail.user_ns + detail.system_ns, 0);
	cr_assert_leq(detail.user_ns + detail.system_ns,
		detail.end_ns - detail.begin_ns + 50 * IOB_NS_PER_MS);
	rig_free(&r);
}

Test(worker_detail, errors_that_are_let_pass_are_counted, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 4);
	r.job.continue_on_error = IOB_CONTINUE_ALL;
	fake_script.fail_every = 10;
	fake_script.fail_result = -EIO;
	run(&fake_engine, 1000);
	cr_assert_eq(detail.dir[IOB_READ].errors, 100);
	cr_assert_eq(detail.total_errors, 100);
	cr_assert_eq(detail.dir[IOB_READ].ios, 900);
	cr_assert_eq(detail.first_error, EIO);
	cr_assert_eq(r.slot->error.code, 0);
	rig_free(&r);
}

Test(worker_detail, a_storm_of_errors_is_slowed_down, .timeout = 20)
{
	begin(IOB_RW_RANDREAD, 4);
	r.job.continue_on_error = IOB_CONTINUE_ALL;
	fake_script.fail_every = 1;
	fake_script.fail_result = -EIO;
	uint64_t start = iob_now_ns();
	run(&fake_engine, 100);
	cr_assert_geq(iob_now_ns() - start, 20 * IOB_NS_PER_MS);
	cr_assert_gt(r.slot->failures.slowed, 3);
	cr_assert_eq(detail.dir[IOB_READ].errors, 100);
	rig_free(&r);
}

/* Logs. */

static struct iob_log_counts counts;
static struct {
	uint64_t n, ios, bytes, last_end, next_index, hist;
	bool disordered;
} seen;

static int visit(void *arg, enum iob_log_kind kind, const void *record)
{
	const struct iob_io_record *one = record;
	const struct iob_log_window *w = record;
	const struct iob_log_hist *h = record;

	(void)arg;
	seen.n++;
	if (kind == IOB_LOG_RECORD) {
		seen.disordered |= one->done_ns < seen.last_end || one->offset % 4096 || one->dir;
		seen.last_end = one->done_ns;
		seen.ios++;
		seen.bytes += one->bytes;
	} else if (kind == IOB_LOG_WINDOW) {
		seen.disordered |= w->index != seen.next_index++;
		seen.last_end = w->end_ns;
		seen.ios += w->dir[IOB_READ].ios;
		seen.bytes += w->dir[IOB_READ].bytes;
		seen.disordered |= w->dir[IOB_READ].clat.n != w->dir[IOB_READ].ios;
	} else {
		for (unsigned i = 0; i <= IOB_HIST_BUCKETS; i++)
			seen.hist += h->count[i];
	}
	return 0;
}

static struct iob_log_chunk chunk;

static void run_with_log(const struct iob_plan_log *log, uint64_t ios)
{
	r.log = log;
	r.log_place = (struct iob_log_place){memfd_create("log", MFD_CLOEXEC), 4096, 1024, &counts};
	run(&fake_engine, ios);
	cr_assert_gt(iob_log_read(&r.log_place, &chunk, visit, NULL), 0);
	cr_assert_eq(iob_log_read(&r.log_place, &chunk, visit, NULL), 0, "read twice");
	cr_assert_eq(counts.lost, 0);
	cr_assert_gt(counts.from_ns, 0);
	cr_assert_not(seen.disordered);
}

Test(worker_detail, a_log_has_a_record_for_each_transfer, .timeout = 20)
{
	struct iob_plan_log log = {.transfers = true};

	begin(IOB_RW_RANDREAD, 8);
	run_with_log(&log, 20000);
	cr_assert_eq(seen.ios, 20000);
	cr_assert_eq(seen.bytes, 20000 * 4096);
	cr_assert_gt(counts.written, 10);
	rig_free(&r);
}

Test(worker_detail, a_log_has_each_window_also_the_empty_ones, .timeout = 20)
{
	struct iob_plan_log log = {
		.transfers = true, .window_ns = 2 * IOB_NS_PER_MS, .hist_ns = 10 * IOB_NS_PER_MS};

	begin(IOB_RW_RANDREAD, 1);
	fake_script.hold_ns = 5000000;
	run_with_log(&log, 20);
	cr_assert_eq(seen.ios, 20);
	cr_assert_eq(seen.hist, 20);
	cr_assert_geq(seen.n, 50, "one for each 2 ms of 100");
	cr_assert_geq(seen.last_end, 100 * IOB_NS_PER_MS);
	rig_free(&r);
}

Test(worker_detail, a_log_without_room_says_what_it_lost, .timeout = 20)
{
	struct iob_plan_log log = {.transfers = true};

	begin(IOB_RW_RANDREAD, 8);
	r.log = &log;
	r.log_place = (struct iob_log_place){-1, 4096, 1024, &counts};
	run(&fake_engine, 5000);
	cr_assert_eq(counts.lost, 5000);
	rig_free(&r);
}

/* It reads while the worker writes, as the process that writes the logs does. */
static void *read_on(void *arg)
{
	_Atomic bool *ended = arg;

	for (;;) {
		bool last = *ended;
		ssize_t n = iob_log_read(&r.log_place, &chunk, visit, NULL);

		if (n < 0 || (n == 0 && last))
			return NULL;
		if (n == 0)
			sched_yield();
	}
}

Test(worker_detail, a_log_is_read_and_its_room_used_again_meanwhile, .timeout = 20)
{
	struct iob_plan_log log = {.transfers = true};
	_Atomic bool ended = false;
	pthread_t reader;

	begin(IOB_RW_RANDREAD, 8);
	r.log = &log;
	r.log_place = (struct iob_log_place){memfd_create("log", MFD_CLOEXEC), 0, 4, &counts};
	cr_assert_eq(pthread_create(&reader, NULL, read_on, &ended), 0);
	run(&fake_engine, 100000);
	ended = true;
	pthread_join(reader, NULL);
	cr_assert_not(seen.disordered);
	cr_assert_eq(seen.ios + counts.lost, 100000);
	cr_assert_gt(seen.ios, 4 * iob_log_chunk_holds(IOB_LOG_RECORD));
	cr_assert_leq(lseek(r.log_place.fd, 0, SEEK_END), 4 * IOB_LOG_CHUNK);
	rig_free(&r);
}

Test(worker_detail, a_log_with_few_windows_is_handed_over_each_second, .timeout = 30)
{
	struct iob_plan_log log = {.transfers = true, .window_ns = 100 * IOB_NS_PER_MS};

	begin(IOB_RW_RANDREAD, 1);
	fake_script.hold_ns = 100 * IOB_NS_PER_MS;
	run_with_log(&log, 13);
	cr_assert_geq(counts.written, 2, "all at the end");
	rig_free(&r);
}
