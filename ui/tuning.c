/* SPDX-License-Identifier: MIT */
#include "ui/tuning.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define RETRY_NS   (100 * IOB_NS_PER_MS)
#define SLOW_NS    (2 * IOB_NS_PER_S)
#define GIVE_UP_NS (3 * IOB_NS_PER_S)

bool iob_rw_is_mixed(uint32_t rw)
{
	return rw == IOB_RW_RW || rw == IOB_RW_RANDRW;
}

uint32_t iob_rw_mixed(uint32_t rw)
{
	return iob_rw_is_random(rw) ? IOB_RW_RANDRW : IOB_RW_RW;
}

const char *iob_rw_name(uint32_t rw)
{
	const struct iob_param_choice *c = IOB_PARAM_OF(rw)->choices;

	while (c->name && c->value != rw)
		c++;
	return c->name ? c->name : "?";
}

bool iob_live_equal(const struct iob_live *a, const struct iob_live *b)
{
	for (int d = 0; d < IOB_NDIR; d++)
		if (a->bs[d].min != b->bs[d].min || a->bs[d].max != b->bs[d].max)
			return false;
	if (memcmp(a->rate_iops, b->rate_iops, sizeof(a->rate_iops)) != 0)
		return false;
	return a->rw == b->rw && a->iodepth == b->iodepth && a->rwmixread == b->rwmixread &&
	       a->numjobs == b->numjobs && a->paused == b->paused;
}

char *iob_live_bs(char *buf, size_t n, const struct iob_live *live)
{
	const struct iob_range *rd = &live->bs[IOB_READ], *wr = &live->bs[IOB_WRITE];
	char a[56], b[56];

	iob_range_format(a, sizeof(a), rd);
	if (rd->min == wr->min && rd->max == wr->max)
		snprintf(buf, n, "%s", a);
	else
		snprintf(buf, n, "%s/%s", a, iob_range_format(b, sizeof(b), wr));
	return buf;
}

static void append(char *buf, size_t n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void append(char *buf, size_t n, const char *format, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	if (used && used + 1 < n)
		buf[used++] = ' ';
	va_start(ap, format);
	vsnprintf(buf + used, n - used, format, ap);
	va_end(ap);
}

char *iob_live_diff(char *buf, size_t n, const struct iob_live *from, const struct iob_live *to,
	struct iob_cap_scope scope)
{
	char a[120], b[120];

	buf[0] = '\0';
	if (from->iodepth != to->iodepth)
		append(buf, n, "qd %llu>%llu", (unsigned long long)from->iodepth,
			(unsigned long long)to->iodepth);
	iob_live_bs(a, sizeof(a), from);
	iob_live_bs(b, sizeof(b), to);
	if (strcmp(a, b) != 0 || memcmp(from->bs, to->bs, sizeof(from->bs)) != 0)
		append(buf, n, "bs %s>%s", a, b);
	if (from->rw != to->rw)
		append(buf, n, "rw %s>%s", iob_rw_name(from->rw), iob_rw_name(to->rw));
	if (from->rwmixread != to->rwmixread)
		append(buf, n, "rd %llu>%llu%%", (unsigned long long)from->rwmixread,
			(unsigned long long)to->rwmixread);
	if (from->numjobs != to->numjobs)
		append(buf, n, "jobs %llu>%llu", (unsigned long long)from->numjobs,
			(unsigned long long)to->numjobs);
	if (iob_cap_total(from, scope) != iob_cap_total(to, scope))
		append(buf, n, "cap %s>%s", iob_cap_format(a, sizeof(a), from, scope),
			iob_cap_format(b, sizeof(b), to, scope));
	if (from->paused != to->paused)
		append(buf, n, "%s", to->paused ? "paused" : "resumed");
	return buf;
}

const struct iob_live *iob_tuning_base(const struct iob_tuning *t, const struct iob_snapshot *snap)
{
	return t->state == IOB_TUNING_IDLE ? &snap->live : &t->wanted;
}

void iob_tuning_stage(struct iob_tuning *t, const struct iob_snapshot *snap,
	const struct iob_live *live, uint64_t due_ns)
{
	t->wanted = *live;
	t->why = IOB_TUNE_EDIT;
	t->due_ns = due_ns;
	t->state = IOB_TUNING_STAGED;
	if (iob_live_equal(live, &snap->live) && !snap->tune_pending)
		t->state = IOB_TUNING_IDLE;
}

/* A copy of the stage's job with the live values in it, or NULL. */
static struct iob_job *job_with(
	const struct iob_live *live, const struct iob_snapshot *snap, const struct iob_plan *plan)
{
	struct iob_job *job = malloc(sizeof(*job));

	if (job) {
		*job = plan->stage[snap->stage < plan->nstages ? snap->stage : 0];
		iob_live_to_job(live, job);
	}
	return job;
}

/* The depth has a limit of its own: what was allocated for.  The last step may be a short one.
 * False if nothing is left of the step. */
static bool limit_depth(struct iob_live *next, uint64_t from, uint64_t capacity)
{
	if (next->iodepth <= from || next->iodepth <= capacity)
		return true;
	next->iodepth = from > capacity ? from : capacity;
	return next->iodepth != from;
}

void iob_tuning_step(struct iob_tuning *t, const struct iob_snapshot *snap,
	const struct iob_plan *plan, struct iob_step step, uint64_t now_ns, struct iob_toast *toast)
{
	const struct iob_live base = *iob_tuning_base(t, snap);
	struct iob_live next = base;
	struct iob_job *job = job_with(&base, snap, plan);
	char value[128];

	if (!job || !step.param) {
		free(job);
		return;
	}
	bool moved = iob_param_step(job, step.param, step.direction);
	if (moved) {
		iob_live_from_job(&next, job);
		next.paused = base.paused;
		moved = limit_depth(&next, base.iodepth, snap->capacity);
		iob_cap_keep(&next, &base, t->scope);
		iob_live_to_job(&next, job);
	}
	iob_param_get(job, step.param, value, sizeof(value));
	free(job);
	if (!moved && snap->capacity == 1 && strcmp(step.param->name, "iodepth") == 0) {
		iob_toast_say(toast, IOB_TOAST_WARN, now_ns,
			"iodepth stays: this engine does one I/O at a time");
		return;
	}
	if (!moved) {
		iob_toast_say(toast, IOB_TOAST_WARN, now_ns, "%s stays: %s is its %s here",
			step.param->name, value, step.direction > 0 ? "most" : "least");
		return;
	}
	iob_tuning_stage(t, snap, &next, now_ns + IOB_STAGE_NS);
}

bool iob_tuning_set(struct iob_tuning *t, const struct iob_snapshot *snap,
	const struct iob_plan *plan, const struct iob_setting *set, uint64_t now_ns,
	struct iob_toast *toast)
{
	const struct iob_live base = *iob_tuning_base(t, snap);
	struct iob_live next = base;
	struct iob_error err = {.code = 0};
	struct iob_job *job = job_with(&base, snap, plan);
	bool good = job && set->param && iob_param_set(job, set->param, set->text, &err) == 0;

	if (good) {
		iob_live_from_job(&next, job);
		next.paused = base.paused;
		/* A share means a mix. */
		if (strcmp(set->param->name, "rwmixread") == 0 && !iob_rw_is_mixed(next.rw))
			next.rw = iob_rw_mixed(next.rw);
		iob_cap_keep(&next, &base, t->scope);
		t->wanted = next;
		t->why = IOB_TUNE_EDIT;
		t->due_ns = now_ns;
		t->state = IOB_TUNING_STAGED;
	} else {
		iob_toast_say(toast, IOB_TOAST_ERROR, now_ns, "%s", err.text);
	}
	free(job);
	return good;
}

void iob_tuning_go(struct iob_tuning *t, const struct iob_snapshot *snap,
	const struct iob_live *live, enum iob_tuning_why why, uint64_t now_ns)
{
	bool paused = snap->live.paused;

	t->wanted = *live;
	t->wanted.paused = paused;
	t->why = why;
	t->due_ns = now_ns;
	t->state = IOB_TUNING_STAGED;
}

void iob_tuning_pause(struct iob_tuning *t, const struct iob_snapshot *snap, uint64_t now_ns)
{
	struct iob_live next = *iob_tuning_base(t, snap);

	next.paused = !next.paused;
	t->wanted = next;
	t->why = IOB_TUNE_PAUSE;
	t->due_ns = now_ns;
	t->state = IOB_TUNING_STAGED;
}

bool iob_tuning_cancel(struct iob_tuning *t)
{
	if (t->state != IOB_TUNING_STAGED)
		return false;
	t->state = IOB_TUNING_IDLE;
	return true;
}

static void send(struct iob_tuning *t, const struct iob_source *source,
	const struct iob_snapshot *snap, uint64_t now_ns, struct iob_toast *toast)
{
	struct iob_error err = {.code = 0};
	int r = source->tune(source->self, &t->wanted, &err);

	if (r == -EBUSY) {
		t->due_ns = now_ns + RETRY_NS;
		return;
	}
	if (r < 0) {
		t->state = IOB_TUNING_IDLE;
		t->refused = err.kind == IOB_ERR_REFUSED && t->why != IOB_TUNE_SWEEP;
		iob_toast_say(toast, IOB_TOAST_ERROR, now_ns, "%s", err.text);
		return;
	}
	t->state = IOB_TUNING_SENT;
	t->sent_ns = now_ns;
	t->before = snap->live;
	t->segments = snap->view.nsegments;
	t->slow_said = false;
}

static void say_in_force(const struct iob_tuning *t, uint64_t now_ns, struct iob_toast *toast)
{
	char what[256];

	iob_live_diff(what, sizeof(what), &t->before, &t->wanted, t->scope);
	if (t->why == IOB_TUNE_RESET)
		iob_toast_say(toast, IOB_TOAST_OK, now_ns,
			"statistics begin anew: a new segment, same parameters");
	else if (t->why == IOB_TUNE_PAUSE && t->wanted.paused)
		iob_toast_say(toast, IOB_TOAST_OK, now_ns, "paused; p resumes");
	else
		iob_toast_say(toast, IOB_TOAST_OK, now_ns, "%sin force within %llu ms: %s",
			t->why == IOB_TUNE_UNDO   ? "undone, "
			: t->why == IOB_TUNE_REDO ? "redone, "
						  : "",
			(unsigned long long)((now_ns - t->sent_ns) / IOB_NS_PER_MS), what);
}

static bool makes_segment(const struct iob_tuning *t)
{
	return t->why == IOB_TUNE_RESET || t->why == IOB_TUNE_SWEEP;
}

static bool is_in_force(const struct iob_tuning *t, const struct iob_snapshot *snap)
{
	return iob_live_equal(&snap->live, &t->wanted) && !snap->tune_pending &&
	       (!makes_segment(t) || snap->view.nsegments > t->segments);
}

static bool await(struct iob_tuning *t, const struct iob_snapshot *snap, uint64_t now_ns,
	struct iob_toast *toast)
{
	uint64_t waited = now_ns - t->sent_ns;

	if (is_in_force(t, snap)) {
		t->state = IOB_TUNING_IDLE;
		if (t->why != IOB_TUNE_SWEEP)
			say_in_force(t, now_ns, toast);
		return true;
	}
	if (snap->phase == IOB_PHASE_DONE) {
		t->state = IOB_TUNING_IDLE;
	} else if (!snap->tune_pending && snap->tune_error.code) {
		t->state = IOB_TUNING_IDLE;
		iob_toast_say(toast, IOB_TOAST_ERROR, now_ns, "%s", snap->tune_error.text);
	} else if (waited > GIVE_UP_NS && !snap->tune_pending) {
		t->state = IOB_TUNING_IDLE;
		iob_toast_say(toast, IOB_TOAST_ERROR, now_ns,
			"the change did not take effect; the values before it are in force");
	} else if (waited > SLOW_NS && !t->slow_said) {
		t->slow_said = true;
		iob_toast_say(toast, IOB_TOAST_WARN, now_ns,
			"change still on its way, %llu in flight",
			(unsigned long long)snap->in_flight);
	}
	return false;
}

bool iob_tuning_tick(struct iob_tuning *t, const struct iob_source *source,
	const struct iob_snapshot *snap, uint64_t now_ns, struct iob_toast *toast)
{
	if (t->state == IOB_TUNING_STAGED && now_ns >= t->due_ns) {
		if (!makes_segment(t) && iob_live_equal(&snap->live, &t->wanted) &&
			!snap->tune_pending)
			t->state = IOB_TUNING_IDLE;
		else
			send(t, source, snap, now_ns, toast);
	} else if (t->state == IOB_TUNING_SENT) {
		return await(t, snap, now_ns, toast);
	}
	return false;
}
