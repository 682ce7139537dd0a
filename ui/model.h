/* SPDX-License-Identifier: MIT */
/* What the screens show and in which state they are.  Knows no curses; the clock is the caller's.
 */
#ifndef IOB_UI_MODEL_H
#define IOB_UI_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/action.h"
#include "ui/axis.h"
#include "ui/below.h"
#include "ui/entries.h"
#include "ui/history.h"
#include "ui/panels.h"
#include "ui/source.h"
#include "ui/sweep_drive.h"
#include "ui/toast.h"
#include "ui/tuning.h"
#include "ui/undo.h"

#define IOB_GRAPHS 3

/* What the table of workers shows: taken when it is drawn, but not while the display is frozen. */
struct iob_worker_rows {
	unsigned count, room;
	struct iob_run_worker worker[];
};

struct iob_model {
	const struct iob_plan *plan; /* never NULL */
	struct iob_source source;    /* of the run; snapshot NULL = there is none yet */
	struct iob_snapshot snap;    /* the newest */
	struct iob_live planned;     /* what the stage starts with */
	struct iob_snapshot shown;   /* what is drawn: stands still while frozen */
	struct iob_history history;
	struct iob_changes changes;
	struct iob_marks marks;
	struct iob_below below; /* the disk of the target */
	struct iob_tuning tuning;
	struct iob_undo undo;
	unsigned undo_stage;               /* whose sets these are */
	struct iob_segment_figures recent; /* the last ten seconds, made once a second */
	uint64_t recent_ns;
	struct iob_toast toast;
	struct iob_axis axis[IOB_GRAPHS][IOB_NMETRICS];
	struct iob_segment_figures base; /* what figures are compared with */
	bool has_base;
	enum iob_metric view;
	unsigned zoom; /* index, see iob_model_zoom_s */
	enum iob_yaxis yaxis;
	size_t back; /* columns that the graph is panned to the past */
	struct iob_panels panels;
	unsigned knob;                /* see iob_model_knob */
	size_t selected;              /* entry of the changes, 0 = the newest */
	struct iob_worker_rows *rows; /* of the table of workers; NULL = no memory */
	size_t first_job;             /* first line of the table of workers */
	char search[64];              /* what was looked for last */
	bool sweep_over;              /* the sweep that the run was started with goes no further */
	struct iob_sweep_drive drive; /* the sweep that was asked for here */
	unsigned sweep_segment;       /* the first one that it made */
	struct iob_live sweep_from;   /* what was in force before it */
	bool sweep;                   /* graphs fill from left to right and begin anew */
	uint64_t now_ns;
	uint64_t frozen_ns; /* since when, 0 = not */
	uint64_t refresh_ns;
	bool slow_terminal; /* frames are being skipped */
	bool complete;      /* the last snapshot of an ended run has been taken over */
};

/* Seconds per column. */
unsigned iob_model_zoom_s(const struct iob_model *);
/* The job of the stage that is on. */
const struct iob_job *iob_model_job(const struct iob_model *);
/* What is in force; before the load process is up, what it will start with. */
const struct iob_live *iob_model_live(const struct iob_model *);
/* The parameter of a knob of the strip, from left to right, that + and - step; NULL beyond the last
 * one of this run. */
const struct iob_param *iob_model_knob(const struct iob_model *, unsigned);
/* An exact value for a parameter; false (and said why) if it was not taken. */
/* "20k", "off": the cap of all workers and directions together. */
bool iob_model_set_cap(struct iob_model *, const char *text, uint64_t now_ns);
bool iob_model_set(struct iob_model *, const char *param, const char *text, uint64_t now_ns);
/* A mark where the run is now (ms since t0). */
uint64_t iob_model_time_ms(const struct iob_model *);
void iob_model_mark(struct iob_model *, uint64_t ms, const char *text, uint64_t now_ns);
/* Look for text in the changes, from the selected one on (+1 older, -1 newer). */
void iob_model_search(struct iob_model *, const char *text, int by, uint64_t now_ns);
bool iob_model_set_zoom(struct iob_model *, unsigned seconds);
/* Does the load run?  Else says that it does not. */
bool iob_model_can_tune(struct iob_model *, uint64_t now_ns);
/* One step of a parameter, staged. */
void iob_model_turn(struct iob_model *, const char *param, int direction, uint64_t now_ns);
/* The keys of the cap; true if it was one of them. */
bool iob_model_act_cap(struct iob_model *, enum iob_action, uint64_t now_ns);
/* Begin a sweep: "iodepth=1..64 2s", "" = the usual one.  False (and said why) if it cannot be. */
bool iob_model_sweep(struct iob_model *, const char *text, uint64_t now_ns);
/* False if none is on. */
bool iob_model_end_sweep(struct iob_model *, uint64_t now_ns);
void iob_model_tick_sweeps(struct iob_model *, uint64_t now_ns);
/* When the model wants to be updated at the latest; UINT64_MAX = with the next frame. */
uint64_t iob_model_due_ns(const struct iob_model *);
/* Take over a new snapshot and what belongs to it. */
void iob_model_update(struct iob_model *, uint64_t now_ns);
/* The actions that need no screen; true if it was one of them. */
bool iob_model_act(struct iob_model *, enum iob_action, uint64_t now_ns);
void iob_model_free(struct iob_model *);

/* Is a run on, so that quitting has to be asked for? */
bool iob_model_is_running(const struct iob_model *);
/* Does the run, or will it, do I/O of that direction? */
bool iob_model_does(const struct iob_model *, enum iob_dir);
/* "nvme1n1 KIOXIA CM7-R 3.6TiB", cleaned. */
char *iob_model_target(const struct iob_model *, char *buf, size_t n);
/* "MIXED" or what the first stage does. */
char *iob_model_work(const struct iob_model *, char *buf, size_t n);
/* " direct", " buffered", "" where neither means anything. */
const char *iob_model_caching(const struct iob_model *);
/* "RUN 01:42/05:00". */
char *iob_model_state(const struct iob_model *, char *buf, size_t n);

#endif
