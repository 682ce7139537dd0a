/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/sweep.h"

#include <errno.h>

int iob_sweep_follow(struct iob_run *run, const struct iob_snapshot *snap, struct iob_error *err)
{
	const struct iob_sweep *sweep = &iob_run_plan(run)->sweep;

	if (!iob_sweep_is_on(sweep) || snap->phase != IOB_PHASE_RUNNING || snap->tune_pending ||
		snap->stop_requested)
		return 0;
	unsigned step = (unsigned)(snap->elapsed_ns / sweep->step_ns);
	uint64_t due = iob_sweep_value(sweep, step);
	if (step >= iob_sweep_steps(sweep) || iob_sweep_get(sweep, &snap->live) == due)
		return 0;
	/* Asked again at every look, a step that cannot be taken would fill the run with segments.
	 */
	if (snap->tune_error.code) {
		*err = snap->tune_error;
		return err->code;
	}
	struct iob_live live = snap->live;
	iob_sweep_set(sweep, &live, due);
	int rc = iob_run_tune(run, &live, err);
	return rc == -EBUSY || rc == -ENODEV ? 0 : rc;
}
