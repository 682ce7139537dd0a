/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

/* What came into force can be undone; what was undone can be redone. */
static void note_change(struct iob_model *m)
{
	switch (m->tuning.why) {
	case IOB_TUNE_EDIT:
		iob_undo_note(&m->undo, &m->tuning.before, &m->tuning.wanted);
		break;
	case IOB_TUNE_UNDO:
		iob_undo_move(&m->undo, -1);
		break;
	case IOB_TUNE_REDO:
		iob_undo_move(&m->undo, 1);
		break;
	case IOB_TUNE_PAUSE:
	case IOB_TUNE_RESET:
	case IOB_TUNE_SWEEP: /* as one, when the sweep is over */
		break;
	}
}

static void update_recent(struct iob_model *m, uint64_t now_ns)
{
	if (now_ns < m->recent_ns)
		return;
	m->recent_ns = now_ns + IOB_NS_PER_S;
	m->source.recent(m->source.self, &m->recent);
}

const struct iob_job *iob_model_job(const struct iob_model *m)
{
	return &m->plan->stage[m->snap.stage < m->plan->nstages ? m->snap.stage : 0];
}

const struct iob_live *iob_model_live(const struct iob_model *m)
{
	return m->snap.live.iodepth ? &m->snap.live : &m->planned;
}

static void make_rows(struct iob_model *m)
{
	const size_t room = iob_jobs_param()->max;

	if (m->rows)
		return;
	m->rows = calloc(1, sizeof(*m->rows) + room * sizeof(m->rows->worker[0]));
	if (m->rows)
		m->rows->room = (unsigned)room;
}

void iob_model_update(struct iob_model *m, uint64_t now_ns)
{
	m->now_ns = now_ns;
	iob_toast_tick(&m->toast, now_ns);
	if (!m->source.snapshot)
		return;
	m->source.snapshot(m->source.self, &m->snap);
	make_rows(m);
	iob_live_from_job(&m->planned, iob_model_job(m));
	bool over = m->snap.phase == IOB_PHASE_DONE;
	if (m->snap.stage != m->undo_stage)
		m->undo = (struct iob_undo){.count = 0};
	m->undo_stage = m->snap.stage;
	m->tuning.scope = m->changes.scope = iob_cap_scope(iob_model_job(m), &m->snap);
	iob_model_tick_sweeps(m, now_ns);
	if (iob_tuning_tick(&m->tuning, &m->source, &m->snap, now_ns, &m->toast))
		note_change(m);
	if (m->frozen_ns && !over)
		return;
	m->frozen_ns = 0;
	m->shown = m->snap;
	if (m->complete)
		return;
	iob_history_update(&m->history, &m->source, m->snap.view.intervals, over);
	iob_changes_update(&m->changes, &m->source, m->snap.view.nsegments);
	if (!over)
		iob_below_update(&m->below, "", m->snap.target.disk, now_ns);
	update_recent(m, over ? UINT64_MAX - IOB_NS_PER_S : now_ns);
	m->complete = over;
}

void iob_model_free(struct iob_model *m)
{
	iob_history_free(&m->history);
	iob_changes_free(&m->changes);
	iob_below_close(&m->below);
	free(m->rows);
	m->rows = NULL;
}

bool iob_model_is_running(const struct iob_model *m)
{
	return m->source.snapshot && m->snap.phase != IOB_PHASE_DONE;
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
	if (m->plan->profile[0])
		iob_text_clean(buf, n, last_part(m->plan->profile));
	else
		iob_param_get(&m->plan->stage[0], IOB_PARAM_OF(rw), buf, n);
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
	char elapsed[24], total[24], rest[24], stage[32] = "", left[40] = "";

	if (s->nstages > 1)
		snprintf(stage, sizeof(stage), " %u/%u", s->stage + 1, s->nstages);
	iob_format_clock(elapsed, sizeof(elapsed), s->elapsed_ns);
	if (s->duration_ns)
		iob_format_clock(total, sizeof(total), s->duration_ns);
	else
		snprintf(total, sizeof(total), "no limit");
	/* One stage's end is not the run's. */
	if (s->nstages > 1 && s->remaining_ns != UINT64_MAX && s->phase != IOB_PHASE_DONE)
		snprintf(left, sizeof(left), " %s left",
			iob_format_clock(rest, sizeof(rest), s->remaining_ns));
	if (s->phase == IOB_PHASE_DONE && s->outcome == IOB_OUTCOME_FAILED && !s->view.t0_ns) {
		snprintf(buf, n, "NOT STARTED");
		return buf;
	}
	snprintf(buf, n, "%s%s %s/%s%s", iob_phase_name(s->phase), stage, elapsed, total, left);
	return buf;
}
