/* SPDX-License-Identifier: MIT */
/* Latency from intended times travels beside the service latency, with the same exactness. */
#include <config.h>

#include <criterion/criterion.h>

#include "base/rng.h"
#include "tests/support/measure_ledger.h"

TestSuite(ledger_intended, .init = set_up, .fini = tear_down, .timeout = 30);

static uint64_t n, sum;

/* A read that was due `late` before it started. */
static void paced_io(int w, enum iob_dir dir, uint64_t ns, uint64_t late)
{
	pretended_io(&worker[w], dir, 4096, ns);
	iob_accumulator_add_intended(worker[w].acc, dir, ns + late);
	n++;
	sum += ns + late;
}

Test(ledger_intended, sums_over_segments_equal_the_workers_count)
{
	struct iob_rng rng;
	struct iob_moments all = {0};
	uint64_t hist = 0;
	uint32_t k = 0;

	iob_rng_seed(&rng, 11, 0);
	for (int round = 0; round < 1000; round++) {
		if (iob_rng_below(&rng, 50) == 0)
			load_from(100 * k + 30);
		int w = (int)iob_rng_below(&rng, 2);
		worker[w].acc->segment = (uint32_t)(ledger.announced + iob_rng_below(&rng, 2));
		for (uint64_t i = iob_rng_below(&rng, 40); i > 0; i--) {
			enum iob_dir dir = (enum iob_dir)iob_rng_below(&rng, IOB_NDIR);

			if (iob_rng_below(&rng, 2))
				paced_io(w, dir, iob_rng_below(&rng, 1000000),
					iob_rng_below(&rng, 1000000000));
			else
				pretended_io(&worker[w], dir, 512, 1000);
		}
		k += (uint32_t)iob_rng_below(&rng, 3);
		enter(w, k, 0, 100 * (k + 1));
	}
	for (size_t i = 0; i < ledger.room; i++)
		for (int d = 0; d < IOB_NDIR; d++) {
			const struct iob_segment *s = &ledger.segment[i];

			iob_moments_add(&all, &s->dir[d].intended);
			hist += s->intended[d] ? s->intended[d]->total : 0;
			cr_assert_leq(s->dir[d].intended.n, s->dir[d].ios);
		}
	cr_assert_gt(n, 5000);
	cr_assert_eq(all.n, n);
	cr_assert_eq(hist, n);
	cr_assert_eq(all.sum_ns, sum);
}

Test(ledger_intended, figures_have_both_latencies)
{
	struct iob_recorder_view view = {0};
	struct iob_segment_figures stage;

	load_from(0);
	for (uint64_t i = 0; i < 100; i++)
		paced_io(0, IOB_READ, 1000, i * 1000000);
	paced_io(0, IOB_WRITE, 2000, 0);
	enter(0, 0, 0, 101);
	pretended_io(&worker[1], IOB_READ, 4096, 1000);
	enter(1, 0, 0, 102);
	iob_ledger_finish(&ledger, at(102));
	iob_ledger_view(&ledger, at(103), &view);
	iob_ledger_totals(&ledger, 0, at(103), &stage, NULL, NULL);
	const struct iob_segment_figures *each[] = {&view.now, &view.segment, &view.total, &stage};
	for (int i = 0; i < 4; i++) {
		const struct iob_figures *read = &each[i]->dir[IOB_READ];

		cr_assert_eq(read->lat.n, 101);
		cr_assert_eq(read->lat.max_ns, 1000);
		cr_assert_eq(read->intended.n, 100, "%d", i);
		cr_assert_eq(read->intended.max_ns, 99001000);
		cr_assert_float_eq((double)read->intended.percentile_ns[IOB_P50], 49e6, 1e6);
		cr_assert_eq(each[i]->all.intended.n, 101);
		cr_assert_eq(each[i]->all.intended.min_ns, 1000);
	}
}

Test(ledger_intended, a_sample_over_several_intervals_is_divided)
{
	struct iob_segment_figures now;

	load_from(0);
	for (uint64_t i = 0; i < 4 * 25 + 3; i++)
		paced_io(0, IOB_READ, 1000, i);
	worker[0].next = 2;
	enter(0, 5, 0, 601);
	for (size_t k = 2; k < 6; k++) {
		const struct iob_window_slot *s = iob_window_find(&ledger.window, k);

		cr_assert_eq(s->intended[IOB_READ]->total, k < 5 ? 25 : 28);
		cr_assert_eq(s->dir[IOB_READ].intended.n, k < 5 ? 25 : 28);
	}
	iob_ledger_finish(&ledger, at(700));
	iob_ledger_recent(&ledger, 10, &now);
	cr_assert_eq(now.all.intended.n, n);
	cr_assert_float_eq(now.all.intended.mean_ns, (double)sum / (double)n, 1e-6);
}

static void tell(int w, uint32_t interval, uint64_t behind_ns)
{
	struct iob_sample s = {.interval = interval, .intervals = 1, .behind_ns = behind_ns};

	cr_assert(iob_ring_push(&rings[w], &s, worker[w].acc));
	cr_assert(iob_ring_pop(&rings[w], &popped));
	iob_ledger_sample(&ledger, (unsigned)w, &popped, at(100 * (interval + 1)));
}

Test(ledger_intended, how_far_behind_is_the_latest_word_of_the_latest_worker)
{
	struct iob_recorder_view view = {0};

	load_from(0);
	tell(0, 0, 900 * MS);
	tell(1, 0, 100 * MS);
	tell(0, 1, 300 * MS);
	tell(1, 1, 400 * MS);
	iob_ledger_view(&ledger, at(201), &view);
	cr_assert_eq(view.segment.behind_ns, 400 * MS);
	cr_assert_eq(view.total.behind_ns, 400 * MS);
	tell(0, 2, 0);
	iob_ledger_view(&ledger, at(301), &view);
	cr_assert_eq(view.segment.behind_ns, 0);
}
