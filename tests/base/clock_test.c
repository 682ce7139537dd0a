/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/clock.h"

TestSuite(clock, .timeout = 20);

static void stays_near_monotonic(void)
{
	uint64_t before = iob_monotonic_ns();
	uint64_t now = iob_now_ns();
	uint64_t after = iob_monotonic_ns();

	/* Two scales measured over 10 ms: parts in ten thousand of the time since. */
	uint64_t slack = 200 * IOB_NS_PER_US;
	cr_assert_geq(now + slack, before);
	cr_assert_leq(now, after + slack);
}

Test(clock, works_without_being_initialised)
{
	cr_assert_not(iob_clock_scale.tsc);
	stays_near_monotonic();
}

Test(clock, agrees_with_the_kernel_after_a_while)
{
	iob_clock_init();
	stays_near_monotonic();
	uint64_t until = iob_monotonic_ns() + 50 * IOB_NS_PER_MS;
	while (iob_monotonic_ns() < until)
		;
	stays_near_monotonic();
}

Test(clock, never_runs_backwards)
{
	iob_clock_init();
	uint64_t last = iob_now_ns();
	for (int i = 0; i < 200000; i++) {
		uint64_t now = iob_now_ns();

		cr_assert_geq(now, last);
		last = now;
	}
}

Test(clock, is_measured_once)
{
	iob_clock_init();
	struct iob_clock first = iob_clock_scale;
	iob_clock_init();
	cr_assert_eq(first.base_tsc, iob_clock_scale.base_tsc);
	cr_assert_eq(first.mult, iob_clock_scale.mult);
}

Test(clock, scale_of_another_process_is_adopted)
{
	struct iob_clock slow = {.tsc = true, .base_tsc = 0, .base_ns = 1, .mult = 0};

#if defined(__x86_64__)
	iob_clock_adopt(&slow);
	cr_assert_eq(iob_now_ns(), 1);
#else
	(void)slow;
	cr_skip_test("only x86-64 reads the counter directly");
#endif
}

Test(clock, sleeps_until_not_less)
{
	iob_clock_init();
	uint64_t start = iob_now_ns();
	iob_sleep_until(start + 20 * IOB_NS_PER_MS);
	uint64_t slept = iob_now_ns() - start;
	cr_assert_geq(slept, 20 * IOB_NS_PER_MS - 200 * IOB_NS_PER_US);
	cr_assert_lt(slept, 10 * IOB_NS_PER_S);
	start = iob_monotonic_ns();
	iob_sleep_until(1);
	cr_assert_lt(iob_monotonic_ns() - start, IOB_NS_PER_S, "a time that is past returns");
}
