/* SPDX-License-Identifier: MIT */
/* Turning a parameter of the run, and its cap. */
#include <config.h>

#include <string.h>

#include "ui/model.h"

#define FIRST_MIX 95

bool iob_model_can_tune(struct iob_model *m, uint64_t now_ns)
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

/* One step from reads alone, or writes alone, is a mix. */
static bool turn_reads(struct iob_model *m, const char *name, int direction, uint64_t now_ns)
{
	struct iob_live live = *iob_tuning_base(&m->tuning, &m->snap);
	bool reads = iob_rw_does(live.rw, IOB_READ), writes = iob_rw_does(live.rw, IOB_WRITE);

	if (strcmp(name, "rwmixread") != 0 || reads == writes)
		return false;
	if (reads == (direction > 0)) {
		iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns, "all are %s already",
			reads ? "reads" : "writes");
		return true;
	}
	live.rwmixread = reads ? FIRST_MIX : 100 - FIRST_MIX;
	live.rw = iob_rw_mixed(live.rw);
	iob_tuning_stage(&m->tuning, &m->snap, &live, now_ns + IOB_STAGE_NS);
	return true;
}

void iob_model_turn(struct iob_model *m, const char *name, int direction, uint64_t now_ns)
{
	if (!iob_model_can_tune(m, now_ns) || turn_reads(m, name, direction, now_ns))
		return;
	iob_tuning_step(&m->tuning, &m->snap, m->plan,
		(struct iob_step){iob_param_find(name), direction}, now_ns, &m->toast);
}

bool iob_model_set_cap(struct iob_model *m, const char *text, uint64_t now_ns)
{
	struct iob_live live = *iob_tuning_base(&m->tuning, &m->snap);
	struct iob_error err = {.code = 0};

	if (!iob_model_can_tune(m, now_ns))
		return false;
	if (iob_cap_set(&live, iob_cap_scope(iob_model_job(m), &m->snap), text, &err) < 0) {
		iob_toast_say(&m->toast, IOB_TOAST_ERROR, now_ns, "%s", err.text);
		return false;
	}
	iob_tuning_stage(&m->tuning, &m->snap, &live, now_ns);
	return true;
}

static void toggle_cap(struct iob_model *m, uint64_t now_ns)
{
	struct iob_cap_scope scope = iob_cap_scope(iob_model_job(m), &m->snap);
	struct iob_live live = *iob_tuning_base(&m->tuning, &m->snap);

	if (!iob_model_can_tune(m, now_ns))
		return;
	if (iob_cap_total(&live, scope)) {
		iob_cap_lift(&live);
	} else if (!iob_cap_at_present(&live, scope, &m->snap)) {
		iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns,
			"no I/O came back in the last second: there is no rate to cap at");
		return;
	}
	iob_tuning_stage(&m->tuning, &m->snap, &live, now_ns + IOB_STAGE_NS);
}

static void turn_cap(struct iob_model *m, int direction, uint64_t now_ns)
{
	struct iob_cap_scope scope = iob_cap_scope(iob_model_job(m), &m->snap);

	if (iob_model_can_tune(m, now_ns) &&
		!iob_cap_total(iob_tuning_base(&m->tuning, &m->snap), scope))
		iob_toast_say(&m->toast, IOB_TOAST_WARN, now_ns,
			"there is no cap to turn; c sets one at the present rate");
	else
		iob_model_turn(m, iob_cap_param()->name, direction, now_ns);
}

bool iob_model_act_cap(struct iob_model *m, enum iob_action action, uint64_t now_ns)
{
	if (action == IOB_ACT_CAP)
		toggle_cap(m, now_ns);
	else if (action == IOB_ACT_CAP_DOWN || action == IOB_ACT_CAP_UP)
		turn_cap(m, action == IOB_ACT_CAP_UP ? 1 : -1, now_ns);
	else
		return false;
	return true;
}
