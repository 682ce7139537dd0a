/* SPDX-License-Identifier: MIT */
#include "ui/sweep_drive.h"

#include <criterion/criterion.h>

#include "base/clock.h"

#define START (1000 * IOB_NS_PER_S)

static struct iob_sweep_drive d;
static struct iob_live live;

static void begin(void)
{
	const struct iob_sweep sweep = {"iodepth", 1, 3, IOB_NS_PER_S, 0, 0};

	live = (struct iob_live){.iodepth = 8};
	iob_sweep_drive_start(&d, &sweep, START);
}

TestSuite(sweep_drive, .init = begin, .timeout = 10);

static enum iob_sweep_order look(uint64_t ms, bool pending)
{
	return iob_sweep_drive_tick(
		&d, &(struct iob_sweep_look){&live, pending, START + ms * IOB_NS_PER_MS});
}

static void asked_and_taken(uint64_t ms)
{
	cr_assert_eq(look(ms, false), IOB_SWEEP_ASK);
	live.iodepth = iob_sweep_drive_value(&d);
	cr_assert_eq(look(ms, false), IOB_SWEEP_WAIT);
	cr_assert_eq(d.state, IOB_SWEEP_HOLD);
}

Test(sweep_drive, each_value_is_held_for_its_time)
{
	asked_and_taken(0);
	cr_assert_eq(live.iodepth, 1);
	cr_assert_eq(look(999, false), IOB_SWEEP_WAIT);
	asked_and_taken(1000);
	cr_assert_eq(live.iodepth, 2);
	asked_and_taken(2000);
	cr_assert_eq(live.iodepth, 3);
	cr_assert_eq(look(2999, false), IOB_SWEEP_WAIT);
	cr_assert_eq(look(3000, false), IOB_SWEEP_DONE);
	cr_assert_not(iob_sweep_drive_is_on(&d));
	cr_assert_eq(look(9000, false), IOB_SWEEP_WAIT);
}

Test(sweep_drive, a_change_on_its_way_is_waited_for)
{
	cr_assert_eq(look(0, true), IOB_SWEEP_WAIT);
	cr_assert_eq(look(100, false), IOB_SWEEP_ASK);
	cr_assert_eq(look(200, true), IOB_SWEEP_WAIT);
	live.iodepth = 1;
	cr_assert_eq(look(700, false), IOB_SWEEP_WAIT);
	cr_assert_eq(look(1600, false), IOB_SWEEP_WAIT);
	cr_assert_eq(look(1700, false), IOB_SWEEP_ASK);
}

Test(sweep_drive, a_pause_does_not_count)
{
	asked_and_taken(0);
	look(500, false);
	live.paused = true;
	look(5500, false);
	live.paused = false;
	cr_assert_eq(look(5999, false), IOB_SWEEP_WAIT);
	cr_assert_eq(look(6000, false), IOB_SWEEP_ASK);
}

Test(sweep_drive, a_value_that_does_not_come_ends_it)
{
	cr_assert_eq(look(0, false), IOB_SWEEP_ASK);
	cr_assert_eq(look(100, true), IOB_SWEEP_WAIT);
	cr_assert_eq(look(200, false), IOB_SWEEP_REFUSED);
	cr_assert_not(iob_sweep_drive_is_on(&d));
}

Test(sweep_drive, it_says_where_it_is)
{
	char text[96];

	asked_and_taken(0);
	asked_and_taken(1000);
	cr_assert_str_eq(iob_sweep_drive_text(text, sizeof(text), &d, START + 1500 * IOB_NS_PER_MS),
		"sweep 2/3 iodepth 2, 1 s left");
}
