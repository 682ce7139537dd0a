/* SPDX-License-Identifier: MIT */
/* What the keys of a run do: knobs that are staged and turned, views, caps. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/ui_model.h"

TestSuite(model, .init = open_model, .fini = close_model, .timeout = 20);

Test(model, a_press_is_staged_for_four_tenths_of_a_second)
{
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	cr_assert_eq(m->tuning.state, IOB_TUNING_STAGED);
	cr_assert_eq(m->tuning.wanted.iodepth, 64);
	iob_model_update(m, after_ms(399));
	cr_assert_eq(fake.tunes, 0);
	iob_model_update(m, after_ms(400));
	cr_assert_eq(fake.tunes, 1);
	cr_assert_eq(fake.live.iodepth, 64);
	iob_model_update(m, after_ms(500));
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_eq(m->toast.level, IOB_TOAST_OK);
	cr_assert_not_null(strstr(m->toast.text, "in force within 100 ms: qd 32>64"));
}

Test(model, presses_coalesce_to_one_change)
{
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_act(m, IOB_ACT_DEPTH_UP, after_ms(300));
	iob_model_act(m, IOB_ACT_BS_UP, after_ms(600));
	iob_model_update(m, after_ms(999));
	cr_assert_eq(fake.tunes, 0);
	iob_model_update(m, after_ms(1000));
	cr_assert_eq(fake.tunes, 1);
	cr_assert_eq(fake.live.iodepth, 128);
	cr_assert_eq(fake.live.bs[IOB_READ].min, 8192);
	cr_assert_eq(fake.nsegments, 2);
}

Test(model, escape_cancels_what_is_staged_and_nothing_else)
{
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_act(m, IOB_ACT_CANCEL, after_ms(100));
	iob_model_update(m, after_ms(1000));
	cr_assert_eq(fake.tunes, 0);
	cr_assert_eq(fake.stops, 0);
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
}

Test(model, there_and_back_again_is_no_change)
{
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_act(m, IOB_ACT_DEPTH_DOWN, after_ms(100));
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	iob_model_update(m, after_ms(1000));
	cr_assert_eq(fake.tunes, 0);
}

Test(model, depth_stops_at_the_capacity)
{
	fake.capacity = 48;
	iob_model_update(m, START);
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	cr_assert_eq(m->tuning.wanted.iodepth, 48);
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	cr_assert_eq(m->tuning.wanted.iodepth, 48);
	cr_assert_eq(m->toast.level, IOB_TOAST_WARN);
	cr_assert_not_null(strstr(m->toast.text, "48"));
}

Test(model, read_share_moves_by_five_within_its_bounds)
{
	iob_model_act(m, IOB_ACT_READ_UP, START);
	cr_assert_eq(m->tuning.wanted.rwmixread, 75);
	for (int i = 0; i < 10; i++)
		iob_model_act(m, IOB_ACT_READ_UP, START);
	cr_assert_eq(m->tuning.wanted.rwmixread, 100);
}

Test(model, busy_is_asked_again)
{
	fake.tune_code = -EBUSY;
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_update(m, after_ms(400));
	cr_assert_eq(m->tuning.state, IOB_TUNING_STAGED);
	fake.tune_code = 0;
	iob_model_update(m, after_ms(450));
	cr_assert_eq(fake.tunes, 0);
	iob_model_update(m, after_ms(500));
	cr_assert_eq(fake.tunes, 1);
}

Test(model, a_refusal_is_shown_until_the_next_key)
{
	fake.tune_code = -EPERM;
	fake.tune_text = "writes need consent";
	iob_model_act(m, IOB_ACT_READ_DOWN, START);
	iob_model_update(m, after_ms(400));
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_eq(m->toast.level, IOB_TOAST_ERROR);
	cr_assert_str_eq(m->toast.text, "writes need consent");
	iob_model_update(m, after_ms(60000));
	cr_assert_eq(m->toast.level, IOB_TOAST_ERROR);
	iob_toast_key(&m->toast);
	cr_assert_eq(m->toast.level, IOB_TOAST_NONE);
}

Test(model, a_slow_change_is_said_and_one_that_never_comes_is_given_up)
{
	fake.hold = true;
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_update(m, after_ms(400));
	iob_model_update(m, after_ms(2000));
	cr_assert_eq(m->toast.level, IOB_TOAST_NONE);
	iob_model_update(m, after_ms(2500));
	cr_assert_eq(m->toast.level, IOB_TOAST_WARN);
	fake.hold = false; /* no longer pending, and not in force either */
	iob_model_update(m, after_ms(3500));
	cr_assert_eq(m->toast.level, IOB_TOAST_ERROR);
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
}

Test(model, a_change_that_the_workers_refuse_is_said_with_their_words)
{
	fake.hold = true;
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_update(m, after_ms(400));
	iob_model_update(m, after_ms(500));
	cr_assert_eq(m->tuning.state, IOB_TUNING_SENT);
	fake.hold = false;
	fake.late_error = "no memory for this depth";
	iob_model_update(m, after_ms(600));
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_eq(m->toast.level, IOB_TOAST_ERROR);
	cr_assert_str_eq(m->toast.text, "no memory for this depth");
}

Test(model, pause_goes_at_once_and_resumes_in_a_new_segment)
{
	iob_model_act(m, IOB_ACT_PAUSE, START);
	cr_assert_eq(fake.tunes, 1);
	fake.now_ms += 2000;
	iob_model_update(m, after_ms(2000));
	cr_assert_eq(m->snap.phase, IOB_PHASE_PAUSED);
	iob_model_act(m, IOB_ACT_PAUSE, after_ms(2000));
	fake.now_ms += 5000;
	iob_model_update(m, after_ms(7000));
	cr_assert_eq(m->changes.count, 3);
	cr_assert_str_eq(m->changes.item[1].what, "paused");
	cr_assert_eq(m->changes.item[1].letter, ' ');
	cr_assert_str_eq(m->changes.item[2].what, "resumed");
	cr_assert_eq(m->changes.item[2].letter, 'a');
}

Test(model, nothing_can_be_tuned_before_the_load_runs)
{
	fake.phase = IOB_PHASE_LAYOUT;
	iob_model_update(m, START);
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_eq(m->toast.level, IOB_TOAST_WARN);
}

Test(model, a_frozen_display_stands_still_while_the_run_goes_on)
{
	iob_model_act(m, IOB_ACT_FREEZE, START);
	fake.now_ms = 20000;
	iob_model_update(m, after_ms(10000));
	cr_assert_eq(m->shown.elapsed_ns, 10 * IOB_NS_PER_S);
	cr_assert_eq(m->snap.elapsed_ns, 20 * IOB_NS_PER_S);
	cr_assert_eq(m->history.closed, 100);
	iob_model_act(m, IOB_ACT_FREEZE, after_ms(10000));
	iob_model_update(m, after_ms(10000));
	cr_assert_eq(m->history.closed, 200);
	/* The end of the run thaws it. */
	iob_model_act(m, IOB_ACT_FREEZE, after_ms(10000));
	fake.phase = IOB_PHASE_DONE;
	iob_model_update(m, after_ms(11000));
	cr_assert_eq(m->frozen_ns, 0);
}

Test(model, views_go_round_and_zooms_stop)
{
	for (int i = 0; i < IOB_NMETRICS; i++)
		iob_model_act(m, IOB_ACT_VIEW_NEXT, START);
	cr_assert_eq(m->view, IOB_METRIC_IOPS);
	iob_model_act(m, IOB_ACT_VIEW_PREVIOUS, START);
	cr_assert_eq(m->view, IOB_NMETRICS - 1);
	for (int i = 0; i < 9; i++)
		iob_model_act(m, IOB_ACT_ZOOM_OUT, START);
	cr_assert_eq(iob_model_zoom_s(m), 60);
	for (int i = 0; i < 9; i++)
		iob_model_act(m, IOB_ACT_ZOOM_IN, START);
	cr_assert_eq(iob_model_zoom_s(m), 1);
}

Test(model, a_baseline_is_set_and_cleared)
{
	iob_model_act(m, IOB_ACT_BASELINE, START);
	cr_assert(m->has_base);
	cr_assert_float_eq(m->base.all.iops, 100e3, 1);
	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_update(m, after_ms(400));
	cr_assert_float_eq(m->base.all.iops, 100e3, 1);
	iob_model_act(m, IOB_ACT_BASELINE, START);
	cr_assert_not(m->has_base);
}

Test(model, reset_begins_a_segment_with_the_same_parameters)
{
	turn_to(IOB_ACT_RESET, 0);
	cr_assert_eq(fake.tunes, 1);
	cr_assert_eq(m->changes.count, 2);
	cr_assert_str_eq(m->changes.item[1].what, "reset");
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_not_null(strstr(m->toast.text, "begin anew"));
}

Test(model, an_exact_value_goes_at_once)
{
	cr_assert(iob_model_set(m, "iodepth", "48", START));
	iob_model_update(m, START);
	cr_assert_eq(fake.live.iodepth, 48);
	cr_assert_not(iob_model_set(m, "bs", "4x", START));
	cr_assert_eq(m->toast.level, IOB_TOAST_ERROR);
	cr_assert_not_null(strstr(m->toast.text, "4x"));
}

Test(model, plus_and_minus_step_the_focused_value)
{
	iob_model_act(m, IOB_ACT_RIGHT, START);
	iob_model_act(m, IOB_ACT_STEP_UP, START);
	cr_assert_eq(m->tuning.wanted.bs[IOB_READ].min, 8192);
	iob_model_act(m, IOB_ACT_RIGHT, START);
	iob_model_act(m, IOB_ACT_RIGHT, START);
	iob_model_act(m, IOB_ACT_STEP_DOWN, START);
	cr_assert_eq(m->tuning.wanted.rwmixread, 65);
	iob_model_act(m, IOB_ACT_RIGHT, START);
	iob_model_act(m, IOB_ACT_STEP_DOWN, START);
	cr_assert_eq(m->tuning.wanted.numjobs, 3);
	/* No further than the last. */
	iob_model_act(m, IOB_ACT_RIGHT, START);
	iob_model_act(m, IOB_ACT_RIGHT, START);
	cr_assert_eq(iob_model_knob(m, m->knob), iob_cap_param());
	iob_model_act(m, IOB_ACT_STEP_UP, START);
	cr_assert_not_null(strstr(m->toast.text, "no cap to turn"));
	cr_assert_null(iob_model_knob(m, m->knob + 1));
}

Test(model, workers_are_turned_and_the_cap_of_all_stays)
{
	cr_assert(iob_model_set_cap(m, "20k", START));
	iob_model_update(m, START);
	iob_model_update(m, START + IOB_NS_PER_S);
	cr_assert_eq(iob_cap_total(&fake.live, m->tuning.scope), 20000);
	turn_to(IOB_ACT_JOBS_UP, 5000);
	cr_assert_eq(fake.live.numjobs, 5);
	cr_assert_eq(iob_cap_total(&fake.live, m->tuning.scope), 20000);
	cr_assert_str_eq(m->changes.item[m->changes.count - 1].what, "jobs 4>5");
}

Test(model, one_step_below_all_reads_would_be_the_first_write)
{
	fake.plan->stage[0].rw = fake.live.rw = IOB_RW_RANDREAD;
	iob_model_update(m, START);
	iob_model_act(m, IOB_ACT_READ_UP, START);
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_not_null(strstr(m->toast.text, "all are reads"), "%s", m->toast.text);
	iob_model_act(m, IOB_ACT_READ_DOWN, START);
	cr_assert_eq(m->tuning.wanted.rwmixread, 95);
	fake.tune_code = -EPERM;
	fake.tune_refused = true;
	iob_model_update(m, START + IOB_NS_PER_S);
	cr_assert(m->tuning.refused);
	cr_assert_eq(m->tuning.wanted.rw, IOB_RW_RANDRW);
	cr_assert_eq(m->tuning.wanted.rwmixread, 95);
}

Test(model, the_pattern_is_turned)
{
	turn_to(IOB_ACT_RW_DOWN, 5000);
	cr_assert_str_eq(m->changes.item[1].what, "rw randrw>randwrite");
	cr_assert(iob_model_set(m, "rw", "read", START));
	cr_assert_eq(m->tuning.wanted.rw, IOB_RW_READ);
	cr_assert_eq(iob_model_knob(m, 3), iob_param_find("numjobs"));
}

Test(model, a_mix_that_leaves_a_direction_out_has_no_rate_for_it)
{
	cr_assert(iob_model_set(m, "rwmixread", "100", START));
	iob_model_update(m, START);
	iob_model_update(m, START + IOB_NS_PER_S);
	cr_assert(iob_model_set_cap(m, "20k", START));
	cr_assert_eq(m->tuning.wanted.rate_iops[IOB_READ], 5000);
	cr_assert_eq(m->tuning.wanted.rate_iops[IOB_WRITE], 0);
	cr_assert(iob_model_set(m, "rwmixread", "75", START));
	cr_assert_eq(m->tuning.wanted.rate_iops[IOB_READ], 3750);
	cr_assert_eq(m->tuning.wanted.rate_iops[IOB_WRITE], 1250);
}

Test(model, tab_goes_round_the_panels_that_are_there)
{
	m->panels.rows = 24;
	m->panels.cols = 80;
	/* No room for the jobs. */
	static const enum iob_panel round[] = {IOB_PANEL_GRAPH, IOB_PANEL_LATENCY, IOB_PANEL_DISK,
		IOB_PANEL_CHANGES, IOB_PANEL_STRIP};
	for (int i = 0; i < 5; i++) {
		iob_model_act(m, IOB_ACT_NEXT_FIELD, START);
		cr_assert_eq(m->panels.focus, round[i]);
	}
	iob_model_act(m, IOB_ACT_PANEL_1, START);
	iob_model_act(m, IOB_ACT_NEXT_FIELD, START);
	cr_assert_eq(m->panels.focus, IOB_PANEL_LATENCY);
	iob_model_act(m, IOB_ACT_PREVIOUS_FIELD, START);
	cr_assert_eq(m->panels.focus, IOB_PANEL_STRIP);
}

Test(model, a_cap_starts_at_the_present_rate_and_is_lifted_again)
{
	char text[32];

	fake.workers = 4;
	iob_model_update(m, START);
	iob_model_act(m, IOB_ACT_CAP_UP, START);
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_not_null(strstr(m->toast.text, "no cap to turn"));
	iob_model_act(m, IOB_ACT_CAP, START);
	cr_assert_eq(m->tuning.state, IOB_TUNING_STAGED);
	settle(400);
	cr_assert_eq(fake.live.rate_iops[IOB_READ], 17500);
	cr_assert_eq(fake.live.rate_iops[IOB_WRITE], 7500);
	cr_assert_eq(fake.live.rate_iops[IOB_TRIM], 0);
	cr_assert_not_null(strstr(m->toast.text, "cap off>100k"), "%s", m->toast.text);
	cr_assert_str_eq(iob_cap_format(text, sizeof(text), &fake.live, m->tuning.scope), "100k");
	iob_model_act(m, IOB_ACT_CAP, after_ms(600));
	settle(1000);
	cr_assert_eq(iob_cap_total(&fake.live, m->tuning.scope), 0);
	cr_assert_str_eq(m->changes.item[2].what, "cap 100k>off");
}

Test(model, a_cap_moves_by_a_tenth_and_can_be_undone)
{
	fake.workers = 4;
	iob_model_update(m, START);
	cr_assert(iob_model_set_cap(m, "20k", START));
	settle(0);
	cr_assert_eq(fake.live.rate_iops[IOB_READ], 3500);
	cr_assert_eq(fake.live.rate_iops[IOB_WRITE], 1500);
	iob_model_act(m, IOB_ACT_CAP_UP, after_ms(200));
	settle(600);
	cr_assert_eq(iob_cap_total(&fake.live, m->tuning.scope), 22000);
	iob_model_act(m, IOB_ACT_UNDO, after_ms(800));
	settle(800);
	cr_assert_eq(iob_cap_total(&fake.live, m->tuning.scope), 20000);
	iob_model_act(m, IOB_ACT_CAP_UP, after_ms(1000));
	iob_model_act(m, IOB_ACT_CAP_DOWN, after_ms(1000));
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
}

Test(model, a_cap_that_makes_no_sense_is_refused)
{
	cr_assert_not(iob_model_set_cap(m, "fast", START));
	cr_assert_not_null(strstr(m->toast.text, "cap fast"));
	cr_assert_not(iob_model_set_cap(m, "0", START));
	cr_assert_not_null(strstr(m->toast.text, "or off"));
	cr_assert_eq(m->tuning.state, IOB_TUNING_IDLE);
	cr_assert_eq(fake.tunes, 0);
}
