/* SPDX-License-Identifier: MIT */
/* Sequences as fio 3.33 makes them (its offsets were read by strace), laws of what is drawn. */
#include <config.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/distribution.h"
#include "load/pattern.h"

#define BLOCK 4096u
#define MOST  64

static struct iob_job job;
static struct iob_pattern p;
static struct iob_step s;
static struct iob_region region;

static void fresh(void)
{
	job = (struct iob_job){.numjobs = 1};
	for (unsigned d = 0; d < IOB_NDIR; d++)
		job.bs[d] = (struct iob_range){BLOCK, BLOCK};
}

static void done(void)
{
	iob_pattern_free(&p);
}

static void begin(uint32_t rw, int64_t suffix, uint64_t blocks)
{
	job.rw = rw;
	job.pattern.rw_suffix = suffix;
	region = (struct iob_region){.offset = 16 * BLOCK, .size = blocks * BLOCK};
	iob_pattern_free(&p);
	cr_assert_eq(iob_pattern_init(&p, &job, &region, 1, 1, 0), 0);
}

/* The blocks relative to the region, in order; the list ends with -1. */
static void expect_blocks(const int *blocks)
{
	for (unsigned i = 0; blocks[i] >= 0; i++) {
		cr_assert(iob_pattern_next(&p, &s), "ends after %u", i);
		cr_assert_eq((s.offset - region.offset) / BLOCK, blocks[i],
			"number %u is block %d, not %d", i,
			(int)((s.offset - region.offset) / BLOCK), blocks[i]);
		cr_assert_eq(s.length, BLOCK);
	}
	cr_assert_not(iob_pattern_next(&p, &s), "goes on");
}

TestSuite(general, .init = fresh, .fini = done, .timeout = 30);

Test(general, holes_end_with_the_region)
{
	begin(IOB_RW_READ, BLOCK, 8);
	expect_blocks((const int[]){0, 2, 4, 6, -1});
	begin(IOB_RW_WRITE, 2 * BLOCK, 16);
	expect_blocks((const int[]){0, 3, 6, 9, 12, 15, -1});
}

Test(general, holes_go_round_when_more_is_asked_for)
{
	job.io_size.bytes = UINT64_C(6) * BLOCK;
	begin(IOB_RW_READ, BLOCK, 8);
	expect_blocks((const int[]){0, 2, 4, 6, 0, 2, -1});
	job.io_size.bytes = 0;
	job.ctl.loops = 2;
	begin(IOB_RW_READ, BLOCK, 8);
	expect_blocks((const int[]){0, 2, 4, 6, 0, 2, 4, 6, -1});
}

Test(general, backwards_goes_on_from_the_end)
{
	begin(IOB_RW_READ, -(int64_t)(2 * BLOCK), 8);
	expect_blocks((const int[]){0, 6, 5, 4, 3, 2, 1, 0, -1});
	begin(IOB_RW_READ, -(int64_t)BLOCK, 8);
	expect_blocks((const int[]){0, 0, 0, 0, 0, 0, 0, 0, -1});
}

Test(general, size_and_loops_bound_the_whole)
{
	job.io_size.bytes = 10240;
	begin(IOB_RW_READ, 0, 8);
	expect_blocks((const int[]){0, 1, 2, -1});
	job.io_size.bytes = UINT64_C(10) * BLOCK;
	begin(IOB_RW_READ, 0, 4);
	expect_blocks((const int[]){0, 1, 2, 3, 0, 1, 2, 3, 0, 1, -1});
	job.io_size.bytes = 0;
	job.ctl.loops = 2;
	begin(IOB_RW_READ, 0, 4);
	expect_blocks((const int[]){0, 1, 2, 3, 0, 1, 2, 3, -1});
}

Test(general, a_random_start_is_followed_by_the_rest_of_the_row)
{
	static const uint32_t sequencers[] = {IOB_RW_SEQUENTIAL, IOB_RW_IDENTICAL};

	for (unsigned k = 0; k < 2; k++) {
		unsigned jumps = 0;
		uint64_t last = 0;

		job.pattern.rw_sequencer = sequencers[k];
		begin(IOB_RW_RANDREAD, 4, MOST);
		for (unsigned i = 0; i < MOST; i++) {
			cr_assert(iob_pattern_next(&p, &s));
			uint64_t follows = sequencers[k] == IOB_RW_IDENTICAL ? last : last + BLOCK;
			bool at_end = last + 2 * BLOCK > region.offset + region.size;

			if (i % 4 && !at_end)
				cr_assert_eq(s.offset, follows);
			jumps += i % 4 == 0 && s.offset != follows;
			last = s.offset;
		}
		cr_assert_gt(jumps, 10);
		cr_assert_not(iob_pattern_next(&p, &s));
		iob_pattern_free(&p);
	}
}

Test(general, the_share_of_random_requests_is_met)
{
	uint64_t last = 0;
	unsigned follow = 0;

	job.time_based = true;
	job.norandommap = true;
	job.pattern.percentage_sequential[IOB_READ] = 70;
	begin(IOB_RW_RANDREAD, 0, 1000000);
	for (unsigned i = 0; i < 100000; i++) {
		iob_pattern_next(&p, &s);
		follow += s.offset == last + BLOCK;
		last = s.offset;
	}
	cr_assert_float_eq(follow / 1e5, 0.7, 0.01);
}

Test(general, sizes_are_drawn_as_often_as_bssplit_says)
{
	unsigned count[17] = {0};

	job.time_based = true;
	snprintf(job.pattern.bssplit, sizeof(job.pattern.bssplit), "64k/20:4k/50:16k/,8k/100");
	iob_bssplit_settle(&job);
	cr_assert_eq(job.bs[IOB_READ].min, 4096);
	cr_assert_eq(job.bs[IOB_READ].max, 65536);
	cr_assert_eq(job.bs[IOB_WRITE].max, 8192);
	begin(IOB_RW_RANDREAD, 0, 1000000);
	for (unsigned i = 0; i < 100000; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert_leq(s.offset + s.length, region.offset + region.size);
		count[s.length / BLOCK]++;
	}
	cr_assert_float_eq(count[1] / 1e5, 0.5, 0.01);
	cr_assert_float_eq(count[4] / 1e5, 0.3, 0.01);
	cr_assert_float_eq(count[16] / 1e5, 0.2, 0.01);
}

Test(general, what_does_not_fit_before_the_end_is_a_smaller_size)
{
	uint64_t sum = 0;

	snprintf(job.pattern.bssplit, sizeof(job.pattern.bssplit), "4k/50:12k/50");
	iob_bssplit_settle(&job);
	begin(IOB_RW_READ, 0, 16);
	while (iob_pattern_next(&p, &s)) {
		cr_assert_eq(s.offset, region.offset + sum, "no hole");
		cr_assert(s.length == BLOCK || s.length == 3 * BLOCK);
		sum += s.length;
	}
	cr_assert_eq(sum, 16 * BLOCK);
}

Test(general, a_size_that_is_turned_is_no_longer_split)
{
	struct iob_live live;

	job.time_based = true;
	snprintf(job.pattern.bssplit, sizeof(job.pattern.bssplit), "4k/50:12k/50");
	iob_bssplit_settle(&job);
	begin(IOB_RW_RANDREAD, 0, 64);
	iob_live_from_job(&live, &job);
	live.bs[IOB_READ] = (struct iob_range){8192, 8192};
	iob_pattern_adopt(&p, &live);
	for (unsigned i = 0; i < 100; i++) {
		iob_pattern_next(&p, &s);
		cr_assert_eq(s.length, 8192);
	}
}

Test(general, unaligned_sizes_take_any_length)
{
	unsigned odd = 0;

	job.time_based = true;
	job.pattern.bs_unaligned = true;
	job.bs[IOB_READ] = (struct iob_range){1000, 5000};
	begin(IOB_RW_RANDREAD, 0, 1000);
	for (unsigned i = 0; i < 10000; i++) {
		iob_pattern_next(&p, &s);
		cr_assert(s.length >= 1000 && s.length <= 5000);
		cr_assert_eq((s.offset - region.offset) % 1000, 0);
		odd += s.length % 1000 != 0;
	}
	cr_assert_gt(odd, 9900);
}

Test(general, sizes_by_order_instead_of_direction)
{
	job.time_based = true;
	job.pattern.bs_is_seq_rand = true;
	job.pattern.percentage_sequential[IOB_READ] = 50;
	job.bs[IOB_WRITE] = (struct iob_range){4 * BLOCK, 4 * BLOCK};
	begin(IOB_RW_RANDREAD, 0, 100000);
	uint64_t end = region.offset;
	for (unsigned i = 0; i < 10000; i++) {
		iob_pattern_next(&p, &s);
		if (s.length == BLOCK)
			cr_assert_eq(s.offset, end);
		else
			cr_assert_eq(s.length, 4 * BLOCK);
		end = s.offset + s.length;
	}
	struct iob_live live;
	iob_live_from_job(&live, &job);
	cr_assert(iob_live_uses_bs(&live, IOB_WRITE), "its buffers hold the larger size");
}

Test(general, offsets_are_multiples_of_blockalign)
{
	unsigned char seen[129] = {0};
	unsigned odd = 0;

	job.pattern.blockalign[IOB_READ] = 512;
	begin(IOB_RW_RANDREAD, 0, 17);
	for (unsigned i = 0; i < 17; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		uint64_t at = (s.offset - region.offset) / 512;

		cr_assert_eq((s.offset - region.offset) % 512, 0);
		cr_assert_leq(at, 128);
		cr_assert_eq(seen[at]++, 0);
		cr_assert_leq(s.offset + s.length, region.offset + region.size);
		odd += s.offset % BLOCK != 0;
	}
	cr_assert_gt(odd, 0);
}

static void serve(struct iob_region *regions, const int *files)
{
	cr_assert_eq(iob_pattern_init(&p, &job, regions, 3, 1, 0), 0);
	for (unsigned i = 0; files[i] >= 0; i++) {
		cr_assert(iob_pattern_next(&p, &s), "ends after %u", i);
		cr_assert_eq(s.file, files[i], "number %u: file %u", i, s.file);
	}
	cr_assert_not(iob_pattern_next(&p, &s));
	iob_pattern_free(&p);
}

Test(general, files_are_served_as_file_service_type_says)
{
	struct iob_region regions[3] = {{.size = 3 * BLOCK, .file = 0},
		{.size = 1 * BLOCK, .file = 1}, {.size = 2 * BLOCK, .file = 2}};

	job.rw = IOB_RW_READ;
	serve(regions, (const int[]){0, 1, 2, 0, 2, 0, -1});
	job.files.service_requests = 2;
	serve(regions, (const int[]){0, 0, 1, 2, 2, 0, -1});
	job.files.service = IOB_SERVICE_SEQUENTIAL;
	serve(regions, (const int[]){0, 0, 0, 1, 2, 2, -1});
}

/* Whatever the service and the order: each block of each file once. */
Test(general, all_files_are_covered_once)
{
	struct iob_region regions[3] = {{.size = 30 * BLOCK, .file = 0},
		{.size = 10 * BLOCK, .file = 1}, {.size = 21 * BLOCK, .file = 2}};

	for (unsigned k = 0; k < 20; k++) {
		unsigned seen[3][30] = {{0}};

		job.files.service = k % 5;
		job.rw = k / 5 == 0   ? IOB_RW_READ
			 : k / 5 == 1 ? IOB_RW_RANDREAD
			 : k / 5 == 2 ? IOB_RW_RANDRW
				      : IOB_RW_WRITE;
		job.rwmixread = 40;
		cr_assert_eq(iob_pattern_init(&p, &job, regions, 3, 1 + k, 0), 0);
		for (unsigned i = 0; i < 61; i++) {
			cr_assert(iob_pattern_next(&p, &s));
			seen[s.file][s.offset / BLOCK]++;
		}
		cr_assert_not(iob_pattern_next(&p, &s));
		for (unsigned f = 0; f < 3; f++)
			for (unsigned b = 0; b < regions[f].size / BLOCK; b++)
				cr_assert_eq(seen[f][b], 1, "case %u, file %u, block %u", k, f, b);
		iob_pattern_free(&p);
	}
}

static double *shares(uint32_t kind, int64_t micro, uint64_t n, unsigned draws)
{
	double *share = calloc(n, sizeof(*share));
	struct iob_distribution_state d;
	struct iob_rng rng;

	iob_rng_seed(&rng, 5, 0);
	iob_distribution_init(&d, kind, micro, n);
	for (unsigned i = 0; i < draws; i++) {
		uint64_t k = iob_distribution_next(&d, &rng);

		cr_assert_lt(k, n);
		share[k] += 1.0 / draws;
	}
	return share;
}

Test(distribution, zipf_has_its_law, .timeout = 30)
{
	static const int64_t thetas[] = {500000, 990000, 1100000, 2000000};
	const unsigned draws = 300000, n = 1000;

	for (unsigned t = 0; t < 4; t++) {
		double theta = (double)thetas[t] / 1e6, sum = 0;
		double *share = shares(IOB_DIST_ZIPF, thetas[t], n, draws);

		for (unsigned k = 1; k <= n; k++)
			sum += pow(k, -theta);
		for (unsigned k = 1; k <= 20; k++) {
			double law = pow(k, -theta) / sum;

			cr_expect_float_eq(share[k - 1], law, 5 * sqrt(law / draws),
				"theta %g, rank %u: %g, not %g", theta, k, share[k - 1], law);
		}
		free(share);
	}
}

Test(distribution, pareto_gives_the_rest_to_h, .timeout = 30)
{
	const unsigned draws = 300000, n = 1000;
	double *share = shares(IOB_DIST_PARETO, 200000, n, draws), hot = 0, hotter = 0;

	for (unsigned k = 0; k < n / 5; k++)
		hot += share[k];
	for (unsigned k = 0; k < n / 25; k++)
		hotter += share[k];
	cr_expect_float_eq(hot, 0.8, 0.01);
	cr_expect_float_eq(hotter, 0.64, 0.01);
	free(share);
}

Test(distribution, ranks_of_one_and_of_many, .timeout = 30)
{
	free(shares(IOB_DIST_ZIPF, 1200000, 1, 100));
	free(shares(IOB_DIST_PARETO, 300000, 1, 100));
	struct iob_distribution_state d;
	struct iob_rng rng;
	iob_rng_seed(&rng, 1, 1);
	iob_distribution_init(&d, IOB_DIST_ZIPF, 300000, UINT64_C(1) << 40);
	uint64_t most = 0;
	for (unsigned i = 0; i < 10000; i++) {
		uint64_t k = iob_distribution_next(&d, &rng);

		cr_assert_lt(k, UINT64_C(1) << 40);
		most = k > most ? k : most;
	}
	cr_assert_gt(most, UINT64_C(1) << 39);
}

/* The most wanted blocks lie anywhere, and stay the same. */
Test(general, hot_blocks_are_scattered)
{
	unsigned *count = calloc(10000, sizeof(*count)), hot = 0;

	job.time_based = true;
	job.pattern.random_distribution = IOB_DIST_PARETO;
	job.pattern.distribution_micro = 100000;
	begin(IOB_RW_RANDREAD, 0, 10000);
	for (unsigned i = 0; i < 200000; i++) {
		iob_pattern_next(&p, &s);
		count[(s.offset - region.offset) / BLOCK]++;
	}
	unsigned in_first_half = 0;
	for (unsigned b = 0; b < 10000; b++)
		if (count[b] > 60) {
			hot++;
			in_first_half += b < 5000;
		}
	cr_assert(hot > 100 && hot < 2000, "%u", hot);
	cr_assert(in_first_half > hot / 3 && in_first_half < hot * 2 / 3);
	free(count);
}

/* With a centre the most wanted one lies there and the others behind it, around the end. */
Test(general, hot_blocks_lie_behind_a_centre)
{
	unsigned count[100] = {0};

	job.time_based = true;
	job.pattern.random_distribution = IOB_DIST_ZIPF;
	job.pattern.distribution_micro = 1500000;
	job.pattern.distribution_centre = 980000 + 1;
	begin(IOB_RW_RANDREAD, 0, 100);
	for (unsigned i = 0; i < 100000; i++) {
		iob_pattern_next(&p, &s);
		count[(s.offset - region.offset) / BLOCK]++;
	}
	cr_assert_gt(count[98], count[99]);
	cr_assert_gt(count[99], count[0]);
	cr_assert_gt(count[0], count[5]);
	cr_assert_gt(count[5], count[50]);
	/* The centre 1 is the end: the beginning follows. */
	memset(count, 0, sizeof(count));
	job.pattern.distribution_centre = 1000000 + 1;
	begin(IOB_RW_RANDREAD, 0, 100);
	for (unsigned i = 0; i < 100000; i++) {
		iob_pattern_next(&p, &s);
		count[(s.offset - region.offset) / BLOCK]++;
	}
	cr_assert_gt(count[0], count[1]);
	cr_assert_gt(count[1], count[99]);
}

/* The shares of the files by how often each was asked for, the largest first. */
static int falling(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

static void serve_often(uint32_t service, int64_t micro, unsigned count[20])
{
	struct iob_region regions[20];

	for (unsigned i = 0; i < 20; i++)
		regions[i] = (struct iob_region){.size = 1000 * BLOCK, .file = (uint16_t)i};
	memset(count, 0, 20 * sizeof(*count));
	job.rw = IOB_RW_RANDREAD;
	job.time_based = job.norandommap = true;
	job.files.service = service;
	job.files.service_requests = micro;
	cr_assert_eq(iob_pattern_init(&p, &job, regions, 20, 7, 0), 0);
	for (unsigned i = 0; i < 10000; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		count[s.file]++;
	}
	iob_pattern_free(&p);
	qsort(count, 20, sizeof(*count), falling);
}

Test(general, some_files_are_wanted_more_than_others)
{
	unsigned count[20];

	/* 1 / sum of k^-2 = 0.627 for 20 files. */
	serve_often(IOB_SERVICE_ZIPF, 2000000, count);
	cr_assert(count[0] > 5500 && count[0] < 7000, "%u", count[0]);
	cr_assert_gt(count[0], 3 * count[1]);
	cr_assert_gt(count[1], count[4]);
	/* A tenth of the files gets nine tenths. */
	serve_often(IOB_SERVICE_PARETO, 100000, count);
	cr_assert(count[0] + count[1] > 8000 && count[0] + count[1] < 9800, "%u",
		count[0] + count[1]);
	serve_often(IOB_SERVICE_RANDOM, 0, count);
	cr_assert_lt(count[0], 700);
}
