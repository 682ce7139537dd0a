/* SPDX-License-Identifier: MIT */
/* What was changed during a run: shown, undone, made again, marked, found. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/ui_model.h"
#include "ui/replay.h"

TestSuite(model_history, .init = open_model, .fini = close_model, .timeout = 20);

Test(model_history, changes_carry_letters_and_effects)
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

/* A change comes into force. */
Test(model_history, changes_are_undone_and_redone)
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

Test(model_history, a_new_change_ends_what_could_be_redone)
{
	turn_to(IOB_ACT_DEPTH_UP, 0);
	turn_to(IOB_ACT_UNDO, 1000);
	turn_to(IOB_ACT_BS_UP, 2000);
	turn_to(IOB_ACT_REDO, 3000);
	cr_assert_eq(fake.live.iodepth, 32);
	turn_to(IOB_ACT_UNDO, 4000);
	cr_assert_eq(fake.live.bs[IOB_READ].min, 4096);
}

Test(model_history, a_pause_is_neither_undone_nor_ended_by_undo)
{
	turn_to(IOB_ACT_DEPTH_UP, 0);
	turn_to(IOB_ACT_PAUSE, 1000);
	turn_to(IOB_ACT_UNDO, 2000);
	cr_assert_eq(fake.live.iodepth, 32);
	cr_assert(fake.live.paused);
}

Test(model_history, many_changes_keep_the_newest_to_undo)
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

Test(model_history, changes_are_recorded_to_be_made_again)
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

Test(model_history, marks_and_changes_are_listed_by_time)
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

Test(model_history, search_goes_from_hit_to_hit_and_round)
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
