/* SPDX-License-Identifier: MIT */
/* Runs that wait: for their turn to prepare, and to be released. */
#include <config.h>

#include "run/private.h"
#include "tests/support/run_rig.h"

TestSuite(hold, .init = run_fresh, .fini = run_free, .timeout = 60);

static void start_ready(void)
{
	start_with((struct iob_run_config){.hold = true});
	WAIT_FOR(iob_run_is_ready(run));
}

static void start_waiting(void)
{
	start_with((struct iob_run_config){.hold = true, .wait_turn = true});
	WAIT_FOR(atomic_load(&run->shared->reached) == IOB_GATE_SURVEY);
}

Test(hold, is_held_until_it_is_released)
{
	set("runtime", "200ms");
	start_ready();
	cr_assert_eq(snap.phase, IOB_PHASE_READY);
	cr_assert_eq(snap.view.t0_ns, 0, "the measuring has not begun");
	cr_assert_eq(snap.workers, 1);
	uint64_t released = iob_now_ns();
	iob_run_release(run);
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
	cr_assert_geq(snap.view.t0_ns, released);
	cr_assert_gt(snap.view.total.all.ios, 0);
}

Test(hold, prepares_when_it_is_its_turn)
{
	set("runtime", "100ms");
	start_waiting();
	cr_assert_not(iob_run_is_prepared(run, 30));
	cr_assert_eq(atomic_load(&run->shared->phase), IOB_PHASE_STARTING);
	iob_run_prepare(run, &(struct iob_run_family){0});
	cr_assert(iob_run_is_prepared(run, RUN_PATIENCE_MS));
	WAIT_FOR(iob_run_is_ready(run));
	iob_run_release(run);
	wait_done();
	expect_outcome(IOB_OUTCOME_COMPLETE);
}

Test(hold, a_stop_ends_one_that_is_held)
{
	start_ready();
	stop_and_wait();
}

Test(hold, a_stop_ends_one_that_waits_for_its_turn)
{
	start_waiting();
	stop_and_wait();
	cr_assert_eq(snap.view.nsegments, 0);
}
