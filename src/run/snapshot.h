/* SPDX-License-Identifier: MIT */
/* The value that readers (screen, progress line) copy: nothing in it points into live data. */
#ifndef IOB_RUN_SNAPSHOT_H
#define IOB_RUN_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "job/job.h"
#include "measure/failure.h"
#include "measure/limit.h"
#include "measure/recorder.h"
#include "measure/verdict.h"
#include "target/target.h"

enum iob_phase {
	IOB_PHASE_STARTING, /* the load process comes up; guard; open */
	IOB_PHASE_LAYOUT,   /* a file is being made: layout_done of layout_total bytes */
	IOB_PHASE_READY,    /* workers allocate and touch their memory */
	IOB_PHASE_RAMP,
	IOB_PHASE_RUNNING,
	IOB_PHASE_PAUSED,
	IOB_PHASE_DRAINING, /* nothing more is submitted; what is in flight comes back */
	IOB_PHASE_FLUSH,    /* fsync and close */
	IOB_PHASE_DONE,     /* the run is over, see outcome */
};

const char *iob_phase_name(enum iob_phase); /* "RUN", "LAYOUT", ... */

enum iob_outcome {
	IOB_OUTCOME_NONE,      /* not over */
	IOB_OUTCOME_COMPLETE,  /* as planned */
	IOB_OUTCOME_STOPPED,   /* the user ended it; figures are good */
	IOB_OUTCOME_FAILED,    /* error (see error), figures up to then */
	IOB_OUTCOME_LOST,      /* the load process died, figures up to then */
	IOB_OUTCOME_ABANDONED, /* I/O never came back within the grace time */
};

const char *iob_outcome_name(enum iob_outcome); /* "complete", "stopped", ... as in JSON */

struct iob_snapshot {
	enum iob_phase phase;
	enum iob_outcome outcome;
	unsigned stage, nstages;
	uint64_t elapsed_ns;   /* of the stage's measuring time, pauses left out */
	uint64_t duration_ns;  /* of the stage, 0 = no limit */
	uint64_t remaining_ns; /* of all stages, UINT64_MAX = no limit */
	uint64_t layout_done, layout_total;
	bool responding; /* the load process gave a sign of life within the last second */
	bool stop_requested;
	bool tune_pending; /* a change is on its way; iob_run_tune would answer -EBUSY */
	unsigned workers;
	uint64_t in_flight;   /* handed to the engine and not back */
	uint64_t capacity;    /* largest iodepth that can be asked for */
	struct iob_live live; /* in force */
	struct iob_target_info target;
	char engine[32];
	char engine_flags[128];
	struct iob_recorder_view view;
	struct iob_warnings warnings; /* while it runs, they stay for some seconds */
	struct iob_limit limit;       /* what limits the result so far */
	struct iob_failures failures; /* requests that failed, of all stages */
	struct iob_error error;       /* of the run; code 0 = none */
	struct iob_identity asked; /* what error asks consent for, if its code is IOB_GUARD_ASKS */
	struct iob_error tune_error; /* the answer to the last change, once it is not pending; code
					0 = adopted */
};

#endif
