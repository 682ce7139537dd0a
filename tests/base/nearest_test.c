/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "base/nearest.h"

TestSuite(nearest, .timeout = 10);

Test(nearest, a_name_is_typed_with_either_dash)
{
	cr_expect(iob_name_is("io_size", 7, "io-size"));
	cr_expect(iob_name_is("allow-write", 11, "allow_write"));
	cr_expect(iob_name_is("bs,blocksize", 2, "bs"));
	cr_expect_not(iob_name_is("io_size", 7, "io_siz"));
	cr_expect_not(iob_name_is("io_size", 7, "io_sizes"));
	cr_expect_not(iob_name_is("io_size", 7, "IO_SIZE"));
}

struct guess {
	char typed[64], best[16];
};

ParameterizedTestParameters(nearest, finds)
{
	static struct guess rows[] = {
		{"iodpeth", "iodepth"},
		{"iodeph", "iodepth"},
		{"IODEPTH", "iodepth"},
		{"io-size", "io_size"},
		{"rnutime", "runtime"},
		{"sizes", "size"},
		{"bss", "bs"},
		{"", ""},
		{"x", ""},
		{"qqqqqqq", ""},
		{"completely_different", ""},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
	};

	return cr_make_param_array(struct guess, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct guess *g, nearest, finds)
{
	static const char *const names[] = {"bs", "size", "io_size", "iodepth", "runtime",
		"a_name_that_is_far_longer_than_any_name_that_we_would_ever_have"};
	struct iob_nearest n = {.typed = g->typed};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		iob_nearest_offer(&n, names[i]);
	cr_assert_str_eq(n.best ? n.best : "", g->best);
}

Test(nearest, first_of_equals_stays)
{
	struct iob_nearest n = {.typed = "fsyn"};

	iob_nearest_offer(&n, "fsync");
	iob_nearest_offer(&n, "fsynx");
	cr_assert_str_eq(n.best, "fsync");
}
