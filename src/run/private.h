/* SPDX-License-Identifier: MIT */
/*
 * The front's side of a run.  `lock` guards all below it; it is taken before the recorder's own
 * lock, never after. The recorder's thread calls iob_run_watch about every 20 ms; everything else
 * is called by the front's thread.
 */
#ifndef IOB_RUN_PRIVATE_H
#define IOB_RUN_PRIVATE_H

#include <pthread.h>
#include <sys/types.h>

#include "run/run.h"
#include "run/shared.h"
#include "run/writeback.h"

struct iob_run {
	struct iob_shared *shared;
	struct iob_recorder *recorder;
	uint64_t grace_ns;
	uint64_t started_ns;
	int log_fd; /* of the shared memory, behind which logs lie; -1 = there are none */
	pid_t pid;  /* 0 once it was reaped or given up */

	pthread_mutex_t lock;
	pthread_cond_t changed; /* CLOCK_MONOTONIC */
	bool over;              /* nothing more will come; recorder not yet stopped */
	bool done;              /* recorder stopped: figures are final */
	bool stop_requested, leave_at_once;
	uint64_t stop_ns;
	enum iob_outcome outcome;
	struct iob_error error;
	uint64_t unfinished;
	struct iob_run_usage usage;
	uint32_t events_seen;
	uint32_t nsegments;
	struct iob_segment_params *params; /* IOB_MAX_EVENTS of them */
	uint64_t last_event_ns;            /* when the newest segment began, or the stage ended */
	bool stage_open;                   /* a segment is open */
	uint64_t layout_seen, life_ns;     /* last sign of life */
	uint64_t sync_looked_ns;
	struct iob_writeback writeback;
	bool begun, disk_watched;
};

/* watch.c */
void iob_run_watch(void *run);
/* The load process is to be taken as gone: what is known is all there is. Locked. */
void iob_run_give_up(struct iob_run *, enum iob_outcome, uint64_t now_ns);

/* child.c */
int iob_run_spawn(struct iob_run *, const char *program, int fd, struct iob_error *);
/* True if it has ended (then reaped); *status as from wait.  Locked. */
bool iob_run_reap(struct iob_run *, int *status);

/* facts.c */
void iob_run_judge(struct iob_run *, struct iob_snapshot *);

/* failures.c */
void iob_run_failures(struct iob_run *, struct iob_failures *);
/* Requests that failed make the run fail, also if they were let pass.  Locked. */
void iob_run_fail_by_requests(struct iob_run *);
void iob_run_warn_of_failures(struct iob_warnings *, const struct iob_failures *);

/* The present stage: an index into the plan, whatever stands in the shared memory. */
unsigned iob_run_stage(const struct iob_run *);
/* Has the front seen the target of the present stage? */
bool iob_run_knows_target(const struct iob_run *);

#endif
