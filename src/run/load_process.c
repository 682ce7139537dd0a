/* SPDX-License-Identifier: MIT */
/* The load process: all that touches a target happens here, so that the front can never hang on it.
 */
#include <config.h>

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/detach.h"
#include "base/oom.h"
#include "run/budget.h"
#include "run/run.h"
#include "run/shared.h"
#include "run/stage.h"
#include "target/guard.h"

static void raise_limits(void)
{
	struct rlimit files;

	/* Rings and files take descriptors; the soft limit is low for the sake of select(). */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	/* Workers allocate before the start only: no arena for each of them. */
	mallopt(M_ARENA_MAX, 1);
}

/* Where several prepare in turn: what is wrong is said before the first of them makes anything. */
static int survey(struct iob_shared *sh, struct iob_error *err)
{
	iob_gate_pass(sh, IOB_GATE_SURVEY);
	iob_clock_adopt(&sh->clock);
	if (atomic_load(&sh->gate) >= IOB_GATE_PREPARE)
		return 0;
	iob_kin_meet(&sh->kin_before);
	int rc = iob_targets_survey(&sh->plan, &sh->plan.stage[0], err);
	if (rc < 0)
		return rc;
	*err = (struct iob_error){0};
	iob_kin_set(&sh->kin, &iob_kin_own);
	iob_gate_note(sh, IOB_GATE_SURVEYED);
	return 0;
}

static int run_stages(struct iob_shared *sh, struct iob_error *err)
{
	struct iob_budget budget;
	int checked = iob_budget_check(&budget, &sh->plan, err);

	if (checked == 0)
		checked = iob_stages_check(&sh->plan, err);
	if (checked < 0)
		return checked;
	checked = survey(sh, err);
	if (checked < 0)
		return checked;
	iob_gate_pass(sh, IOB_GATE_PREPARE);
	iob_kin_meet(&sh->kin_before);
	for (unsigned i = 0; i < sh->plan.nstages; i++) {
		if (atomic_load(&sh->stop))
			return 0;
		int rc = iob_stage_run(sh, i, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int iob_load_process_main(int argc, char **argv)
{
	struct iob_shared *sh;
	struct iob_error err = {0};
	char *end;

	if (argc != 3)
		return 2;
	long fd = strtol(argv[2], &end, 10);
	if (*end || fd < 0 || iob_shared_attach(&sh, (int)fd, &err) < 0)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != sh->front_pid) /* it died before the line above */
		return 1;
	prctl(PR_SET_NAME, "iotop-bench-io");
	iob_leave_signals_to_front();
	raise_limits();
	/* The front still has the figures; without it they are lost. */
	iob_oom_go_first();
	sh->log_fd = (int)fd;
	atomic_store(&sh->heartbeat_ns, iob_now_ns());
	int rc = run_stages(sh, &err);
	if (rc == -ECANCELED && atomic_load(&sh->stop))
		err = (struct iob_error){0};
	sh->error = err;
	sh->asked = iob_guard_asked();
	iob_stage_set_phase(sh, IOB_PHASE_DONE);
	atomic_store_explicit(&sh->finished, 1, memory_order_release);
	if (iob_kin_holds())
		iob_gate_pass(sh, IOB_GATE_LEAVE);
	/* Threads that wait at a barrier for ever end with the process. */
	_exit(err.code ? 1 : 0);
}
