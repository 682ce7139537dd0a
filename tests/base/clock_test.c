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

/* A new look after so many ms, of which the machine slept some, and our clock counted others. */
static bool agrees(uint64_t awake_ms, uint64_t slept_ms, double counted_ms)
{
	static struct iob_clock_watch watch;
	static struct iob_clock_reading r = {.kernel_ns = 1000, .ahead_ns = -7, .asleep_ns = 77};

	if (watch.first_ns == 0)
		cr_assert(iob_clock_agrees(&watch, &r));
	r.kernel_ns += awake_ms * IOB_NS_PER_MS;
	r.asleep_ns += slept_ms * IOB_NS_PER_MS;
	r.ahead_ns += (int64_t)((counted_ms - (double)awake_ms) * (double)IOB_NS_PER_MS);
	return iob_clock_agrees(&watch, &r);
}

Test(clock, may_count_on_in_a_sleep_or_stand_still)
{
	cr_assert(agrees(5, 0, 5.001));
	cr_assert(agrees(5, 60000, 60005));
	cr_assert(agrees(5, 0, 5));
	cr_assert(agrees(5, 60000, 5));
	cr_assert(agrees(5, 0, 5));
	cr_assert_not(agrees(5, 60000, 30000));
}

Test(clock, does_not_jump)
{
	cr_assert(agrees(3600000, 0, 3600100));
	cr_assert_not(agrees(5, 0, 2));
	cr_assert_not(agrees(5, 0, -3600000));
}

/* Each look sees little of it. */
Test(clock, is_not_too_slow)
{
	int looks = 1;

	while (looks < 1000 && agrees(5, 0, 4.9))
		looks++;
	cr_assert(looks > 5 && looks < 20, "%d looks", looks);
}

#if defined(__x86_64__)
static void set_back(uint64_t counts)
{
	iob_clock_scale.base_tsc += counts;
}

static void begin_looking(void)
{
	iob_clock_scale = (struct iob_clock){.tsc = false};
	iob_clock_init();
	if (!iob_clock_scale.tsc)
		cr_skip_test("the kernel does not use the TSC here");
	cr_assert(iob_clock_look());
	for (int i = 0; i < 10; i++)
		cr_assert(iob_clock_look(), "it goes with the kernel's clock");
}

/* As after a sleep in which it lost power: it counts from zero again. */
Test(clock, a_counter_that_was_set_back_is_given_up_and_time_goes_on)
{
	begin_looking();
	uint64_t before = iob_now_ns();
	set_back(UINT64_C(1) << 45);
	cr_assert_not(iob_clock_look());
	uint64_t now = iob_now_ns();
	cr_assert_geq(now + IOB_NS_PER_MS, before);
	cr_assert_leq(now, before + 10 * IOB_NS_PER_S);
	cr_assert_not(iob_clock_look(), "for good");
	iob_clock_init();
	cr_assert_not(iob_clock_scale.tsc, "for the next run, too");
	uint64_t kernel = iob_monotonic_ns();
	iob_sleep_until(iob_now_ns() + 20 * IOB_NS_PER_MS);
	cr_assert_lt(iob_monotonic_ns() - kernel, 10 * IOB_NS_PER_S);
	cr_assert_geq(iob_now_ns() - now, 20 * IOB_NS_PER_MS);
}

/* Nobody slept. */
Test(clock, a_counter_that_jumps_ahead_is_given_up)
{
	begin_looking();
	uint64_t before = iob_now_ns();
	set_back(-(UINT64_C(1) << 36));
	cr_assert_not(iob_clock_look());
	cr_assert_leq(iob_now_ns(), before + 10 * IOB_NS_PER_S);
}
#endif

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
