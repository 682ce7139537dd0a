/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "measure/recorder.h"
#include "tests/support/measure_root.h"
#include "tests/support/measure_worker.h"

TestSuite(recorder, .timeout = 60);

static struct iob_recorder *start(struct iob_ring *rings, unsigned n, unsigned drain_every_ms)
{
	struct iob_recorder_config config = {
		.rings = rings,
		.nrings = n,
		.root = "",
		.drain_every_ms = drain_every_ms,
	};
	struct iob_recorder *r = NULL;

	cr_assert_eq(iob_recorder_new(&r, &config, NULL), 0);
	cr_assert_eq(iob_recorder_start(r, NULL), 0);
	return r;
}

static uint64_t sum_of_timeline(struct iob_recorder *r, uint64_t *bytes)
{
	static struct iob_interval entry[1024];
	size_t n = iob_recorder_timeline(r, 0, entry, 1024);
	struct iob_interval sum;

	iob_timeline_fold(&sum, entry, n);
	*bytes = sum.dir[0].bytes + sum.dir[1].bytes + sum.dir[2].bytes;
	return sum.dir[0].ios + sum.dir[1].ios + sum.dir[2].ios;
}

/* Counts as fast as it can, with latencies all over the scale, and pushes without waiting: far more
 * often than a real worker, so that the ring is full most of the time. */
struct flood {
	struct pretended worker;
	uint64_t t0_ns, refused;
	int rounds;
};

static void *flood(void *arg)
{
	struct flood *f = arg;
	struct iob_rng rng;

	iob_rng_seed(&rng, 8, f->worker.ring->tail);
	for (int i = 0; i < f->rounds; i++) {
		for (int n = 0; n < 200; n++)
			pretended_io(&f->worker, (enum iob_dir)iob_rng_below(&rng, IOB_NDIR), 4096,
				iob_rng_next(&rng) >> (22 + iob_rng_below(&rng, 40)));
		uint32_t k = (uint32_t)((iob_now_ns() - f->t0_ns) / IOB_INTERVAL_NS);
		f->worker.acc->segment = (uint32_t)(i / (f->rounds / 2 + 1));
		pretended_push(&f->worker, k, 0);
	}
	f->refused = f->worker.ring->refused;
	for (;;) {
		uint32_t k = (uint32_t)((iob_now_ns() - f->t0_ns) / IOB_INTERVAL_NS);

		if (pretended_push(&f->worker, k, IOB_SAMPLE_LAST))
			break;
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
	}
	return NULL;
}

Test(recorder, with_a_reader_far_too_late_the_sums_are_exact)
{
	enum { N = 2 };
	struct iob_ring *rings = pretended_ring(N);
	struct flood f[N];
	pthread_t thread[N];
	uint64_t t0 = iob_now_ns(), ios = 0, bytes = 0, timeline_bytes = 0, segments = 0;

	struct iob_recorder *r = start(rings, N, 350);
	iob_recorder_begin(r, t0);
	cr_assert_eq(iob_recorder_segment(r, 0, 0, IOB_SEGMENT_LOAD, t0), 0);
	for (int i = 0; i < N; i++) {
		f[i] = (struct flood){pretended_new(&rings[i]), t0, 0, 3000};
		cr_assert_eq(pthread_create(&thread[i], NULL, flood, &f[i]), 0);
	}
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	cr_assert_eq(iob_recorder_segment(r, 1, 0, IOB_SEGMENT_LOAD, iob_now_ns()), 0);
	iob_recorder_close_segment(r, iob_now_ns());
	iob_recorder_stop(r);
	for (int i = 0; i < N; i++) {
		cr_assert_gt(f[i].refused, 0, "the ring was never full: the test shows nothing");
		for (int d = 0; d < IOB_NDIR; d++)
			ios += f[i].worker.ios[d];
		bytes += f[i].worker.bytes;
	}
	cr_assert_eq(ios, N * 3000 * 200);
	cr_assert_eq(sum_of_timeline(r, &timeline_bytes), ios);
	cr_assert_eq(timeline_bytes, bytes);
	static struct iob_hist hist[IOB_NDIR];
	struct iob_segment_figures figures;
	for (uint32_t id = 0; id < 2; id++) {
		cr_assert(iob_recorder_segment_figures(r, id, &figures));
		segments += figures.all.ios;
		cr_assert(iob_recorder_segment_hist(r, id, IOB_READ, &hist[0]));
		cr_assert_eq(hist[0].total, figures.dir[IOB_READ].ios);
	}
	cr_assert_eq(segments, ios);
	iob_recorder_totals(r, -1, &figures, hist, NULL);
	cr_assert_eq(figures.all.ios, ios);
	cr_assert_eq(figures.all.issued, ios);
	cr_assert_eq(figures.all.bytes, bytes);
	cr_assert_eq(hist[0].total + hist[1].total + hist[2].total, ios);
	struct iob_recorder_view v;
	iob_recorder_view(r, &v);
	cr_assert_eq(v.workers_ended, N);
	cr_assert_eq(v.total.all.ios, ios);
	iob_recorder_free(r);
	for (int i = 0; i < N; i++)
		free(f[i].worker.acc);
	free(rings);
}

static bool wait_for_intervals(struct iob_recorder *r, uint64_t n)
{
	uint64_t limit = iob_now_ns() + 20 * IOB_NS_PER_S;
	struct iob_recorder_view v;

	do {
		iob_recorder_view(r, &v);
		if (v.intervals >= n)
			return true;
		iob_sleep_until(iob_now_ns() + 5 * IOB_NS_PER_MS);
	} while (iob_now_ns() < limit);
	return false;
}

Test(recorder, the_timeline_grows_by_the_clock_when_nothing_arrives)
{
	static struct iob_interval entry[64];
	struct iob_ring *rings = pretended_ring(1);
	struct pretended w = pretended_new(rings);
	uint64_t t0 = iob_now_ns();

	struct iob_recorder *r = start(rings, 1, 0);
	iob_recorder_begin(r, t0);
	cr_assert_eq(iob_recorder_segment(r, 0, 0, IOB_SEGMENT_LOAD, t0), 0);
	pretended_io(&w, IOB_READ, 4096, 1000);
	cr_assert(pretended_push(&w, 0, 0));
	cr_assert(wait_for_intervals(r, 13), "closed without the worker");
	w.next = 13;
	pretended_io(&w, IOB_READ, 4096, 1300 * IOB_NS_PER_MS);
	cr_assert(pretended_push(&w, 13, IOB_SAMPLE_LAST));
	iob_recorder_stop(r);
	iob_recorder_stop(r);
	size_t n = iob_recorder_timeline(r, 0, entry, 64);
	cr_assert_geq(n, 14);
	cr_assert_eq(entry[0].dir[IOB_READ].ios, 1);
	for (size_t k = 1; k < 13; k++)
		cr_assert_eq(entry[k].dir[IOB_READ].ios, 0);
	cr_assert_eq(entry[13].dir[IOB_READ].ios, 1);
	struct iob_recorder_view v;
	iob_recorder_view(r, &v);
	cr_assert_geq(v.longest_stall_ns, 1200 * IOB_NS_PER_MS);
	cr_assert_eq(iob_recorder_timeline(r, n, entry, 64), 0);
	cr_assert_eq(iob_recorder_timeline(r, 13, entry, 1), 1);
	iob_recorder_free(r);
	free(w.acc);
	free(rings);
}

Test(recorder, time_stands_still_after_the_stop)
{
	struct iob_ring *rings = pretended_ring(1);
	uint64_t t0 = iob_now_ns();
	struct iob_recorder_view a, b;

	struct iob_recorder *r = start(rings, 1, 0);
	iob_recorder_begin(r, t0);
	cr_assert_eq(iob_recorder_segment(r, 0, 0, IOB_SEGMENT_LOAD, t0), 0);
	cr_assert_eq(iob_recorder_segment(r, 0, 0, IOB_SEGMENT_LOAD, t0), -EINVAL);
	iob_recorder_stop(r);
	iob_recorder_view(r, &a);
	iob_sleep_until(iob_now_ns() + 2 * IOB_NS_PER_MS);
	iob_recorder_view(r, &b);
	cr_assert_eq(a.now_ns, b.now_ns);
	cr_assert_eq(a.segment.seconds, b.segment.seconds);
	cr_assert_not(iob_recorder_segment_figures(r, 1, &b.segment));
	iob_recorder_free(r);
	iob_recorder_free(NULL);
	free(rings);
}

Test(recorder, one_that_never_began_stops_and_shows_nothing)
{
	struct iob_ring *rings = pretended_ring(1);
	struct iob_recorder_view v;
	struct iob_interval e;

	struct iob_recorder *r = start(rings, 1, 0);
	iob_recorder_view(r, &v);
	cr_assert_eq(v.t0_ns, 0);
	cr_assert_eq(v.intervals, 0);
	iob_recorder_stop(r);
	cr_assert_eq(iob_recorder_timeline(r, 0, &e, 1), 0);
	iob_recorder_free(r);
	free(rings);
}

/* The disk's counters are a file of ours; its length never changes, so that a reader never finds it
 * cut. */
static void counters(unsigned reads)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/diskstats", measure_root);
	FILE *f = fopen(path, "r+");
	cr_assert_not_null(f);
	fprintf(f, "8 0 sda %010u 0 %010u 0 0 0 0 0 3 0 0\n", reads, reads * 8);
	fclose(f);
}

Test(recorder, disk_counts_of_a_segment_are_those_between_its_ends, .init = measure_root_make,
	.fini = measure_root_remove)
{
	struct iob_ring *rings = pretended_ring(1);
	struct iob_recorder *r = NULL;
	struct iob_segment_figures figures;
	struct iob_recorder_view v;
	struct iob_diskstat disk;
	static struct iob_interval entry[64];

	measure_root_put("diskstats", "");
	counters(1000);
	struct iob_recorder_config config = {.rings = rings, .nrings = 1, .root = measure_root};
	cr_assert_eq(iob_recorder_new(&r, &config, NULL), 0);
	cr_assert_eq(iob_recorder_start(r, NULL), 0);
	uint64_t t0 = iob_now_ns();
	iob_recorder_begin(r, t0);
	iob_recorder_watch_disk(r, &(struct iob_diskline){8, 0, 8, 0, "sda"},
		&(struct iob_diskwatch_point){.ns = 0});
	cr_assert_eq(iob_recorder_segment(r, 0, 0, IOB_SEGMENT_LOAD, t0), 0);
	for (unsigned i = 1; i <= 50; i++) {
		counters(1000 + 10 * i);
		iob_sleep_until(iob_now_ns() + 10 * IOB_NS_PER_MS);
	}
	cr_assert(wait_for_intervals(r, 5), "it has read the counters at several boundaries");
	double seconds = (double)(iob_now_ns() - t0) / 1e9;
	iob_recorder_close_segment(r, iob_now_ns());
	iob_recorder_view(r, &v);
	cr_assert(v.has_disk);
	cr_assert_eq(v.disk_in_flight, 3);
	cr_assert_gt(v.disk.r_s, 500 / seconds / 5);
	counters(5000); /* afterwards: somebody else's */
	iob_recorder_stop(r);
	iob_recorder_totals(r, -1, &figures, NULL, &disk);
	cr_assert_eq(disk.reads, 500);
	cr_assert_eq(disk.read_sectors, 4000);
	cr_assert(figures.has_disk);
	size_t n = iob_recorder_timeline(r, 0, entry, 64);
	uint64_t reads = 0;
	unsigned with_disk = 0;
	for (size_t k = 0; k < n; k++) {
		reads += entry[k].disk.reads;
		with_disk += (entry[k].flags & IOB_INTERVAL_DISK) != 0;
	}
	cr_assert_eq(reads, 4000);
	cr_assert_geq(with_disk, 2);
	iob_recorder_free(r);
	free(rings);
}

static struct iob_recorder *ticking;
static int ticks;

static void tick(void *arg)
{
	struct iob_recorder_view v;

	/* No lock is held: all calls are open to it. */
	iob_recorder_view(ticking, &v);
	if (v.nsegments == 0) {
		iob_recorder_begin(ticking, *(uint64_t *)arg);
		iob_recorder_segment(ticking, 0, 0, IOB_SEGMENT_LOAD, *(uint64_t *)arg);
	}
	__atomic_add_fetch(&ticks, 1, __ATOMIC_SEQ_CST);
}

Test(recorder, the_tick_may_call_the_recorder)
{
	struct iob_ring *rings = pretended_ring(1);
	uint64_t t0 = iob_now_ns();
	struct iob_recorder_config config = {
		.rings = rings, .nrings = 1, .tick = tick, .arg = &t0, .root = ""};

	cr_assert_eq(iob_recorder_new(&ticking, &config, NULL), 0);
	cr_assert_eq(iob_recorder_start(ticking, NULL), 0);
	while (__atomic_load_n(&ticks, __ATOMIC_SEQ_CST) < 5)
		iob_sleep_until(iob_now_ns() + IOB_NS_PER_MS);
	struct iob_recorder_view v;
	iob_recorder_view(ticking, &v);
	cr_assert_eq(v.nsegments, 1);
	cr_assert_eq(v.t0_ns, t0);
	iob_recorder_free(ticking);
	free(rings);
}
