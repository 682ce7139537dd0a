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

#include "measure/steady.h"
#include "run/run.h"
#include "run/shared.h"
#include "run/writeback.h"
#include "target/cgroup.h"
#include "target/cpufacts.h"

/* The course of the segments, followed interval by interval. */
struct iob_course {
	struct iob_steady now, longest;
	uint32_t segment; /* that `now` is of */
	size_t next;      /* interval to be added */
};

/* What only the front's own thread looks at, to judge by. */
struct iob_run_facts {
	struct iob_held_warnings held;
	struct iob_course course;
	struct iob_cpufacts cpu;
	uint64_t throttled;    /* how often CPUs were by heat, in all stages so far */
	unsigned cpus, fewest; /* that workers may use, of the stage that lost most of them: when it
				  began, and at the worst; 0 = none was lost */
	unsigned stage_cpus;   /* when the present stage began */
	unsigned stage;        /* the present one */
	struct iob_cgroup cgroup;
	uint64_t held_ns;   /* by the cgroup, while a load was on */
	bool loading;       /* one was, at the last look */
	unsigned nsegments; /* at the last look */
	uint64_t read_ns;   /* when they were read; 0 = never */
	bool final;         /* and once more after the end */
};

struct iob_run {
	struct iob_shared *shared;
	struct iob_recorder *recorder;
	uint64_t grace_ns;
	uint64_t started_ns;
	struct iob_marks marks;
	struct iob_sweep sweep; /* what the reports tell of */
	int log_fd;  /* of the shared memory, behind which logs lie; -1 = there are none */
	pid_t child; /* const once it was started */

	pthread_mutex_t lock;
	pid_t pid;              /* 0 once it was reaped */
	pthread_cond_t changed; /* CLOCK_MONOTONIC */
	bool over;              /* nothing more will come; recorder not yet stopped */
	bool done;              /* recorder stopped: figures are final */
	bool stop_requested, leave_at_once;
	uint64_t stop_ns;
	enum iob_outcome outcome;
	struct iob_error error;
	struct iob_identity asked; /* what error asks consent for */
	uint64_t unfinished;
	struct iob_run_usage usage;
	uint32_t events_seen, gaps_seen;
	uint32_t nsegments;
	struct iob_segment_params *params; /* IOB_MAX_EVENTS of them */
	uint64_t last_event_ns;            /* when the newest segment began, or the stage ended */
	bool stage_open;                   /* a segment is open */
	uint64_t layout_seen, life_ns;     /* last sign of life */
	uint64_t sync_looked_ns;
	uint64_t looked_ns; /* when iob_run_watch looked last */
	uint64_t lost_ns;   /* since I/O is overdue, in which we did not look: not waited */
	struct iob_writeback writeback;
	bool begun;
	unsigned disk_watched;      /* of this stage, plus 1 */
	struct iob_run_facts facts; /* not under the lock */
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
/* What is known of a target and of what the plan's stage asks of it, before anything has run. */
void iob_facts_of_target(
	struct iob_verdict_facts *, const struct iob_target_info *, const struct iob_job *);
void iob_facts_of_cpus(struct iob_verdict_facts *, const struct iob_cpufacts *, int numa_node);
void iob_facts_of_cgroup(struct iob_verdict_facts *, const struct iob_cgroup *);
/* The CPUs were looked at again; anew: for the first time in a stage, which may have its own. */
void iob_facts_follow_cpus(struct iob_run_facts *, const struct iob_cpufacts *, bool anew);

/* course.c: up to the newest interval that is surely complete. */
void iob_course_follow(struct iob_course *, struct iob_run *, const struct iob_snapshot *);
const struct iob_steady *iob_course_longest(const struct iob_course *);

/* failures.c */
void iob_run_failures(struct iob_run *, struct iob_failures *);
/* Requests that failed make the run fail, also if they were let pass.  Locked. */
void iob_run_fail_by_requests(struct iob_run *);
/* A disk that was taken away while it was used often fails with EIO: adds to the error that it is
 * no longer there.  Locked. */
void iob_run_note_gone_disk(struct iob_run *);
void iob_run_warn_of_failures(struct iob_warnings *, const struct iob_failures *);

/* The present stage: an index into the plan, whatever stands in the shared memory. */
unsigned iob_run_stage(const struct iob_run *);
/* Has the front seen the target of the present stage? */
bool iob_run_knows_target(const struct iob_run *);

#endif
