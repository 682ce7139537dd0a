/* SPDX-License-Identifier: MIT */
/* What keys do to the model, as far as no screen is needed for it. */
#include <config.h>

#include "ui/model.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

const struct iob_param *iob_model_knob(const struct iob_model *m, unsigned knob)
{
	static const char *const names[] = {"iodepth", "bs", "rw", "rwmixread"};
	const unsigned n = sizeof(names) / sizeof(names[0]);
	const uint32_t rw = iob_model_live(m)->rw;

	/* The share of reads has a place in a mix only. */
	if (knob >= 3 && rw != IOB_RW_RW && rw != IOB_RW_RANDRW)
		knob++;
	if (knob == n)
		return iob_jobs_param();
	if (knob == n + 1)
		return iob_cap_param();
	return knob < n ? iob_param_find(names[knob]) : NULL;
}

bool iob_model_set(struct iob_model *m, const char *param, const char *text, uint64_t now_ns)
{
	struct iob_setting set = {iob_param_find(param), text};

	if (!iob_model_can_tune(m, now_ns))
		return false;
	return iob_tuning_set(&m->tuning, &m->snap, m->plan, &set, now_ns, &m->toast);
}

static void undo(struct iob_model *m, int by, uint64_t now_ns)
{
	const struct iob_live *live = iob_undo_peek(&m->undo, by);

	if (!iob_model_can_tune(m, now_ns))
		return;
	if (!live || m->tuning.state != IOB_TUNING_IDLE)
		iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns, "%s",
			live     ? "the change before this one is still on its way"
			: by < 0 ? "nothing to undo"
				 : "nothing to redo");
	else
		iob_tuning_go(
			&m->tuning, &m->snap, live, by < 0 ? IOB_TUNE_UNDO : IOB_TUNE_REDO, now_ns);
}

static bool act_sets(struct iob_model *m, enum iob_action action, uint64_t now_ns)
{
	const struct iob_param *knob = iob_model_knob(m, m->knob);

	switch (action) {
	case IOB_ACT_STEP_DOWN:
	case IOB_ACT_STEP_UP:
		if (knob == iob_cap_param())
			iob_model_act_cap(m,
				action == IOB_ACT_STEP_UP ? IOB_ACT_CAP_UP : IOB_ACT_CAP_DOWN,
				now_ns);
		else
			iob_model_turn(m, knob ? knob->name : "iodepth",
				action == IOB_ACT_STEP_UP ? 1 : -1, now_ns);
		return true;
	case IOB_ACT_UNDO:
	case IOB_ACT_REDO:
		undo(m, action == IOB_ACT_UNDO ? -1 : 1, now_ns);
		return true;
	case IOB_ACT_SWEEP:
		iob_model_sweep(m, "", now_ns);
		return true;
	case IOB_ACT_RESET:
		if (iob_model_can_tune(m, now_ns) && m->tuning.state == IOB_TUNING_IDLE)
			iob_tuning_go(&m->tuning, &m->snap, &m->snap.live, IOB_TUNE_RESET, now_ns);
		return true;
	default:
		return false;
	}
}

static bool act_tune(struct iob_model *m, enum iob_action action, uint64_t now_ns)
{
	static const struct {
		enum iob_action action;
		const char *param;
		int direction;
	} knobs[] = {
		{IOB_ACT_DEPTH_DOWN, "iodepth", -1},
		{IOB_ACT_DEPTH_UP, "iodepth", 1},
		{IOB_ACT_BS_DOWN, "bs", -1},
		{IOB_ACT_BS_UP, "bs", 1},
		{IOB_ACT_READ_DOWN, "rwmixread", -1},
		{IOB_ACT_READ_UP, "rwmixread", 1},
		{IOB_ACT_RW_DOWN, "rw", -1},
		{IOB_ACT_RW_UP, "rw", 1},
	};

	for (size_t i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
		if (knobs[i].action == action) {
			iob_model_turn(m, knobs[i].param, knobs[i].direction, now_ns);
			return true;
		}
	}
	if (action == IOB_ACT_JOBS_DOWN || action == IOB_ACT_JOBS_UP) {
		iob_model_turn(
			m, iob_jobs_param()->name, action == IOB_ACT_JOBS_UP ? 1 : -1, now_ns);
		return true;
	}
	if (action != IOB_ACT_PAUSE)
		return false;
	if (iob_model_can_tune(m, now_ns)) {
		iob_tuning_pause(&m->tuning, &m->snap, now_ns);
		iob_tuning_tick(&m->tuning, &m->source, &m->snap, now_ns, &m->toast);
	}
	return true;
}

static void set_baseline(struct iob_model *m, uint64_t now_ns)
{
	m->has_base = !m->has_base && m->shown.view.segment.all.ios > 0;
	m->base = m->shown.view.segment;
	if (m->has_base)
		iob_toast_say(&m->toast, IOB_TOAST_OK, now_ns,
			"baseline: the figures of this segment; b again ends the comparison");
}

static void freeze(struct iob_model *m, uint64_t now_ns)
{
	if (m->frozen_ns)
		m->frozen_ns = 0;
	else if (iob_model_is_running(m))
		m->frozen_ns = now_ns;
}

uint64_t iob_model_time_ms(const struct iob_model *m)
{
	const struct iob_recorder_view *v = &m->snap.view;

	return v->t0_ns && v->now_ns > v->t0_ns ? (v->now_ns - v->t0_ns) / IOB_NS_PER_MS : 0;
}

void iob_model_mark(struct iob_model *m, uint64_t ms, const char *text, uint64_t now_ns)
{
	bool room = iob_marks_add(&m->marks, ms, text);

	if (room && m->source.note_marks)
		m->source.note_marks(m->source.self, &m->marks);

	iob_toast_say(&m->toast, room ? IOB_TOAST_OK : IOB_TOAST_WARN, now_ns, "%s",
		room ? "marked" : "no room for more marks in this run");
}

static size_t entry_count(const struct iob_model *m)
{
	return m->changes.count + m->marks.count;
}

void iob_model_search(struct iob_model *m, const char *text, int by, uint64_t now_ns)
{
	size_t n = entry_count(m);
	char line[256];

	if (text != m->search)
		snprintf(m->search, sizeof(m->search), "%s", text);
	for (size_t step = 1; step <= n && m->search[0]; step++) {
		size_t i = (m->selected + (by > 0 ? step : n - step % n)) % n;
		struct iob_entry e;

		if (iob_entry_at(&m->changes, &m->marks, i, &e) &&
			strcasestr(
				iob_entry_text(&m->changes, &e, line, sizeof(line)), m->search)) {
			m->selected = i;
			m->panels.focus = IOB_PANEL_CHANGES;
			return;
		}
	}
	iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns, "not found in the changes: %s", m->search);
}

/* The graph shows the selected entry in its middle. */
static void jump(struct iob_model *m)
{
	struct iob_entry e;
	uint64_t columns, age_ms;

	if (!iob_entry_at(&m->changes, &m->marks, m->selected, &e))
		return;
	age_ms = iob_model_time_ms(m) > e.ms ? iob_model_time_ms(m) - e.ms : 0;
	columns = age_ms / 1000 / iob_model_zoom_s(m);
	size_t half = m->panels.cols > 20 ? (size_t)(m->panels.cols - 8) / 2 : 30;
	m->back = columns > half ? columns - half : 0;
}

static void move_in_list(size_t *at, size_t most, enum iob_action action)
{
	size_t page = 10;

	if (action == IOB_ACT_DOWN)
		*at += 1;
	else if (action == IOB_ACT_UP)
		*at -= *at ? 1 : 0;
	else if (action == IOB_ACT_PAGE_DOWN)
		*at += page;
	else if (action == IOB_ACT_PAGE_UP)
		*at -= *at > page ? page : *at;
	else if (action == IOB_ACT_FIRST)
		*at = 0;
	else if (action == IOB_ACT_LAST)
		*at = most;
	*at = *at < most ? *at : most;
}

static void pan(struct iob_model *m, enum iob_action action)
{
	size_t step = action == IOB_ACT_PAGE_UP || action == IOB_ACT_PAGE_DOWN ? 60 : 10;
	size_t most = m->history.closed / 10 / iob_model_zoom_s(m);

	if (action == IOB_ACT_LEFT || action == IOB_ACT_PAGE_UP)
		m->back += step;
	else if (action == IOB_ACT_RIGHT || action == IOB_ACT_PAGE_DOWN)
		m->back -= m->back > step ? step : m->back;
	else if (action == IOB_ACT_FIRST)
		m->back = most;
	else if (action == IOB_ACT_LAST)
		m->back = 0;
	m->back = m->back < most ? m->back : most;
}

static void move_in_panel(struct iob_model *m, enum iob_action action)
{
	switch (m->panels.focus) {
	case IOB_PANEL_STRIP:
		if (action == IOB_ACT_LEFT && m->knob > 0)
			m->knob--;
		else if (action == IOB_ACT_RIGHT && iob_model_knob(m, m->knob + 1))
			m->knob++;
		break;
	case IOB_PANEL_GRAPH:
		pan(m, action);
		break;
	case IOB_PANEL_CHANGES:
		move_in_list(&m->selected, entry_count(m) ? entry_count(m) - 1 : 0, action);
		break;
	case IOB_PANEL_JOBS:
		move_in_list(&m->first_job, m->snap.workers ? m->snap.workers - 1 : 0, action);
		break;
	case IOB_PANEL_LATENCY:
	case IOB_PANEL_DISK:
	case IOB_NPANELS:
		break;
	}
}

static bool act_panels(struct iob_model *m, enum iob_action action)
{
	if (action >= IOB_ACT_UP && action <= IOB_ACT_LAST) {
		move_in_panel(m, action);
		return true;
	}
	if (action >= IOB_ACT_PANEL_1 && action <= IOB_ACT_PANEL_5) {
		iob_panels_toggle(&m->panels,
			(enum iob_panel)(IOB_PANEL_GRAPH + (int)(action - IOB_ACT_PANEL_1)));
		return true;
	}
	switch (action) {
	case IOB_ACT_NEXT_FIELD:
		iob_panels_move(&m->panels, 1);
		return true;
	case IOB_ACT_PREVIOUS_FIELD:
		iob_panels_move(&m->panels, -1);
		return true;
	case IOB_ACT_ENLARGE:
		iob_panels_enlarge(&m->panels);
		return true;
	case IOB_ACT_EDIT:
		if (m->panels.focus == IOB_PANEL_CHANGES)
			jump(m);
		return true;
	default:
		return false;
	}
}

static const unsigned zooms[] = {1, 2, 5, 10, 30, 60};
#define NZOOMS (sizeof(zooms) / sizeof(zooms[0]))

unsigned iob_model_zoom_s(const struct iob_model *m)
{
	return zooms[m->zoom < NZOOMS ? m->zoom : NZOOMS - 1];
}

bool iob_model_set_zoom(struct iob_model *m, unsigned seconds)
{
	for (unsigned i = 0; i < NZOOMS; i++) {
		if (zooms[i] != seconds)
			continue;
		m->back = m->back * iob_model_zoom_s(m) / seconds;
		m->zoom = i;
		return true;
	}
	return false;
}

static void zoom(struct iob_model *m, int by)
{
	if (by > 0 && m->zoom + 1 < NZOOMS)
		iob_model_set_zoom(m, zooms[m->zoom + 1]);
	else if (by < 0 && m->zoom > 0)
		iob_model_set_zoom(m, zooms[m->zoom - 1]);
}

/* One level back. */
static void cancel(struct iob_model *m, uint64_t now_ns)
{
	if (iob_model_end_sweep(m, now_ns))
		return;
	if (iob_tuning_cancel(&m->tuning))
		iob_toast_say(&m->toast, IOB_TOAST_OK, now_ns, "change cancelled");
	else if (m->panels.large)
		iob_panels_enlarge(&m->panels);
	else if (m->back)
		m->back = 0;
	else
		m->panels.focus = IOB_PANEL_STRIP;
}

bool iob_model_act(struct iob_model *m, enum iob_action action, uint64_t now_ns)
{
	if (act_tune(m, action, now_ns) || iob_model_act_cap(m, action, now_ns) ||
		act_sets(m, action, now_ns) || act_panels(m, action))
		return true;
	switch (action) {
	case IOB_ACT_VIEW_NEXT:
		m->view = (m->view + 1) % IOB_NMETRICS;
		return true;
	case IOB_ACT_VIEW_PREVIOUS:
		m->view = (m->view + IOB_NMETRICS - 1) % IOB_NMETRICS;
		return true;
	case IOB_ACT_ZOOM_OUT:
	case IOB_ACT_ZOOM_IN:
		zoom(m, action == IOB_ACT_ZOOM_OUT ? 1 : -1);
		return true;
	case IOB_ACT_Y_AXIS:
		m->yaxis = (m->yaxis + 1) % IOB_NYAXES;
		return true;
	case IOB_ACT_FREEZE:
		freeze(m, now_ns);
		return true;
	case IOB_ACT_BASELINE:
		set_baseline(m, now_ns);
		return true;
	case IOB_ACT_CANCEL:
		cancel(m, now_ns);
		return true;
	default:
		return false;
	}
}
