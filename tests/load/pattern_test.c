/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "load/pattern.h"

#define BLOCK 4096u

static struct iob_job job_of(uint32_t rw)
{
	struct iob_job job = {.rw = rw, .rwmixread = 50, .numjobs = 1, .time_based = true};

	for (unsigned d = 0; d < IOB_NDIR; d++)
		job.bs[d] = (struct iob_range){BLOCK, BLOCK};
	return job;
}

static struct iob_live live_of(const struct iob_job *job)
{
	struct iob_live live = {.rw = job->rw, .iodepth = 1, .rwmixread = job->rwmixread};

	memcpy(live.bs, job->bs, sizeof(live.bs));
	return live;
}

Test(pattern, random_covers_each_block_once_per_pass)
{
	enum { N = 1000 };
	struct iob_region region = {.offset = 3 * BLOCK, .size = N * BLOCK, .file = 2};
	struct iob_job job = job_of(IOB_RW_RANDRW);
	unsigned count[N] = {0}, moved = 0;
	uint64_t first[N];
	struct iob_pattern p;
	struct iob_step s;

	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned pass = 0; pass < 3; pass++) {
		for (unsigned i = 0; i < N; i++) {
			cr_assert(iob_pattern_next(&p, &s));
			cr_assert_eq((s.offset - region.offset) % BLOCK, 0);
			uint64_t block = (s.offset - region.offset) / BLOCK;
			cr_assert_lt(block, N);
			cr_assert_eq(s.length, BLOCK);
			cr_assert_eq(s.file, 2);
			count[block]++;
			if (pass == 0)
				first[i] = block;
			else
				moved += first[i] != block;
		}
		for (unsigned i = 0; i < N; i++)
			cr_assert_eq(count[i], pass + 1);
	}
	cr_assert_gt(moved, N, "each pass must have an order of its own");
}

/* A limit that is never met takes the general way; without one the short cut is taken. */
Test(pattern, the_short_cut_goes_where_the_general_way_goes)
{
	enum { N = 1000 };
	struct iob_region region = {.offset = 3 * BLOCK, .size = N * BLOCK, .file = 2};
	struct iob_job job = job_of(IOB_RW_RANDREAD);
	struct iob_pattern quick, general;
	struct iob_step a, b;

	iob_pattern_init(&quick, &job, &region, 1, 1, 0);
	job.time_based = false;
	job.io_size.bytes = UINT64_C(1) << 40;
	iob_pattern_init(&general, &job, &region, 1, 1, 0);
	cr_assert(quick.plain && !general.plain);
	for (unsigned i = 0; i < 3 * N + 7; i++) {
		cr_assert(iob_pattern_next(&quick, &a));
		cr_assert(iob_pattern_next(&general, &b));
		cr_assert_eq(a.offset, b.offset);
		cr_assert_eq(a.length, b.length);
		cr_assert_eq(a.file, b.file);
		cr_assert_eq(a.dir, b.dir);
	}
}

Test(pattern, without_a_map_is_uniform_with_replacement)
{
	enum { N = 64 };
	struct iob_region region = {.size = N * BLOCK};
	struct iob_job job = job_of(IOB_RW_RANDREAD);
	unsigned count[N] = {0}, twice = 0;
	struct iob_pattern p;
	struct iob_step s;

	job.norandommap = true;
	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned i = 0; i < N * 1000; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		count[s.offset / BLOCK]++;
		if (i == N - 1)
			for (unsigned b = 0; b < N; b++)
				twice += count[b] > 1;
	}
	cr_assert_gt(twice, 0);
	for (unsigned b = 0; b < N; b++)
		cr_assert_float_eq(count[b], 1000.0, 200.0);
}

Test(pattern, sequential_goes_round)
{
	struct iob_region region = {.offset = BLOCK, .size = 5 * BLOCK + 100};
	struct iob_job job = job_of(IOB_RW_READ);
	struct iob_pattern p;
	struct iob_step s;

	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned i = 0; i < 12; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert_eq(s.offset, BLOCK + i % 5 * BLOCK);
		cr_assert_eq(s.dir, IOB_READ);
	}
}

Test(pattern, sequential_directions_advance_for_themselves)
{
	struct iob_region region = {.size = 1000 * BLOCK};
	struct iob_job job = job_of(IOB_RW_RW);
	uint64_t next[IOB_NDIR] = {0};
	struct iob_pattern p;
	struct iob_step s;

	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned i = 0; i < 900; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert_eq(s.offset, next[s.dir]);
		next[s.dir] += BLOCK;
	}
	cr_assert(next[IOB_READ] > 0 && next[IOB_WRITE] > 0);
}

Test(pattern, files_take_turns)
{
	struct iob_region region[3] = {{.size = 8 * BLOCK, .file = 0},
		{.size = 9 * BLOCK, .file = 1}, {.size = 8 * BLOCK, .file = 2}};
	static const uint32_t kinds[] = {IOB_RW_READ, IOB_RW_RANDREAD};

	for (unsigned k = 0; k < 2; k++) {
		struct iob_job job = job_of(kinds[k]);
		unsigned seen[3][9] = {{0}};
		struct iob_pattern p;
		struct iob_step s;

		iob_pattern_init(&p, &job, region, 3, 1, 0);
		for (unsigned i = 0; i < 24; i++) {
			cr_assert(iob_pattern_next(&p, &s));
			cr_assert_eq(s.file, i % 3);
			seen[s.file][s.offset / BLOCK]++;
		}
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert_eq(s.file, 1, "the others are done");
		seen[s.file][s.offset / BLOCK]++;
		for (unsigned f = 0; f < 3; f++)
			for (unsigned b = 0; b < (f == 1 ? 9 : 8); b++)
				cr_assert_eq(seen[f][b], 1);
		iob_pattern_free(&p);
	}
}

Test(pattern, the_mix_is_within_one_percent)
{
	struct iob_region region = {.size = 1000 * BLOCK};
	static const uint64_t shares[] = {0, 1, 30, 50, 70, 99, 100};

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		struct iob_job job = job_of(IOB_RW_RANDRW);
		unsigned reads = 0;
		struct iob_pattern p;
		struct iob_step s;

		job.rwmixread = shares[i];
		iob_pattern_init(&p, &job, &region, 1, 1, 0);
		for (unsigned n = 0; n < 1000000; n++) {
			iob_pattern_next(&p, &s);
			reads += s.dir == IOB_READ;
		}
		cr_assert_float_eq(reads / 1e6, (double)shares[i] / 100, 0.01);
		if (shares[i] == 0 || shares[i] == 100)
			cr_assert_eq(reads, shares[i] * 10000);
	}
}

Test(pattern, same_seed_same_sequence)
{
	struct iob_region region = {.size = 1000 * BLOCK};
	struct iob_job job = job_of(IOB_RW_RANDRW);
	struct iob_pattern a, b, other_seed, other_stream;
	struct iob_step sa, sb, sc, sd;
	unsigned differ[2] = {0};

	iob_pattern_init(&a, &job, &region, 1, 9, 3);
	iob_pattern_init(&b, &job, &region, 1, 9, 3);
	iob_pattern_init(&other_seed, &job, &region, 1, 10, 3);
	iob_pattern_init(&other_stream, &job, &region, 1, 9, 4);
	for (unsigned i = 0; i < 2500; i++) {
		iob_pattern_next(&a, &sa);
		iob_pattern_next(&b, &sb);
		iob_pattern_next(&other_seed, &sc);
		iob_pattern_next(&other_stream, &sd);
		cr_assert(sa.offset == sb.offset && sa.dir == sb.dir && sa.length == sb.length);
		differ[0] += sa.offset != sc.offset;
		differ[1] += sa.offset != sd.offset;
	}
	cr_assert(differ[0] > 2400 && differ[1] > 2400);
}

Test(pattern, a_range_of_sizes_stays_inside_and_aligned)
{
	struct iob_region region = {.offset = 7 * BLOCK, .size = 100 * BLOCK + 512};
	static const uint32_t kinds[] = {IOB_RW_RANDRW, IOB_RW_RW};

	for (unsigned k = 0; k < 2; k++) {
		struct iob_job job = job_of(kinds[k]);
		unsigned sizes[5] = {0};
		struct iob_pattern p;
		struct iob_step s;

		for (unsigned d = 0; d < IOB_NDIR; d++)
			job.bs[d].max = 4 * BLOCK;
		iob_pattern_init(&p, &job, &region, 1, 5, 0);
		for (unsigned i = 0; i < 10000; i++) {
			cr_assert(iob_pattern_next(&p, &s));
			cr_assert_eq(s.length % BLOCK, 0);
			cr_assert(s.length >= BLOCK && s.length <= 4 * BLOCK);
			cr_assert_eq((s.offset - region.offset) % BLOCK, 0);
			cr_assert_geq(s.offset, region.offset);
			cr_assert_leq(s.offset + s.length, region.offset + region.size);
			sizes[s.length / BLOCK]++;
		}
		for (unsigned n = 1; n <= 4; n++)
			cr_assert_gt(sizes[n], 2000);
	}
}

Test(pattern, directions_may_have_sizes_of_their_own)
{
	struct iob_region region = {.size = 64 * BLOCK};
	struct iob_job job = job_of(IOB_RW_RANDRW);
	unsigned reads[64] = {0}, writes[8] = {0};
	struct iob_pattern p;
	struct iob_step s;

	job.bs[IOB_WRITE] = (struct iob_range){8 * BLOCK, 8 * BLOCK};
	job.rwmixread = 80;
	iob_pattern_init(&p, &job, &region, 1, 5, 0);
	for (unsigned nread = 0, nwrite = 0; nread < 64 && nwrite < 1000;) {
		cr_assert(iob_pattern_next(&p, &s));
		if (s.dir == IOB_READ) {
			cr_assert_eq(s.length, BLOCK);
			reads[s.offset / BLOCK]++;
			nread++;
		} else {
			cr_assert_eq(s.length, 8 * BLOCK);
			cr_assert_eq(s.offset % (8 * BLOCK), 0);
			writes[s.offset / (8 * BLOCK)]++;
			nwrite++;
		}
	}
	for (unsigned i = 0; i < 64; i++)
		cr_assert_eq(reads[i], 1);
}

static uint64_t run_to_end(const struct iob_job *job, const struct iob_region *region, unsigned n)
{
	struct iob_pattern p;
	struct iob_step s;
	uint64_t bytes = 0;

	iob_pattern_init(&p, job, region, n, 1, 0);
	for (unsigned i = 0; i < 100000 && iob_pattern_next(&p, &s); i++)
		bytes += s.length;
	iob_pattern_free(&p);
	return bytes;
}

Test(pattern, ends_when_the_size_is_done)
{
	struct iob_region region[2] = {
		{.size = 100 * BLOCK + 17}, {.size = 120 * BLOCK, .file = 1}};
	struct iob_job job = job_of(IOB_RW_RANDREAD);

	cr_assert_eq(run_to_end(&job, region, 1), 100000ull * BLOCK, "time_based never ends");
	job.time_based = false;
	cr_assert_eq(run_to_end(&job, region, 1), 100 * BLOCK);
	cr_assert_eq(run_to_end(&job, region, 2), 220 * BLOCK);
	job.io_size.bytes = 1000 * BLOCK;
	cr_assert_eq(run_to_end(&job, region, 1), 1000 * BLOCK);
	job.numjobs = 4;
	cr_assert_eq(run_to_end(&job, region, 1), 250 * BLOCK);
	job.io_size = (struct iob_amount){.percent_micro = 50000000};
	cr_assert_eq(run_to_end(&job, region, 1), 50 * BLOCK);
}

Test(pattern, another_part_is_covered_from_its_beginning)
{
	struct iob_region region = {.size = 64 * BLOCK};
	struct iob_job job = job_of(IOB_RW_RANDREAD);
	unsigned count[16] = {0};
	struct iob_pattern p;
	struct iob_step s;

	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned i = 0; i < 10; i++)
		iob_pattern_next(&p, &s);
	region = (struct iob_region){.offset = 100 * BLOCK, .size = 16 * BLOCK};
	iob_pattern_move(&p);
	for (unsigned i = 0; i < 16; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert(s.offset >= 100 * BLOCK && s.offset < 116 * BLOCK);
		count[(s.offset - 100 * BLOCK) / BLOCK]++;
	}
	for (unsigned i = 0; i < 16; i++)
		cr_assert_eq(count[i], 1);
}

Test(pattern, a_new_block_size_starts_a_new_pass)
{
	struct iob_region region = {.size = 64 * BLOCK};
	struct iob_job job = job_of(IOB_RW_RANDREAD);
	struct iob_live live = live_of(&job);
	unsigned count[32] = {0};
	struct iob_pattern p;
	struct iob_step s;

	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned i = 0; i < 10; i++)
		iob_pattern_next(&p, &s);
	live.bs[IOB_READ] = (struct iob_range){2 * BLOCK, 2 * BLOCK};
	cr_assert(iob_pattern_fits(&p, &live));
	iob_pattern_adopt(&p, &live);
	for (unsigned i = 0; i < 32; i++) {
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert_eq(s.length, 2 * BLOCK);
		count[s.offset / (2 * BLOCK)]++;
	}
	for (unsigned i = 0; i < 32; i++)
		cr_assert_eq(count[i], 1);
	live.bs[IOB_READ] = (struct iob_range){128 * BLOCK, 128 * BLOCK};
	cr_assert(!iob_pattern_fits(&p, &live));
}

/* From each kind to each other: as if it had been that from the start. */
Test(pattern, a_new_kind_of_access_starts_a_new_pass)
{
	static const uint32_t kinds[] = {IOB_RW_READ, IOB_RW_WRITE, IOB_RW_RW, IOB_RW_RANDREAD,
		IOB_RW_RANDWRITE, IOB_RW_RANDRW, IOB_RW_TRIM, IOB_RW_RANDTRIM};
	struct iob_region region = {.offset = BLOCK, .size = 64 * BLOCK};
	struct iob_step s;

	for (unsigned k = 0; k < 64; k++) {
		struct iob_job job = job_of(kinds[k / 8]);
		struct iob_live live = live_of(&job);
		unsigned count[IOB_NDIR][64] = {{0}}, sum[64] = {0};
		uint64_t last[IOB_NDIR] = {0};
		struct iob_pattern p;
		bool random = iob_rw_is_random(kinds[k % 8]);

		iob_pattern_init(&p, &job, &region, 1, 1, 0);
		for (unsigned i = 0; i < 10; i++)
			iob_pattern_next(&p, &s);
		live.rw = kinds[k % 8];
		if (k / 8 == k % 8)
			continue;
		iob_pattern_adopt(&p, &live);
		for (unsigned i = 0; i < 64; i++) {
			cr_assert(iob_pattern_next(&p, &s));
			cr_assert(iob_rw_does(live.rw, s.dir));
			if (!random)
				cr_assert_eq(s.offset, BLOCK + last[s.dir]);
			last[s.dir] += BLOCK;
			count[s.dir][s.offset / BLOCK - 1]++;
			sum[s.offset / BLOCK - 1]++;
		}
		for (unsigned i = 0; random && i < 64; i++)
			cr_assert_eq(sum[i], 1, "%u to %u", k / 8, k % 8);
		cr_assert_eq(
			count[IOB_READ][0] + count[IOB_WRITE][0] + count[IOB_TRIM][0] > 0, true);
	}
}

Test(pattern, a_new_mix_keeps_the_place)
{
	struct iob_region region = {.size = 1000 * BLOCK};
	struct iob_job job = job_of(IOB_RW_RANDRW);
	unsigned count[1000] = {0};
	struct iob_live live = live_of(&job);
	struct iob_pattern p;
	struct iob_step s;

	iob_pattern_init(&p, &job, &region, 1, 1, 0);
	for (unsigned i = 0; i < 1000; i++) {
		if (i == 300) {
			live.rwmixread = 0;
			iob_pattern_adopt(&p, &live);
		}
		cr_assert(iob_pattern_next(&p, &s));
		cr_assert(i < 300 || s.dir == IOB_WRITE);
		count[s.offset / BLOCK]++;
	}
	for (unsigned i = 0; i < 1000; i++)
		cr_assert_eq(count[i], 1);
}

Test(region, parts_are_disjoint_and_complete)
{
	static const unsigned workers[] = {1, 2, 3, 7, 64};
	const uint64_t offset = 5 * BLOCK, blocks = 1000;

	for (size_t k = 0; k < sizeof(workers) / sizeof(*workers); k++) {
		uint64_t at = offset;

		for (unsigned i = 0; i < workers[k]; i++) {
			struct iob_region r = {.file = 9};

			cr_assert(iob_region_split(
				&r, offset, blocks * BLOCK + 99, BLOCK, i, workers[k]));
			cr_assert_eq(r.offset, at);
			cr_assert_eq(r.size % BLOCK, 0);
			cr_assert_eq(r.file, 9);
			at += r.size;
		}
		cr_assert_eq(at, offset + blocks * BLOCK);
	}
}

Test(region, parts_smaller_than_a_block_are_refused)
{
	struct iob_region r;

	cr_assert(!iob_region_split(&r, 0, 3 * BLOCK, BLOCK, 0, 4));
	cr_assert(iob_region_split(&r, 0, 4 * BLOCK, BLOCK, 3, 4));
	cr_assert(!iob_region_split(&r, 0, 0, BLOCK, 0, 1));
}
