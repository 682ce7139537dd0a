/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

TestSuite(array, .timeout = 20);

/* Under the address sanitizer a place without room is seen. */
Test(array, holds_what_was_put_in)
{
	size_t *item = NULL;

	for (size_t n = 0; n < 5000; n++) {
		size_t *grown = iob_array_extend(item, n, sizeof(*grown));

		cr_assert_not_null(grown);
		item = grown;
		item[n] = n * 7;
	}
	for (size_t i = 0; i < 5000; i++)
		cr_assert_eq(item[i], i * 7);
	free(item);
}

Test(array, moves_seldom)
{
	char *item = NULL;
	unsigned allocations = 0;

	for (size_t n = 0; n < 4096; n++) {
		size_t before = item ? (uintptr_t)item : 0;
		char *grown = iob_array_extend(item, n, 1);

		allocations += n == 0 || before != (uintptr_t)grown;
		item = grown;
	}
	cr_assert_leq(allocations, 10, "%u", allocations);
	free(item);
}

Test(array, may_be_cut_and_go_on)
{
	int *item = NULL;

	for (size_t cut = 0; cut < 40; cut++) {
		for (size_t n = cut; n < 40; n++) {
			item = iob_array_extend(item, n, sizeof(*item));
			cr_assert_not_null(item);
			item[n] = (int)n;
		}
		for (int i = 0; i < 40; i++)
			cr_assert_eq(item[i], i);
	}
	free(item);
}
