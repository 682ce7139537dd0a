/* SPDX-License-Identifier: MIT */
/*
 * The whole of a run as decided before it starts: stages in order, the seed, and what the user
 * consented to.  A plain value without pointers: it is copied into the shared memory of the load
 * process.
 */
#ifndef IOB_JOB_PLAN_H
#define IOB_JOB_PLAN_H

#include <sys/types.h>

#include "job/job.h"
#include "job/sweep.h"

#define IOB_MAX_STAGES   16
#define IOB_MAX_CONSENTS 8

/* What --allow-write or the dialog named; paths as given. */
struct iob_consent {
	unsigned count;
	char path[IOB_MAX_CONSENTS][IOB_PATH_MAX];
};

/* Files that reports are to replace: none of them may be a target. */
struct iob_plan_report {
	dev_t dev;
	ino_t ino;
};

/* Files that runs of the same command made: they may be written without consent. */
#define IOB_MAX_CREATED 1024

#define IOB_MAX_REPORTS 512 /* all formats, --save, logs of many clones */

/* What workers write down for I/O logs, with detailed statistics only. */
struct iob_plan_log {
	bool transfers;     /* of bandwidth, IOPS or latency */
	uint64_t window_ns; /* added up over such windows; 0 = a record for each transfer */
	uint64_t hist_ns;   /* histograms of clat, each so long; 0 = none */
};

struct iob_plan {
	char profile[IOB_NAME_MAX]; /* name of the profile, "" = none */
	uint64_t seed;              /* never 0 once iob_plan_finish has passed */
	bool tunable;               /* a dashboard may turn parameters: allocate for more depth */
	bool detail;                /* workers keep struct iob_detail, for fio's reports */
	unsigned first_worker;      /* number of worker 0, if other runs belong to this one */
	struct iob_plan_log log;
	bool scratch; /* no TARGET was given: make a scratch file */
	struct iob_consent consent;
	unsigned nreports;
	struct iob_plan_report report[IOB_MAX_REPORTS];
	unsigned ncreated;
	struct iob_plan_report created[IOB_MAX_CREATED];
	struct iob_sweep sweep; /* of the only stage */
	unsigned nstages;       /* 1..IOB_MAX_STAGES */
	struct iob_job stage[IOB_MAX_STAGES];
};

/* One stage at defaults. */
void iob_plan_init(struct iob_plan *);

/* TARGET of the command line, for all stages: an existing directory goes to `directory`, anything
 * else to `filename`. NULL = none.  Only stats the path's type if it ends in '/', never opens it;
 * the load process finds out what it is. */
int iob_plan_set_target(struct iob_plan *, const char *target, struct iob_error *);

/* Set a parameter in every stage. */
int iob_plan_set(struct iob_plan *, const char *name, const char *value, struct iob_error *);

/* Consent to overwriting this device or file; the name is copied.  0 or a usage error: it is empty
 * or too long, or there are too many. */
int iob_consent_add(struct iob_consent *, const char *path, struct iob_error *);
int iob_plan_allow_write(struct iob_plan *, const char *path, struct iob_error *);

/* Choose the seed, decide whether this is a scratch run, check every stage.  After this the plan is
 * const. */
int iob_plan_finish(struct iob_plan *, struct iob_error *);

#endif
