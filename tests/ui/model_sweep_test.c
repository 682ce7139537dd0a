/* SPDX-License-Identifier: MIT */
/* Sweeps in the dashboard: that of the plan, and those started by hand. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/ui_model.h"

TestSuite(model_sweep, .init = open_model, .fini = close_model, .timeout = 20);

Test(model_sweep, the_sweep_of_the_plan_is_followed_until_a_knob_is_turned)
{
	snprintf(fake.plan->sweep.param, sizeof(fake.plan->sweep.param), "iodepth");
	fake.plan->sweep.from = 1;
	fake.plan->sweep.to = 8;
	iob_model_update(m, START);
	iob_model_update(m, after_ms(100));
	cr_assert_eq(fake.follows, 2);
	iob_model_act(m, IOB_ACT_PAUSE, after_ms(200));
	settle(200);
	cr_assert_not(m->sweep_over);
	iob_model_act(m, IOB_ACT_DEPTH_UP, after_ms(500));
	unsigned before = fake.follows;
	settle(900);
	settle(1900);
	cr_assert(m->sweep_over);
	cr_assert_eq(fake.follows, before);
}

Test(model_sweep, a_step_of_the_plans_sweep_that_is_refused_is_said_once)
{
	snprintf(fake.plan->sweep.param, sizeof(fake.plan->sweep.param), "iodepth");
	fake.follow_text = "no room";
	settle(0);
	cr_assert_eq(fake.follows, 1);
	cr_assert_str_eq(m->toast.text, "the sweep ends here: no room");
}

static uint64_t run_for(uint64_t from_ms, uint64_t ms)
{
	for (uint64_t end = from_ms + ms; from_ms < end; from_ms += 100) {
		fake.now_ms += 100;
		iob_model_update(m, after_ms(from_ms));
	}
	return from_ms;
}

Test(model_sweep, a_sweep_makes_its_steps_and_says_the_knee)
{
	cr_assert(iob_model_sweep(m, "iodepth=8..64 1s", START), "%s", m->toast.text);
	run_for(0, 6000);
	cr_assert_not(iob_sweep_drive_is_on(&m->drive));
	cr_assert_eq(fake.live.iodepth, 64);
	cr_assert_eq(fake.nsegments, 5);
	cr_assert_str_eq(
		m->marks.item[0].text, "knee: iodepth 64 gives 100% of the most IOPS (120k at 64)");
	cr_assert_eq(m->marks.count, 1);
	cr_assert_str_eq(fake.sweep.param, "iodepth");
	cr_assert_eq(fake.follows, 0);
	iob_model_act(m, IOB_ACT_UNDO, after_ms(7000));
	settle(7000);
	cr_assert_eq(fake.live.iodepth, 32);
}

Test(model_sweep, a_knob_or_escape_ends_a_sweep)
{
	iob_model_act(m, IOB_ACT_SWEEP, START);
	cr_assert_eq(m->drive.steps, 9);
	run_for(0, 1000);
	cr_assert_eq(fake.live.iodepth, 1);
	iob_model_act(m, IOB_ACT_CANCEL, after_ms(1000));
	cr_assert_not(iob_sweep_drive_is_on(&m->drive));
	cr_assert_eq(m->marks.count, 0);
	iob_model_act(m, IOB_ACT_SWEEP, after_ms(1100));
	run_for(1100, 1000);
	iob_model_act(m, IOB_ACT_DEPTH_UP, after_ms(2100));
	run_for(2100, 1000);
	cr_assert_not(iob_sweep_drive_is_on(&m->drive));
	cr_assert_eq(fake.live.iodepth, 2);
}

Test(model_sweep, a_sweep_that_cannot_be_is_refused)
{
	cr_assert_not(iob_model_sweep(m, "rwmixread=1..4", START));
	cr_assert_not(iob_model_sweep(m, "iodepth=1..4 1ms", START));
	cr_assert_not_null(strstr(m->toast.text, "100ms"));
	fake.capacity = 1;
	iob_model_update(m, START);
	iob_model_act(m, IOB_ACT_SWEEP, START);
	cr_assert_not_null(strstr(m->toast.text, "one I/O at a time"));
	cr_assert_eq(fake.tunes, 0);
}
