/* SPDX-License-Identifier: MIT */
/* The parts of the setup screen.  Internal to scr_setup.c and setup_*.c. */
#ifndef IOB_UI_SETUP_H
#define IOB_UI_SETUP_H

#include "job/param.h"
#include "job/profile.h"
#include "target/blockdev.h"
#include "ui/app.h"
#include "ui/picker.h"

#define IOB_SETUP_RUNS         4
/* Rows of the targets: a scratch file, a typed path, and then the devices. */
#define IOB_SETUP_PATH         1
#define IOB_SETUP_FIRST_DEVICE 2

enum iob_setup_part { IOB_SETUP_TARGETS, IOB_SETUP_PROFILES, IOB_SETUP_PARAMS, IOB_NSETUPPARTS };

struct iob_setup {
	struct iob_blockdevs devices;
	struct iob_profile_entry *profile;
	size_t nprofiles;
	char path[IOB_PATH_MAX]; /* typed target, "" = none yet */
	/* A job file: the row after the profiles, its stages the rows after that. */
	char jobfile[IOB_PATH_MAX]; /* "" = none yet */
	unsigned job_stages;
	char stage_text[IOB_MAX_STAGES][128];
	bool own_targets; /* its stages go to several places: the row of the path stands for them */
	unsigned stage;   /* whose parameters are shown */
	char scratch[160]; /* how the scratch file is described */
	struct iob_picker targets, profiles, params;
	size_t target, profile_at, param_at; /* chosen rows, kept over a resize */
	enum iob_setup_part part;            /* has the focus */
	const struct iob_param **param;      /* rows of the form */
	size_t nparams;
	struct iob_plan *base; /* as the profile has it, to see what was changed */
	struct iob_rect box[IOB_NSETUPPARTS], info, runs;
	/* Earlier runs on the chosen target, read a moment after it was chosen. */
	char run_text[IOB_SETUP_RUNS][160];
	unsigned nruns;
	uint64_t runs_due_ns; /* 0 = they have been read */
};

/* setup_targets.c */
const struct iob_blockdev *iob_setup_device(const struct iob_setup *);
/* As the command line has it: "" for a scratch file. */
const char *iob_setup_target(const struct iob_setup *);
void iob_setup_scan(struct iob_app *);
void iob_setup_open_targets(struct iob_setup *);
size_t iob_setup_count(const struct iob_setup *);
void iob_setup_row(const struct iob_setup *, size_t row, char *buf, size_t n);

/* setup_profiles.c */
bool iob_setup_is_job(const struct iob_setup *);
void iob_setup_profile_row(const struct iob_setup *, size_t row, char *buf, size_t n);
void iob_setup_open_profiles(struct iob_setup *);
void iob_setup_scan_profiles(struct iob_app *);
/* The plan as the chosen profile has it. */
void iob_setup_load_profile(struct iob_app *);
/* Another row was chosen. */
void iob_setup_enter_profile(struct iob_app *, size_t before);
/* Take the job file; nothing has changed when it fails. */
int iob_setup_load_job(struct iob_app *, const char *path, struct iob_error *);
/* Its own places into the plan. */
void iob_setup_job_targets(struct iob_app *);

/* setup_form.c */
int iob_setup_make_form(struct iob_setup *, struct iob_error *);
void iob_setup_open_form(struct iob_app *);
/* Step the focused parameter. */
void iob_setup_step(struct iob_app *, int direction);
/* A list of its values, or a line to type. */
void iob_setup_edit(struct iob_app *);
bool iob_setup_is_edited(const struct iob_app *);

/* setup_info.c */
void iob_setup_draw_info(struct iob_app *);
void iob_setup_draw_runs(struct iob_app *);
void iob_setup_load_runs(struct iob_app *);

#endif
