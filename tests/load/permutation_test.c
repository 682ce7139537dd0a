/* SPDX-License-Identifier: MIT */
/* The order in which a pass visits its blocks. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdlib.h>

#include "load/pattern.h"

Test(permutation, is_a_bijection, .timeout = 30)
{
	static const uint64_t sizes[] = {
		1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 1000, 4095, 4096, 4097, 65537, 100003};

	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		uint64_t n = sizes[s];
		unsigned char *seen = calloc(n, 1);
		struct iob_permutation p;

		iob_permutation_init(&p, n, s);
		for (uint64_t i = 0; i < n; i++) {
			uint64_t at = iob_permutation_at(&p, i);

			cr_assert_lt(at, n);
			cr_assert_eq(seen[at], 0, "n=%zu: %zu twice", (size_t)n, (size_t)at);
			seen[at] = 1;
		}
		free(seen);
	}
}

Test(permutation, a_run_is_the_places_one_by_one)
{
	static const uint64_t sizes[] = {5, 16, 17, 1000, 4097};
	uint64_t run[IOB_PATTERN_AHEAD];

	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		uint64_t n = sizes[s];
		struct iob_permutation p;

		iob_permutation_init(&p, n, s);
		for (uint64_t i = 0; i < n; i += IOB_PATTERN_AHEAD) {
			unsigned count =
				n - i < IOB_PATTERN_AHEAD ? (unsigned)(n - i) : IOB_PATTERN_AHEAD;

			iob_permutation_run(&p, i, run, count);
			for (unsigned k = 0; k < count; k++)
				cr_assert_eq(run[k], iob_permutation_at(&p, i + k));
		}
	}
}

/* Neighbours in the pass must not be neighbours on the disk, or the order is not random. */
Test(permutation, spreads, .timeout = 30)
{
	const uint64_t n = 26214400;
	struct iob_permutation p;
	double sum = 0;
	unsigned near = 0, quarter[4] = {0};
	uint64_t last = 0;

	iob_permutation_init(&p, n, 7);
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t at = iob_permutation_at(&p, i);
		uint64_t distance = at > last ? at - last : last - at;

		sum += (double)distance;
		near += distance < n / 1000;
		quarter[at / (n / 4)]++;
		last = at;
	}
	/* Of two independent uniform positions: a third of the range. */
	cr_assert_float_eq(sum / 100000 / (double)n, 1.0 / 3, 0.01);
	cr_assert_lt(near, 300);
	for (unsigned q = 0; q < 4; q++)
		cr_assert_float_eq(quarter[q] / 100000.0, 0.25, 0.01);
}

Test(permutation, depends_on_its_key)
{
	struct iob_permutation a, b;
	unsigned same = 0;

	iob_permutation_init(&a, 1000000, 1);
	iob_permutation_init(&b, 1000000, 2);
	for (uint64_t i = 0; i < 1000; i++)
		same += iob_permutation_at(&a, i) == iob_permutation_at(&b, i);
	cr_assert_lt(same, 5);
}
