/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/model.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

static const unsigned zooms[] = {1, 2, 5, 10};
#define NZOOMS (sizeof(zooms) / sizeof(zooms[0]))

unsigned iob_model_zoom_s(const struct iob_model *m)
{
	return zooms[m->zoom < NZOOMS ? m->zoom : NZOOMS - 1];
}

void iob_model_update(struct iob_model *m, uint64_t now_ns)
{
	m->now_ns = now_ns;
	iob_toast_tick(&m->toast, now_ns);
	if (!m->source.snapshot)
		return;
	m->source.snapshot(m->source.self, &m->snap);
	bool over = m->snap.phase == IOB_PHASE_DONE;
	iob_tuning_tick(&m->tuning, &m->source, &m->snap, now_ns, &m->toast);
	if (m->frozen_ns && !over)
		return;
	m->frozen_ns = 0;
	m->shown = m->snap;
	if (m->complete)
		return;
	iob_history_update(&m->history, &m->source, m->snap.view.intervals, over);
	iob_changes_update(&m->changes, &m->source, m->snap.view.nsegments);
	m->complete = over;
}

void iob_model_free(struct iob_model *m)
{
	iob_history_free(&m->history);
	iob_changes_free(&m->changes);
}

bool iob_model_is_running(const struct iob_model *m)
{
	return m->source.snapshot && m->snap.phase != IOB_PHASE_DONE;
}

static bool can_tune(struct iob_model *m, uint64_t now_ns)
{
	enum iob_phase phase = m->snap.phase;

	if (iob_model_is_running(m) && !m->snap.stop_requested &&
		(phase == IOB_PHASE_RAMP || phase == IOB_PHASE_RUNNING ||
			phase == IOB_PHASE_PAUSED))
		return true;
	iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns,
		"parameters can be turned while the load runs; now: %s", iob_phase_name(phase));
	return false;
}

static void turn(struct iob_model *m, const char *name, int direction, uint64_t now_ns)
{
	if (can_tune(m, now_ns))
		iob_tuning_step(&m->tuning, &m->snap, m->plan,
			(struct iob_step){iob_param_find(name), direction}, now_ns, &m->toast);
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
	};

	for (size_t i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
		if (knobs[i].action == action) {
			turn(m, knobs[i].param, knobs[i].direction, now_ns);
			return true;
		}
	}
	if (action != IOB_ACT_PAUSE)
		return false;
	if (can_tune(m, now_ns)) {
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

bool iob_model_act(struct iob_model *m, enum iob_action action, uint64_t now_ns)
{
	if (act_tune(m, action, now_ns))
		return true;
	switch (action) {
	case IOB_ACT_VIEW_NEXT:
		m->view = (m->view + 1) % IOB_NMETRICS;
		return true;
	case IOB_ACT_VIEW_PREVIOUS:
		m->view = (m->view + IOB_NMETRICS - 1) % IOB_NMETRICS;
		return true;
	case IOB_ACT_ZOOM_OUT:
		m->zoom = m->zoom + 1 < NZOOMS ? m->zoom + 1 : m->zoom;
		return true;
	case IOB_ACT_ZOOM_IN:
		m->zoom = m->zoom > 0 ? m->zoom - 1 : 0;
		return true;
	case IOB_ACT_FREEZE:
		freeze(m, now_ns);
		return true;
	case IOB_ACT_BASELINE:
		set_baseline(m, now_ns);
		return true;
	case IOB_ACT_CANCEL:
		if (iob_tuning_cancel(&m->tuning))
			iob_toast_say(&m->toast, IOB_TOAST_OK, now_ns, "change cancelled");
		return true;
	default:
		return false;
	}
}

bool iob_model_does(const struct iob_model *m, enum iob_dir dir)
{
	for (unsigned i = 0; i < m->plan->nstages; i++)
		if (iob_job_does(&m->plan->stage[i], dir))
			return true;
	return m->shown.view.total.dir[dir].ios > 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static char *planned_target(const struct iob_model *m, char *buf, size_t n)
{
	const struct iob_job *job = &m->plan->stage[0];
	const char *path = job->filename[0] ? job->filename : job->directory;

	return iob_text_clean(buf, n, path[0] ? last_part(path) : "scratch file");
}

char *iob_model_target(const struct iob_model *m, char *buf, size_t n)
{
	const struct iob_target_info *t = &m->shown.target;
	char size[24], name[128];

	if (t->kind == IOB_TARGET_NULL && t->path[0] == '\0' && m->shown.phase > IOB_PHASE_LAYOUT) {
		snprintf(buf, n, "no target (null engine)");
		return buf;
	}
	if (t->size == 0)
		return planned_target(m, buf, n);
	iob_format_bytes(size, sizeof(size), t->size);
	iob_text_clean(name, sizeof(name), last_part(t->path));
	switch (t->kind) {
	case IOB_TARGET_BLOCKDEV:
		snprintf(buf, n, "%s %s%s%s", name, t->model, t->model[0] ? " " : "", size);
		break;
	case IOB_TARGET_SCRATCH:
		snprintf(buf, n, "scratch %s%s%s", size, t->disk[0] ? " on " : "", t->disk);
		break;
	case IOB_TARGET_FILE:
	case IOB_TARGET_CREATED:
	case IOB_TARGET_NULL:
		snprintf(buf, n, "%s %s%s%s", name, size, t->disk[0] ? " on " : "", t->disk);
		break;
	}
	return buf;
}

char *iob_model_work(const struct iob_model *m, char *buf, size_t n)
{
	const struct iob_param *rw = iob_param_find("rw");

	if (m->plan->profile[0])
		iob_text_clean(buf, n, last_part(m->plan->profile));
	else if (rw)
		iob_param_get(&m->plan->stage[0], rw, buf, n);
	for (char *p = buf; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return buf;
}

const char *iob_model_caching(const struct iob_model *m)
{
	const struct iob_target_info *t = &m->shown.target;

	if (t->kind == IOB_TARGET_NULL || t->size == 0)
		return "";
	return t->direct ? " direct" : " buffered";
}

char *iob_model_state(const struct iob_model *m, char *buf, size_t n)
{
	const struct iob_snapshot *s = &m->shown;
	char elapsed[24], total[24], stage[32] = "";

	if (s->nstages > 1)
		snprintf(stage, sizeof(stage), " %u/%u", s->stage + 1, s->nstages);
	iob_format_clock(elapsed, sizeof(elapsed), s->elapsed_ns);
	if (s->duration_ns)
		iob_format_clock(total, sizeof(total), s->duration_ns);
	else
		snprintf(total, sizeof(total), "no limit");
	snprintf(buf, n, "%s%s %s/%s", iob_phase_name(s->phase), stage, elapsed, total);
	return buf;
}
