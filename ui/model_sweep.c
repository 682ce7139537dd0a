/* SPDX-License-Identifier: MIT */
/* Sweeps in the dashboard: the one of the command line, and those asked for while the load runs. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "measure/knee.h"
#include "ui/model.h"

#define MOST_DEPTH   256
#define MOST_POINTS  64
#define LEAST_STEP   (100 * IOB_NS_PER_MS)
#define LEAST_POINTS 2

struct points {
	size_t count;
	struct iob_knee_point point[MOST_POINTS];
	double seconds[MOST_POINTS];
};

static bool turned_by_hand(const struct iob_model *m)
{
	enum iob_tuning_why why = m->tuning.why;

	return m->tuning.state != IOB_TUNING_IDLE &&
	       (why == IOB_TUNE_EDIT || why == IOB_TUNE_UNDO || why == IOB_TUNE_REDO);
}

/* The sweep that the run was started with; it yields to whoever turns a parameter by hand. */
static void follow(struct iob_model *m, uint64_t now_ns)
{
	struct iob_error err = {.code = 0};

	if (m->sweep_over || !m->source.follow || !iob_sweep_is_on(&m->plan->sweep))
		return;
	if (m->tuning.state != IOB_TUNING_IDLE) {
		m->sweep_over = turned_by_hand(m);
		return;
	}
	if (m->source.follow(m->source.self, &m->snap, &err) == 0)
		return;
	m->sweep_over = true;
	iob_toast_say(&m->toast, IOB_TOAST_ERROR, now_ns, "the sweep ends here: %s", err.text);
}

/* Of each value the longest segment since the sweep began, ascending. */
static void collect(struct points *p, const struct iob_model *m)
{
	p->count = 0;
	for (size_t i = m->sweep_segment; i < m->changes.count; i++) {
		const struct iob_change *c = &m->changes.item[i];
		uint64_t value = iob_sweep_get(&m->drive.sweep, &c->params.live);
		size_t at = 0;

		if (c->params.kind != IOB_SEGMENT_LOAD || c->figures.all.ios == 0)
			continue;
		while (at < p->count && p->point[at].value < value)
			at++;
		bool known = at < p->count && p->point[at].value == value;
		if (known ? p->seconds[at] >= c->figures.seconds : p->count == MOST_POINTS)
			continue;
		if (!known) {
			size_t behind = p->count++ - at;

			memmove(&p->point[at + 1], &p->point[at], behind * sizeof(p->point[0]));
			memmove(&p->seconds[at + 1], &p->seconds[at],
				behind * sizeof(p->seconds[0]));
		}
		p->seconds[at] = c->figures.seconds;
		p->point[at] = (struct iob_knee_point){
			value, c->figures.all.iops, c->figures.all.lat.percentile_ns[IOB_P99]};
	}
}

static void say_knee(struct iob_model *m, const struct points *p, uint64_t now_ns)
{
	const struct iob_sweep *s = &m->drive.sweep;
	char text[128], at[32], most[32], iops[16];
	struct iob_knee knee;

	iob_knee_find(&knee, p->point, p->count, s->max_p99_ns);
	if (knee.best < 0)
		return;
	const struct iob_knee_point *k = &p->point[knee.knee], *best = &p->point[knee.best];
	snprintf(text, sizeof(text), "knee: %s %s gives %.0f%% of the most IOPS (%s at %s)",
		s->param, iob_sweep_format(s, k->value, at, sizeof(at)), 100 * k->iops / best->iops,
		iob_format_count(iops, sizeof(iops), best->iops),
		iob_sweep_format(s, best->value, most, sizeof(most)));
	iob_model_mark(m, iob_model_time_ms(m), text, now_ns);
	iob_toast_say(&m->toast, IOB_TOAST_OK, now_ns, "%s", text);
}

/* Of what there is; the report of the run has the table, too. */
static void conclude(struct iob_model *m, uint64_t now_ns)
{
	struct points p;

	m->drive.state = IOB_SWEEP_OFF;
	iob_changes_update(&m->changes, &m->source, m->snap.view.nsegments);
	collect(&p, m);
	if (!iob_live_equal(&m->sweep_from, &m->snap.live))
		iob_undo_note(&m->undo, &m->sweep_from, &m->snap.live);
	if (p.count < LEAST_POINTS)
		return;
	m->drive.sweep.first_segment = m->sweep_segment;
	m->source.note_sweep(m->source.self, &m->drive.sweep);
	say_knee(m, &p, now_ns);
}

bool iob_model_end_sweep(struct iob_model *m, uint64_t now_ns)
{
	if (!iob_sweep_drive_is_on(&m->drive))
		return false;
	if (m->tuning.why == IOB_TUNE_SWEEP)
		iob_tuning_cancel(&m->tuning);
	iob_toast_say(&m->toast, IOB_TOAST_OK, now_ns, "the sweep ended at step %u of %u",
		m->drive.step + 1, m->drive.steps);
	conclude(m, now_ns);
	return true;
}

static void drive(struct iob_model *m, uint64_t now_ns)
{
	struct iob_sweep_look look = {
		&m->snap.live, m->tuning.state != IOB_TUNING_IDLE || m->snap.tune_pending, now_ns};
	struct iob_live live = m->snap.live;

	if (!iob_sweep_drive_is_on(&m->drive))
		return;
	if (turned_by_hand(m) || m->snap.stop_requested || m->snap.phase >= IOB_PHASE_DRAINING) {
		iob_model_end_sweep(m, now_ns);
		return;
	}
	switch (iob_sweep_drive_tick(&m->drive, &look)) {
	case IOB_SWEEP_WAIT:
		break;
	case IOB_SWEEP_ASK:
		iob_sweep_set(&m->drive.sweep, &live, iob_sweep_drive_value(&m->drive));
		iob_tuning_go(&m->tuning, &m->snap, &live, IOB_TUNE_SWEEP, now_ns);
		break;
	case IOB_SWEEP_REFUSED: {
		/* Why it was is worth more than the knee so far. */
		struct iob_toast why = m->toast;

		conclude(m, now_ns);
		m->toast = why;
		break;
	}
	case IOB_SWEEP_DONE:
		conclude(m, now_ns);
		break;
	}
}

void iob_model_tick_sweeps(struct iob_model *m, uint64_t now_ns)
{
	follow(m, now_ns);
	drive(m, now_ns);
}

/* "iodepth=1..64 2s": both may be left out. */
static int parse(
	const struct iob_model *m, const char *text, struct iob_sweep *sweep, struct iob_error *err)
{
	char range[64], step[32] = "";
	const char *why = NULL;

	snprintf(range, sizeof(range), "iodepth=1..%llu",
		(unsigned long long)(m->snap.capacity < MOST_DEPTH ? m->snap.capacity
								   : MOST_DEPTH));
	if (!text[0] && m->snap.capacity <= 1)
		return iob_fail_usage(err,
			"this engine does one I/O at a time: there is no depth to sweep; "
			"bs=4k..1m can be");
	if (text[0] && sscanf(text, "%63s %31s", range, step) < 1)
		return iob_fail_usage(err, "sweep: say a range such as iodepth=1..64");
	if (iob_sweep_parse(sweep, range, err) < 0)
		return err->code;
	sweep->step_ns = IOB_SWEEP_STEP_NS;
	if (!step[0])
		return 0;
	if (iob_parse_time(step, IOB_NS_PER_S, &sweep->step_ns, &why) < 0)
		return iob_fail_usage(err, "sweep: step %s: %s", step, why ? why : "too long");
	if (sweep->step_ns < LEAST_STEP)
		return iob_fail_usage(err, "sweep: step %s: at least 100ms", step);
	return 0;
}

bool iob_model_sweep(struct iob_model *m, const char *text, uint64_t now_ns)
{
	struct iob_sweep sweep = {.step_ns = 0};
	struct iob_error err = {.code = 0};

	if (!iob_model_can_tune(m, now_ns))
		return false;
	if (m->plan->nstages > 1)
		iob_fail_usage(&err, "a sweep needs a run of one stage");
	else if (iob_sweep_drive_is_on(&m->drive) || m->tuning.state != IOB_TUNING_IDLE)
		iob_fail_usage(&err, "a sweep or a change is on its way already; Esc ends it");
	else
		parse(m, text, &sweep, &err);
	if (err.code) {
		iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns, "%s", err.text);
		return false;
	}
	iob_sweep_drive_start(&m->drive, &sweep, now_ns);
	m->sweep_over = true;
	m->sweep_segment = m->snap.view.nsegments;
	m->sweep_from = m->snap.live;
	m->toast.level = IOB_TOAST_NONE;
	return true;
}

uint64_t iob_model_due_ns(const struct iob_model *m)
{
	uint64_t due = UINT64_MAX;

	if (m->tuning.state == IOB_TUNING_STAGED)
		due = m->tuning.due_ns;
	if (m->drive.state == IOB_SWEEP_HOLD && m->drive.until_ns < due)
		due = m->drive.until_ns;
	return due;
}
