/* SPDX-License-Identifier: MIT */
#include "run/fleet_order.h"

#include <criterion/criterion.h>
#include <string.h>

#define MOST 8

static struct iob_order_member member[MOST];
static struct iob_order order = {.member = member};

/* Adds a job with so many clones; returns its number. */
static uint32_t job(unsigned clones)
{
	static uint32_t jobs;

	if (order.count == 0)
		jobs = 0;
	for (unsigned i = 0; i < clones; i++)
		member[order.count++] =
			(struct iob_order_member){.job = jobs, .wait_for = IOB_ORDER_NOBODY};
	return jobs++;
}

static void fresh(void)
{
	memset(member, 0, sizeof(member));
	order.count = 0;
}

/* One letter for each: w c r R e x. */
static const char *states(void)
{
	static char text[MOST + 1];

	for (unsigned i = 0; i < order.count; i++)
		text[i] = "wcrRex"[member[i].state];
	text[order.count] = '\0';
	return text;
}

/* All that were called are ready and start. */
static void start(void)
{
	for (unsigned i = 0; i < order.count; i++)
		if (member[i].state == IOB_ORDER_CALLED)
			member[i].state = IOB_ORDER_READY;
	cr_assert(iob_order_may_start(&order), "%s", states());
	for (unsigned i = 0; i < order.count; i++)
		if (member[i].state == IOB_ORDER_READY)
			member[i].state = IOB_ORDER_RUNNING;
}

#define EXPECT(text) cr_assert_str_eq(states(), text)

TestSuite(fleet_order, .init = fresh, .timeout = 5);

Test(fleet_order, all_without_a_barrier_are_called_at_once)
{
	job(2);
	job(1);
	cr_assert(iob_order_call(&order, 0));
	EXPECT("ccc");
	cr_assert_not(iob_order_call(&order, 0), "once");
}

Test(fleet_order, nobody_starts_before_all_that_were_called_are_ready)
{
	job(2);
	cr_assert_not(iob_order_may_start(&order), "nobody is ready");
	iob_order_call(&order, 0);
	member[0].state = IOB_ORDER_READY;
	cr_assert_not(iob_order_may_start(&order));
	member[1].state = IOB_ORDER_READY;
	cr_assert(iob_order_may_start(&order));
}

Test(fleet_order, one_that_failed_to_get_ready_holds_nobody_up)
{
	job(2);
	iob_order_call(&order, 0);
	member[0].state = IOB_ORDER_READY;
	iob_order_end(&order, 1, true);
	cr_assert(iob_order_may_start(&order));
}

Test(fleet_order, a_stonewall_waits_for_all_before_it_and_holds_those_after_it)
{
	job(2);
	job(1);
	job(1);
	member[2].stonewall = true;
	iob_order_call(&order, 0);
	EXPECT("ccww");
	start();
	iob_order_end(&order, 1, false);
	iob_order_call(&order, 0);
	EXPECT("Reww");
	iob_order_end(&order, 0, false);
	iob_order_call(&order, 0);
	EXPECT("eecc");
}

Test(fleet_order, a_stonewall_at_the_very_start_holds_nobody)
{
	job(1);
	member[0].stonewall = true;
	iob_order_call(&order, 0);
	EXPECT("c");
}

Test(fleet_order, a_delay_counts_from_the_beginning_of_all)
{
	job(1);
	job(1);
	job(1);
	member[1].delay_ns = 100;
	member[2].stonewall = true;
	member[2].delay_ns = 150;
	iob_order_call(&order, 99);
	EXPECT("cww");
	start();
	iob_order_end(&order, 0, false);
	iob_order_call(&order, 99);
	EXPECT("eww");
	iob_order_call(&order, 100);
	EXPECT("ecw");
	start();
	iob_order_end(&order, 1, false);
	iob_order_call(&order, 151);
	EXPECT("eec");
}

Test(fleet_order, wait_for_waits_for_every_clone_of_that_job_and_holds_nobody_else)
{
	uint32_t first = job(2);

	job(1);
	job(1);
	member[2].wait_for = first;
	iob_order_call(&order, 0);
	EXPECT("ccwc");
	start();
	iob_order_end(&order, 0, false);
	cr_assert_not(iob_order_call(&order, 0));
	iob_order_end(&order, 1, true);
	iob_order_call(&order, 0);
	EXPECT("eecR");
}

Test(fleet_order, exitall_ends_the_group)
{
	job(3);
	job(1);
	member[3].group = 1;
	member[0].exitall = true;
	member[2].delay_ns = 1000;
	iob_order_call(&order, 0);
	start();
	iob_order_end(&order, 0, false);
	EXPECT("eRxR");
	cr_assert(member[1].stop);
	cr_assert_not(member[3].stop);
}

Test(fleet_order, exitall_of_all_also_cancels_what_has_not_begun)
{
	job(1);
	job(1);
	member[1].stonewall = true;
	member[1].group = 1;
	member[0].exitall = true;
	member[0].scope = IOB_ORDER_ALL;
	iob_order_call(&order, 0);
	start();
	iob_order_end(&order, 0, false);
	EXPECT("ex");
	cr_assert(iob_order_is_over(&order));
}

Test(fleet_order, exitall_up_to_the_stonewall_goes_on_after_it)
{
	job(2);
	job(1);
	job(1);
	member[1].group = 1;
	member[2].delay_ns = 1000;
	member[3].stonewall = true;
	member[0].exitall = true;
	member[0].scope = IOB_ORDER_WALL;
	iob_order_call(&order, 0);
	start();
	iob_order_end(&order, 0, false);
	EXPECT("eRxw");
	cr_assert(member[1].stop);
	iob_order_end(&order, 1, false);
	iob_order_call(&order, 0);
	EXPECT("eexc");
}

Test(fleet_order, exitall_on_error_asks_for_an_error)
{
	job(3);
	member[0].exitall_on_error = member[1].exitall_on_error = true;
	iob_order_call(&order, 0);
	start();
	iob_order_end(&order, 0, false);
	cr_assert_not(member[2].stop);
	iob_order_end(&order, 1, true);
	cr_assert(member[2].stop);
	cr_assert(member[1].failed);
}

Test(fleet_order, a_stop_cancels_what_has_not_begun_and_ends_the_rest)
{
	job(1);
	job(1);
	member[1].stonewall = true;
	iob_order_call(&order, 0);
	start();
	iob_order_stop(&order);
	EXPECT("Rx");
	cr_assert(member[0].stop);
	cr_assert_not(iob_order_call(&order, UINT64_MAX));
	cr_assert_not(iob_order_is_over(&order));
	iob_order_end(&order, 0, false);
	cr_assert(iob_order_is_over(&order));
}
