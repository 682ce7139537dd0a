/* SPDX-License-Identifier: MIT */
/* The two lines at the top: what runs, and under which parameters. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/widget.h"

void iob_draw_title(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	char target[256], work[80], state[80], errors[48];
	unsigned long long n = m->shown.view.total.all.errors;

	iob_canvas_fill(c, r, IOB_ROLE_TITLE);
	iob_model_state(m, state, sizeof(state));
	iob_model_work(m, work, sizeof(work));
	iob_model_target(m, target, sizeof(target));
	snprintf(errors, sizeof(errors), " err %llu ", n);
	int end = r.cols;
	/* The state is what must not be cut; the errors come next. */
	int fixed = (int)(strlen(state) + iob_text_width(work)) + 8;
	if (fixed + (int)strlen(errors) + 8 <= r.cols) {
		end -= (int)strlen(errors);
		iob_canvas_text(c, r, 0, end, n ? IOB_ROLE_ERROR : IOB_ROLE_TITLE, errors);
	}
	int room = end - fixed;
	if (room >= 4) {
		char cut[256];

		if ((int)iob_text_width(target) > room)
			iob_text_pad(cut, sizeof(cut), target, (size_t)room);
		else
			snprintf(cut, sizeof(cut), "%s", target);
		iob_canvas_printf(c, r, 0, 0, IOB_ROLE_TITLE, " %s | %s | %s", cut, work, state);
	} else {
		iob_canvas_text(c, r, 0, 0, IOB_ROLE_TITLE, state);
	}
}

struct strip {
	struct iob_canvas *canvas;
	struct iob_rect rect;
	int x;
	int focus, at; /* knob with the focus, the one being drawn */
};

/* "QD 32", or "QD[32>64]" while a change is on its way. */
static void knob(struct strip *s, const char *name, const char *now, const char *wanted)
{
	bool focused = s->at++ == s->focus;

	s->x = iob_canvas_text(
		s->canvas, s->rect, 0, s->x, focused ? IOB_ROLE_SELECT : IOB_ROLE_LABEL, name);
	if (wanted && strcmp(now, wanted) != 0)
		s->x = iob_canvas_printf(
			s->canvas, s->rect, 0, s->x, IOB_ROLE_PENDING, "[%s>%s]", now, wanted);
	else
		s->x = iob_canvas_printf(s->canvas, s->rect, 0, s->x, IOB_ROLE_VALUE, " %s  ", now);
	s->x += wanted && strcmp(now, wanted) != 0 ? 2 : 0;
}

static void pending(struct strip *s, const struct iob_model *m)
{
	const struct iob_tuning *t = &m->tuning;
	char text[48] = "";

	if (t->state == IOB_TUNING_STAGED && t->due_ns > m->now_ns)
		snprintf(text, sizeof(text), "in %.1f s, Esc cancels",
			(double)(t->due_ns - m->now_ns) / 1e9);
	else if (t->state != IOB_TUNING_IDLE)
		snprintf(text, sizeof(text), "on its way ...");
	if (text[0] && s->x + (int)strlen(text) < s->rect.cols)
		iob_canvas_text(s->canvas, s->rect, 0, s->x, IOB_ROLE_PENDING, text);
}

void iob_draw_strip(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	const struct iob_snapshot *s = &m->snap;
	const struct iob_live *now = iob_model_live(m);
	const struct iob_live *wanted =
		m->tuning.state == IOB_TUNING_IDLE ? NULL : &m->tuning.wanted;
	const struct iob_job *job = &m->plan->stage[s->stage < m->plan->nstages ? s->stage : 0];
	struct iob_cap_scope scope = iob_cap_scope(job, s);
	struct strip strip = {c, r, 1, c->focused ? (int)m->knob : -1, 0};
	char a[128], b[128];

	/* A synchronous engine keeps one, whatever was asked for. */
	bool single = s->capacity == 1 && now->iodepth > 1;
	snprintf(a, sizeof(a), "%llu%s", (unsigned long long)now->iodepth, single ? " (1)" : "");
	snprintf(b, sizeof(b), "%llu%s", (unsigned long long)(wanted ? wanted->iodepth : 0),
		single ? " (1)" : "");
	knob(&strip, "QD", a, wanted ? b : NULL);
	iob_live_bs(a, sizeof(a), now);
	if (wanted)
		iob_live_bs(b, sizeof(b), wanted);
	knob(&strip, "BS", a, wanted ? b : NULL);
	knob(&strip, "RW", iob_rw_name(now->rw), wanted ? iob_rw_name(wanted->rw) : NULL);
	if (iob_rw_is_mixed(now->rw)) {
		snprintf(a, sizeof(a), "%llu%%", (unsigned long long)now->rwmixread);
		snprintf(b, sizeof(b), "%llu%%",
			(unsigned long long)(wanted ? wanted->rwmixread : 0));
		knob(&strip, "RD", a, wanted ? b : NULL);
	}
	snprintf(a, sizeof(a), "%llu", (unsigned long long)now->numjobs);
	snprintf(b, sizeof(b), "%llu", (unsigned long long)(wanted ? wanted->numjobs : 0));
	knob(&strip, "JOBS", a, wanted ? b : NULL);
	iob_cap_format(a, sizeof(a), now, scope);
	if (wanted)
		iob_cap_format(b, sizeof(b), wanted, scope);
	knob(&strip, "CAP", a, wanted ? b : NULL);
	/* What a change waits for is worth more than the name of the engine. */
	if (strip.x + (wanted ? 48 : 20) < r.cols) {
		snprintf(a, sizeof(a), "%s%s", s->engine[0] ? s->engine : job->ioengine,
			iob_model_caching(m));
		strip.x = iob_canvas_text(c, r, 0, strip.x, IOB_ROLE_LABEL, a) + 2;
	}
	pending(&strip, m);
}
