/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/model.h"
#include "ui/replay.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "tests/support/ui_source.h"

#define START (1000 * IOB_NS_PER_S)

static struct iob_fake fake;
static struct iob_model *m;

static void open_model(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	iob_fake_open(&fake);
	fake.now_ms = 10000;
	m = calloc(1, sizeof(*m));
	m->plan = fake.plan;
	m->source = iob_fake_source(&fake);
	iob_model_update(m, START);
}

static void close_model(void)
{
	iob_model_free(m);
	free(m);
	iob_fake_close(&fake);
}

TestSuite(model, .init = open_model, .fini = close_model, .timeout = 20);

static uint64_t after_ms(uint64_t ms)
{
	return START + ms * IOB_NS_PER_MS;
}

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

Test(model, changes_carry_letters_and_effects)
{
	char effect[128];

	iob_model_act(m, IOB_ACT_DEPTH_UP, START);
	iob_model_update(m, after_ms(400));
	fake.now_ms += 1000;
	iob_model_update(m, after_ms(1400));
	cr_assert_eq(m->changes.count, 2);
	cr_assert_eq(m->changes.item[0].letter, '0');
	cr_assert_eq(m->changes.item[1].letter, 'a');
	cr_assert_str_eq(m->changes.item[1].what, "qd 32>64");
	cr_assert_str_eq(iob_change_effect(&m->changes, 0, effect, sizeof(effect)), "");
	cr_assert_str_eq(
		iob_change_effect(&m->changes, 1, effect, sizeof(effect)), "measuring ...");
	fake.now_ms += 4000;
	iob_model_update(m, after_ms(5400));
	iob_change_effect(&m->changes, 1, effect, sizeof(effect));
	cr_assert_str_eq(effect, "~IOPS +20% MiB/s +20% p99 +100%");
	fake.now_ms += 10000;
	iob_model_update(m, after_ms(15400));
	iob_change_effect(&m->changes, 1, effect, sizeof(effect));
	cr_assert_str_eq(effect, "IOPS +20% MiB/s +20% p99 +100%");
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

/* A change comes into force. */
static void turn_to(enum iob_action action, uint64_t ms)
{
	iob_model_act(m, action, after_ms(ms));
	iob_model_update(m, after_ms(ms + 400));
	fake.now_ms += 1000;
	iob_model_update(m, after_ms(ms + 900));
}

Test(model, changes_are_undone_and_redone)
{
	turn_to(IOB_ACT_DEPTH_UP, 0);
	turn_to(IOB_ACT_BS_UP, 1000);
	cr_assert_eq(fake.live.iodepth, 64);
	cr_assert_eq(fake.live.bs[IOB_READ].min, 8192);
	turn_to(IOB_ACT_UNDO, 2000);
	cr_assert_eq(fake.live.bs[IOB_READ].min, 4096);
	cr_assert_eq(fake.live.iodepth, 64);
	cr_assert_not_null(strstr(m->toast.text, "undone, "));
	turn_to(IOB_ACT_UNDO, 3000);
	cr_assert_eq(fake.live.iodepth, 32);
	turn_to(IOB_ACT_UNDO, 4000);
	cr_assert_not_null(strstr(m->toast.text, "nothing to undo"));
	turn_to(IOB_ACT_REDO, 5000);
	turn_to(IOB_ACT_REDO, 6000);
	cr_assert_eq(fake.live.iodepth, 64);
	cr_assert_eq(fake.live.bs[IOB_READ].min, 8192);
	turn_to(IOB_ACT_REDO, 7000);
	cr_assert_not_null(strstr(m->toast.text, "nothing to redo"));
}

Test(model, a_new_change_ends_what_could_be_redone)
{
	turn_to(IOB_ACT_DEPTH_UP, 0);
	turn_to(IOB_ACT_UNDO, 1000);
	turn_to(IOB_ACT_BS_UP, 2000);
	turn_to(IOB_ACT_REDO, 3000);
	cr_assert_eq(fake.live.iodepth, 32);
	turn_to(IOB_ACT_UNDO, 4000);
	cr_assert_eq(fake.live.bs[IOB_READ].min, 4096);
}

Test(model, a_pause_is_neither_undone_nor_ended_by_undo)
{
	turn_to(IOB_ACT_DEPTH_UP, 0);
	turn_to(IOB_ACT_PAUSE, 1000);
	turn_to(IOB_ACT_UNDO, 2000);
	cr_assert_eq(fake.live.iodepth, 32);
	cr_assert(fake.live.paused);
}

Test(model, many_changes_keep_the_newest_to_undo)
{
	struct iob_undo u = {.count = 0};
	struct iob_live a = fake.live, b = a;

	for (uint64_t i = 0; i < 200; i++, a = b) {
		b.iodepth = 100 + i;
		iob_undo_note(&u, &a, &b);
	}
	cr_assert_eq(u.count, IOB_UNDO_MOST);
	cr_assert_eq(iob_undo_peek(&u, -1)->iodepth, 298);
	cr_assert_null(iob_undo_peek(&u, 1));
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

Test(model, changes_are_recorded_to_be_made_again)
{
	struct iob_replay r = {.count = 0};

	cr_assert_not(iob_replay_record(&r, &m->changes));
	fake.now_ms = 5000;
	turn_to(IOB_ACT_DEPTH_UP, 5000);
	iob_model_act(m, IOB_ACT_PAUSE, START + 10 * IOB_NS_PER_S);
	iob_model_update(m, START + 11 * IOB_NS_PER_S);
	iob_model_update(m, START + 12 * IOB_NS_PER_S);
	cr_assert(iob_replay_record(&r, &m->changes));
	cr_assert_eq(r.count, 1);
	cr_assert_null(iob_replay_due(&r, r.step[0].at_ms - 1));
	const struct iob_live *live = iob_replay_due(&r, r.step[0].at_ms);
	cr_assert_not_null(live);
	cr_assert_eq(live->iodepth, 64);
	cr_assert_null(iob_replay_due(&r, UINT64_MAX));
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

Test(model, marks_and_changes_are_listed_by_time)
{
	struct iob_entry e;
	char text[256];

	iob_model_mark(m, 5000, "before\033", START);
	turn_to(IOB_ACT_DEPTH_UP, 0);
	iob_model_mark(m, 99000, "after", START);
	cr_assert(iob_entry_at(&m->changes, &m->marks, 0, &e));
	cr_assert_str_eq(iob_entry_text(&m->changes, &e, text, sizeof(text)), "! 01:39 after");
	cr_assert(iob_entry_at(&m->changes, &m->marks, 1, &e));
	cr_assert_eq(e.change->letter, 'a');
	cr_assert(iob_entry_at(&m->changes, &m->marks, 2, &e));
	cr_assert_str_eq(e.mark->text, "before?");
	cr_assert(iob_entry_at(&m->changes, &m->marks, 3, &e));
	cr_assert_not(iob_entry_at(&m->changes, &m->marks, 4, &e));
	cr_assert_eq(fake.marks.count, 2);
	cr_assert_str_eq(fake.marks.item[0].text, "before?");
}

Test(model, search_goes_from_hit_to_hit_and_round)
{
	iob_model_mark(m, 11000, "fan off", START);
	iob_model_mark(m, 12000, "something", START);
	iob_model_mark(m, 13000, "fan on", START);
	iob_model_search(m, "FAN", 1, START);
	cr_assert_eq(m->selected, 2);
	iob_model_search(m, m->search, 1, START);
	cr_assert_eq(m->selected, 0);
	iob_model_search(m, m->search, -1, START);
	cr_assert_eq(m->selected, 2);
	iob_model_search(m, "nowhere", 1, START);
	cr_assert_eq(m->toast.level, IOB_TOAST_WARN);
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

static void settle(uint64_t ms)
{
	iob_model_update(m, after_ms(ms));
	iob_model_update(m, after_ms(ms + 100));
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

Test(model, the_sweep_of_the_plan_is_followed_until_a_knob_is_turned)
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

Test(model, a_step_of_the_plans_sweep_that_is_refused_is_said_once)
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

Test(model, a_sweep_makes_its_steps_and_says_the_knee)
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

Test(model, a_knob_or_escape_ends_a_sweep)
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

Test(model, a_sweep_that_cannot_be_is_refused)
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
