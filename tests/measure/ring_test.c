/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/rng.h"
#include "tests/support/measure_worker.h"

static struct iob_ring *ring;
static struct pretended worker;
static struct iob_popped popped;

static void set_up(void)
{
	ring = pretended_ring(1);
	worker = pretended_new(ring);
}

static void tear_down(void)
{
	free(worker.acc);
	free(ring);
}

TestSuite(ring, .init = set_up, .fini = tear_down, .timeout = 20);

Test(ring, zeroed_is_empty)
{
	cr_assert_not(iob_ring_pop(ring, &popped));
}

Test(ring, a_sample_comes_out_as_it_went_in)
{
	worker.acc->segment = 7;
	worker.acc->syncs = 3;
	for (int i = 0; i < 10; i++)
		pretended_io(&worker, IOB_READ, 4096, 1000);
	pretended_io(&worker, IOB_READ, 4096, 50);
	pretended_io(&worker, IOB_TRIM, 512, UINT64_MAX / 2);
	cr_assert(pretended_push(&worker, 5, IOB_SAMPLE_LAST));
	cr_assert(iob_ring_pop(ring, &popped));
	cr_assert_eq(popped.head.interval, 5);
	cr_assert_eq(popped.head.segment, 7);
	cr_assert_eq(popped.head.flags, IOB_SAMPLE_LAST);
	cr_assert_eq(popped.head.syncs, 3);
	cr_assert_eq(popped.head.dir[IOB_READ].ios, 11);
	cr_assert_eq(popped.head.dir[IOB_READ].bytes, 11 * 4096);
	cr_assert_eq(popped.head.n_entries[IOB_READ], 2);
	cr_assert_eq(popped.head.n_entries[IOB_WRITE], 0);
	cr_assert_eq(popped.head.n_entries[IOB_TRIM], 1);
	cr_assert_eq(popped.entry[0].index, 50);
	cr_assert_eq(popped.entry[0].count, 1);
	cr_assert_eq(popped.entry[1].index, iob_hist_index(1000));
	cr_assert_eq(popped.entry[1].count, 10);
	cr_assert_eq(popped.entry[2].index, IOB_HIST_BUCKETS);
	cr_assert_not(iob_ring_pop(ring, &popped));
}

Test(ring, the_largest_sample_fits_twice_and_is_refused_the_third_time)
{
	for (int d = 0; d < IOB_NDIR; d++) {
		worker.acc->dir[d].ios = worker.acc->intended[d].n = IOB_HIST_BUCKETS + 1;
		for (int i = 0; i <= IOB_HIST_BUCKETS; i++)
			worker.acc->hist[d][i] = worker.acc->intended_hist[d][i] = (uint32_t)i + 1;
	}
	struct iob_sample s = {.interval = 1};
	cr_assert(iob_ring_push(ring, &s, worker.acc));
	cr_assert(iob_ring_push(ring, &s, worker.acc));
	uint64_t tail = ring->tail;
	cr_assert_not(iob_ring_push(ring, &s, worker.acc));
	cr_assert_eq(ring->tail, tail);
	cr_assert_eq(ring->refused, 1);
	/* Room for it comes back, in two pieces around the end. */
	for (int turn = 0; turn < 5; turn++) {
		cr_assert(iob_ring_pop(ring, &popped));
		for (unsigned i = 0; i < IOB_NHIST * (IOB_HIST_BUCKETS + 1); i++) {
			cr_assert_eq(popped.entry[i].index, i % (IOB_HIST_BUCKETS + 1));
			cr_assert_eq(popped.entry[i].count, i % (IOB_HIST_BUCKETS + 1) + 1);
		}
		cr_assert(iob_ring_push(ring, &s, worker.acc));
	}
}

Test(ring, order_and_content_survive_many_turns_and_the_wrap_of_positions)
{
	struct iob_rng rng;
	uint64_t ios = 0, entries = 0;
	uint32_t pushed = 0, seen = 0;

	/* Positions wrap at 2^64, not only in the buffer. */
	ring->tail = ring->head = ring->head_seen = ring->tail_seen = UINT64_MAX - 4095;
	iob_rng_seed(&rng, 5, 0);
	while (seen < 5000) {
		for (uint64_t i = iob_rng_below(&rng, 60); i > 0; i--)
			pretended_io(&worker, (enum iob_dir)iob_rng_below(&rng, IOB_NDIR), 1,
				iob_rng_next(&rng) >> (20 + iob_rng_below(&rng, 44)));
		if (pushed < 5000 && pretended_push(&worker, pushed, 0))
			pushed++;
		for (uint64_t i = iob_rng_below(&rng, 3); i > 0; i--) {
			if (!iob_ring_pop(ring, &popped))
				break;
			cr_assert_eq(popped.head.interval, seen++);
			uint32_t at = 0;
			for (int d = 0; d < IOB_NDIR; d++) {
				ios += popped.head.dir[d].ios;
				for (uint32_t e = 0; e < popped.head.n_entries[d]; e++)
					entries += popped.entry[at++].count;
			}
		}
	}
	for (int d = 0; d < IOB_NDIR; d++)
		ios += worker.acc->dir[d].ios;
	cr_assert_eq(ios, worker.ios[0] + worker.ios[1] + worker.ios[2]);
	cr_assert_gt(entries, 0);
	cr_assert_lt(ring->tail, UINT64_C(1) << 40, "positions did not wrap");
}

static struct iob_sample *first_header(void)
{
	return (struct iob_sample *)(void *)ring->bytes;
}

Test(ring, too_many_entries_close_the_ring_for_ever)
{
	pretended_io(&worker, IOB_READ, 1, 1);
	cr_assert(pretended_push(&worker, 0, 0));
	first_header()->n_entries[1] = UINT32_MAX;
	cr_assert_not(iob_ring_pop(ring, &popped));
	first_header()->n_entries[1] = 0;
	cr_assert_not(iob_ring_pop(ring, &popped));
}

Test(ring, a_sample_longer_than_what_is_there_is_not_taken)
{
	pretended_io(&worker, IOB_READ, 1, 1);
	cr_assert(pretended_push(&worker, 0, 0));
	first_header()->n_entries[0] = 2;
	cr_assert_not(iob_ring_pop(ring, &popped));
}

Test(ring, an_index_beyond_the_histogram_is_not_taken)
{
	struct iob_sample_entry bad = {IOB_HIST_BUCKETS + 1, 1};

	pretended_io(&worker, IOB_READ, 1, 1);
	cr_assert(pretended_push(&worker, 0, 0));
	memcpy(ring->bytes + sizeof(struct iob_sample), &bad, sizeof(bad));
	cr_assert_not(iob_ring_pop(ring, &popped));
}

Test(ring, positions_that_make_no_sense_are_not_followed)
{
	ring->tail = IOB_RING_BYTES + 8;
	cr_assert_not(iob_ring_pop(ring, &popped));
	memset(ring, 0, sizeof(*ring));
	ring->tail = 8;
	cr_assert_not(iob_ring_pop(ring, &popped));
	memset(ring, 0, sizeof(*ring));
	ring->head = 4096;
	cr_assert_not(iob_ring_pop(ring, &popped));
}

Test(ring, random_garbage_never_leads_out_of_bounds)
{
	struct iob_rng rng;

	iob_rng_seed(&rng, 6, 0);
	for (int round = 0; round < 300; round++) {
		memset(ring, 0, sizeof(*ring));
		for (size_t i = 0; i < IOB_RING_BYTES; i += 8) {
			uint64_t v = iob_rng_next(&rng) >> iob_rng_below(&rng, 64);

			memcpy(ring->bytes + i, &v, sizeof(v));
		}
		ring->tail = iob_rng_next(&rng) >> iob_rng_below(&rng, 64);
		ring->head = round % 2 ? iob_rng_next(&rng) : 0;
		for (int i = 0; i < 100 && iob_ring_pop(ring, &popped); i++)
			for (int d = 0; d < IOB_NDIR; d++)
				cr_assert_leq(popped.head.n_entries[d], IOB_HIST_BUCKETS + 1);
	}
}
