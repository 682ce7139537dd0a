/* SPDX-License-Identifier: MIT */
/*
 * The jobs of a job file as they run: each clone (job times numjobs) is a run of its own, with its
 * own load process, and the fleet coordinates them as fio's parent coordinates its forks.  All
 * calls from one thread of the front.
 */
#ifndef IOB_RUN_FLEET_H
#define IOB_RUN_FLEET_H

#include "job/fio_jobs.h"
#include "measure/diskset.h"
#include "run/fleet_order.h"
#include "run/run.h"

#define IOB_FLEET_MAX_CLONES 512

struct iob_fleet_config {
	const char *program; /* see iob_run_config */
	uint64_t grace_ns;   /* likewise */
	bool readonly;       /* jobs that write or trim are refused, and no files are made */
	struct iob_consent consent;
	unsigned nreports; /* files that are none of the targets */
	struct iob_plan_report report[IOB_MAX_REPORTS];
};

/* Files that a clone laid out. */
struct iob_fleet_layout {
	unsigned files; /* 0 = none */
	uint64_t bytes; /* of all of them */
};

struct iob_fleet_clone {
	const struct iob_fio_job *source;
	unsigned job;            /* index of source */
	unsigned number;         /* among the clones of its job, 0.. */
	unsigned thread;         /* among all, 1.. */
	unsigned group;          /* of the report */
	struct iob_job settings; /* with the clone's own file names, offset, CPUs */
	uint64_t seed;
	struct iob_run *early;          /* lays out its files before anything starts */
	struct iob_kin *promised;       /* by that, until it is prepared itself; owned */
	struct iob_fleet_layout layout; /* by that */
	/* Once it was called: */
	struct iob_run *run; /* NULL: not yet, or it could not be started */
	bool survey_told, prepare_told, stopped;
	bool left; /* what it held is given up */
	int64_t pid;
	uint64_t released_ns;             /* iob_now_ns scale; 0 = not yet */
	uint64_t started_ms, finished_ms; /* wall clock; 0 = not yet */
	struct iob_error error;           /* code 0 = in order */
};

struct iob_fleet {
	struct iob_fleet_config config;
	const struct iob_fio_jobs *jobs;
	unsigned count;
	struct iob_fleet_clone *clone;   /* owned */
	struct iob_order order;          /* one member for each clone, owned */
	struct iob_run_family family;    /* what its clones have made and hold */
	uint64_t base_seed;              /* of jobs that repeat nothing */
	uint64_t log_room;               /* see iob_plan_log; for each clone */
	uint64_t begun_ns;               /* when the first step was made */
	unsigned early_next;             /* clones before this one need not be laid out early */
	struct iob_diskset disks_before; /* when the first were released */
	struct iob_plan *plan;           /* owned: room to make them in */
	unsigned stops;
	bool over;
};

/* Expands the jobs and checks them; nothing is started.  jobs must live longer than the fleet. */
int iob_fleet_new(struct iob_fleet **, const struct iob_fio_jobs *, const struct iob_fleet_config *,
	struct iob_error *);
/* Does what is to be done now: starts, releases, notices ends.  Waits for nothing for longer than
 * some milliseconds.  True when all is over. */
bool iob_fleet_step(struct iob_fleet *);
/* Are there clones that get ready? */
bool iob_fleet_is_starting(const struct iob_fleet *);
/* First: nobody submits any more, what is in flight comes back.  Again: do not wait for that. */
void iob_fleet_stop(struct iob_fleet *);
/* Did any clone fail?  Its error, or NULL. */
const struct iob_error *iob_fleet_failure(const struct iob_fleet *);
/* Ends what still runs.  Legal on NULL. */
void iob_fleet_free(struct iob_fleet *);

/* fleet.c: what the job's logs ask of the workers. */
void iob_fleet_logs(
	const struct iob_fleet *, struct iob_plan_log *, const struct iob_job_control *);
bool iob_fleet_has_logs(const struct iob_job_control *);
/* The clone's plan, in fleet->plan. */
int iob_fleet_plan(struct iob_fleet *, const struct iob_fleet_clone *, struct iob_error *);
/* Told of the files that any of them made, of the devices that those hold which are still there,
 * and of the space that those need which are not over. */
void iob_fleet_tell_to_prepare(struct iob_fleet *, struct iob_run *);
/* fleet_early.c: for those whose turn has not come.  True when that is done, or failed: then all is
 * stopped. */
bool iob_fleet_lay_out_early(struct iob_fleet *);
/* The promises that the early runs have made for clones whose own are not there yet. */
void iob_fleet_join_early(const struct iob_fleet *, struct iob_kin *);
/* A run is over: what it has filled need not be filled again. */
void iob_fleet_note_filled(struct iob_fleet *, struct iob_run *);

/* fleet_view.c: for the lines on the screen and the warnings; cheaper than snapshots. */

/* The clone's phase, and how much of its target it covers (0 = not known yet). */
enum iob_phase iob_fleet_phase(struct iob_fleet *, unsigned i, uint64_t *region);
/* Does, or did, the clone lay out files? */
bool iob_fleet_layout(struct iob_fleet *, unsigned i, struct iob_fleet_layout *);
/* What a run of the clone lays out. */
void iob_fleet_note_layout(
	struct iob_run *, const struct iob_fleet_clone *, struct iob_fleet_layout *);
/* Is there another clone that covers some of the same target at the same time? */
bool iob_fleet_overlaps(const struct iob_fleet *, unsigned i);

/* fleet_expand.c: one clone for each job times numjobs, in order, in fleet->clone. */
int iob_fleet_expand(struct iob_fleet *, struct iob_error *);
/* fleet_names.c: where the clone's files are. */
int iob_fleet_name(struct iob_fleet_clone *, struct iob_error *);
unsigned iob_fleet_count_files(const struct iob_fleet_clone *);

#endif
