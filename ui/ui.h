/* SPDX-License-Identifier: MIT */
/* The dashboard: the one door into ui/ for main.c. */
#ifndef IOB_UI_UI_H
#define IOB_UI_UI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "job/plan.h"
#include "result/result.h"

struct iob_fio_note; /* of job/fio_plan.h */

struct iob_ui_config {
	const struct iob_plan *plan; /* finished if has_target or scratch; else what the setup
					screen starts from */
	bool setup;                  /* show the setup screen first */
	uint64_t grace_ns;
	uint64_t refresh_ns; /* 0 = by the kind of terminal */
	const char *symbols; /* "auto", "braille", "block", "console", "ascii" */
	int color;           /* 0 auto, 1 always, 2 never */
	const char *script;  /* commands to carry out; NULL = none */
	bool no_save;        /* keep nothing that was not asked for */
	/* The plan with another profile and what else was asked for; and that in words, for the
	 * screen: " --size=1g".  NULL and "" when nothing was. */
	int (*replan)(const void *self, const char *profile, struct iob_plan *, struct iob_error *);
	/* The same for a job file; options: with what else was asked for.  note gets its warnings.
	 */
	int (*replan_job)(const void *self, const char *path, bool options, struct iob_plan *,
		struct iob_fio_note *note, struct iob_error *);
	const void *replan_self;
	const char *jobfile; /* that `plan` was made of; NULL = a profile */
	const char *words;
	const char *save; /* where `s` saves and the end is saved to; NULL = proposed by us */
};

/* Can the dashboard run here?  False with one line of reason: not a terminal, TERM unknown or dumb.
 */
bool iob_ui_possible(char *why, unsigned n);

/*
 * Runs to the end with the terminal restored on every way out.  *result is filled (and owned by the
 * caller) if a run took place, *have_result says so. Returns 0, a negative errno with *err set, or
 * 128 + n when a signal ended it.
 */
int iob_ui_run(const struct iob_ui_config *, struct iob_result *result, bool *have_result,
	struct iob_error *);

#endif
