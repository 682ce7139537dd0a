/* SPDX-License-Identifier: MIT */
/*
 * One run as the front sees it: starts the load process, watches it, steers it, and knows what is
 * known when it is gone. The front never touches the target.  All calls from any one thread of the
 * front (the UI's or the command's).
 */
#ifndef IOB_RUN_RUN_H
#define IOB_RUN_RUN_H

#include "job/plan.h"
#include "measure/detail.h"
#include "run/marks.h"
#include "run/snapshot.h"
#include "target/kin.h"

struct iob_run;

struct iob_run_config {
	const char *program; /* executable that understands the load process's argument; NULL =
				this program itself */
	uint64_t grace_ns;   /* 0 = 10 s: how long after a stop or the deadline I/O may stay out */
	bool hold;           /* everything is prepared, but the workers wait for iob_run_release */
	unsigned window;     /* see iob_recorder_config: for one of many runs at once */
	bool wait_turn;      /* with hold: and nothing is prepared before iob_run_prepare */
};

/* What was in force in a segment. */
struct iob_segment_params {
	uint32_t stage;
	enum iob_segment_kind kind;
	struct iob_live live;
};

/* Copies the plan.  Returns at once; whatever goes wrong with the target shows in the snapshot
 * (phase DONE, outcome FAILED, error). */
int iob_run_start(struct iob_run **, const struct iob_plan *, const struct iob_run_config *,
	struct iob_error *);

/* What the runs that belong together have made and hold, as far as is known. */
struct iob_run_family {
	unsigned ncreated;
	struct iob_plan_report created[IOB_MAX_CREATED];
	struct iob_kin kin;
};

/* With wait_turn: look whether that can be done which iob_run_prepare is for, and make nothing. One
 * of which it is known that it cannot is over then, and has failed. */
void iob_run_survey(struct iob_run *, const struct iob_run_family *);
/* Is that done?  Waits for it, at most so many milliseconds. */
bool iob_run_is_surveyed(struct iob_run *, int timeout_ms);
/* Add the promises of one that was surveyed and has not been told to prepare. */
void iob_run_join_survey(struct iob_run *, struct iob_kin *);
/* With wait_turn: open the target, lay it out. */
void iob_run_prepare(struct iob_run *, const struct iob_run_family *);
/* Add what this one has made and holds, once it is prepared.  One that is over takes no more space:
 * it has promised nothing. */
void iob_run_join(struct iob_run *, struct iob_run_family *);
/* What it had promised, and how much of that its files have now; NULL before its end, and if that
 * was not in order. */
const struct iob_kin *iob_run_kin_at_end(struct iob_run *);
/* Is that done (never, if it failed at it)?  Waits for it, at most so many milliseconds. */
bool iob_run_is_prepared(struct iob_run *, int timeout_ms);
/* With hold: are the workers ready and waiting (never, if it failed before)?  And let them go. */
bool iob_run_is_ready(struct iob_run *);
void iob_run_release(struct iob_run *);
/* With hold: a device that it holds exclusively stays held after its end until this is called. */
void iob_run_let_leave(struct iob_run *);
/* And then: wait, some moments at most, until it has given it up. */
void iob_run_wait_left(struct iob_run *);

/* What worker i of the stage counted for fio's reports; false if the plan did not ask for it. Exact
 * once the run is over. */
bool iob_run_detail(struct iob_run *, unsigned worker, struct iob_detail *);
/* Likewise, by priority: in the memory that the worker writes.  NULL where requests have none of
 * their own. */
const struct iob_detail_priorities *iob_run_priorities(struct iob_run *, unsigned worker);

/* The shared memory, for whoever reads the I/O logs (run/run_log.h); -1 = the plan wants none.  The
 * run's own. */
int iob_run_log_fd(const struct iob_run *);

const struct iob_plan *iob_run_plan(const struct iob_run *);
/* The sweep that the reports tell of: that of the plan, or one that was driven by hand since and is
 * noted here.  Front's thread only. */
void iob_run_note_sweep(struct iob_run *, const struct iob_sweep *);
const struct iob_sweep *iob_run_sweep(const struct iob_run *);
/* All marks so far, for the reports.  Front's thread only. */
void iob_run_note_marks(struct iob_run *, const struct iob_marks *);
const struct iob_marks *iob_run_marks(const struct iob_run *);
void iob_run_snapshot(struct iob_run *, struct iob_snapshot *);
/* See iob_recorder_timeline. */
size_t iob_run_timeline(struct iob_run *, size_t from, struct iob_interval *out, size_t n);
/* See iob_recorder_heat, iob_recorder_recent. */
size_t iob_run_heat(struct iob_run *, size_t from, struct iob_heat *out, size_t n);
void iob_run_recent(struct iob_run *, size_t intervals, struct iob_segment_figures *);
/* Each worker of the stage: what it did in the last full second, and what it has out.  Returns how
 * many there are, of which at most n are filled in. */
struct iob_run_worker {
	struct iob_worker_view view;
	uint64_t in_flight;
};
unsigned iob_run_workers(struct iob_run *, struct iob_run_worker *out, unsigned n);
/* Segment by id: figures and parameters; false if there is none. */
bool iob_run_segment(
	struct iob_run *, uint32_t id, struct iob_segment_figures *, struct iob_segment_params *);
struct iob_recorder *iob_run_recorder(struct iob_run *);

/*
 * Ask for new live parameters.  0: on its way, a new segment will start when all workers have
 * adopted it.  -EBUSY: the change before it is still on its way.  Usage error: out of bounds (names
 * the bound; would add writes without consent: refused kind).
 */
int iob_run_tune(struct iob_run *, const struct iob_live *, struct iob_error *);

/* Submit nothing more, drain, report.  Again: do not wait for what is in flight. */
void iob_run_stop(struct iob_run *);
/* Wait until the run is over, at most timeout_ms (-1 = as long as it takes).  True when phase is
 * DONE. */
bool iob_run_wait(struct iob_run *, int timeout_ms);

/* Why it failed; code 0 = it has not. */
void iob_run_error(struct iob_run *, struct iob_error *);
/* Requests that never came back (outcome ABANDONED or LOST). */
uint64_t iob_run_unfinished(struct iob_run *);
/* CPU time of the load process and its context switches, once it was reaped; zeros if unknown. */
struct iob_run_usage {
	double user_s, system_s;
	uint64_t voluntary, involuntary, major_faults, minor_faults;
	uint64_t end_sync_ns; /* what the syncs at the end took, outside of the measured time */
};
void iob_run_usage(struct iob_run *, struct iob_run_usage *);

/* Kills the load process if it still lives, frees everything.  Legal on NULL. */
void iob_run_free(struct iob_run *);

/* The load process: main.c calls it when argv[1] is IOB_LOAD_ARGUMENT; argv[2] is the number of the
 * shared memory's fd. */
#define IOB_LOAD_ARGUMENT "--load-process"
int iob_load_process_main(int argc, char **argv);

#endif
