/* SPDX-License-Identifier: MIT */
/*
 * A live change on its way: staged for 0.4 s after the last press, then asked for, then waited for.
 * Presses in between coalesce to one change.  The clock is the caller's.
 */
#ifndef IOB_UI_TUNING_H
#define IOB_UI_TUNING_H

#include "job/param.h"
#include "ui/cap.h"
#include "ui/source.h"
#include "ui/toast.h"

#define IOB_STAGE_NS (400 * UINT64_C(1000000))

enum iob_tuning_state {
	IOB_TUNING_IDLE,
	IOB_TUNING_STAGED, /* can still be cancelled */
	IOB_TUNING_SENT,   /* taken; the workers have not all adopted it yet */
};

enum iob_tuning_why {
	IOB_TUNE_EDIT, /* can be undone */
	IOB_TUNE_UNDO,
	IOB_TUNE_REDO,
	IOB_TUNE_PAUSE,
	IOB_TUNE_RESET, /* the same parameters again: a new segment */
	IOB_TUNE_SWEEP, /* a step of a sweep: a new segment, too */
};

/* Zeroed = idle. */
struct iob_tuning {
	enum iob_tuning_state state;
	struct iob_live wanted;
	struct iob_live before; /* SENT: what was in force */
	uint64_t due_ns;        /* STAGED: when it is asked for */
	uint64_t sent_ns;       /* SENT: since when */
	enum iob_tuning_why why;
	unsigned segments; /* SENT: how many there were */
	struct iob_cap_scope scope;
	bool slow_said;
	bool refused; /* `wanted` would be the first that writes; whoever asks clears it */
};

/* One press of a key: which knob, and -1 or +1. */
struct iob_step {
	const struct iob_param *param;
	int direction;
};

struct iob_setting {
	const struct iob_param *param;
	const char *text;
};

/* On top of what is already staged. */
void iob_tuning_step(struct iob_tuning *, const struct iob_snapshot *, const struct iob_plan *,
	struct iob_step, uint64_t now_ns, struct iob_toast *);
/* An exact value, as it is written on the command line; at once.  False (and said why) if it is
 * none. */
bool iob_tuning_set(struct iob_tuning *, const struct iob_snapshot *, const struct iob_plan *,
	const struct iob_setting *, uint64_t now_ns, struct iob_toast *);
/* What the next change starts from: what is staged or sent, else what is in force. */
const struct iob_live *iob_tuning_base(const struct iob_tuning *, const struct iob_snapshot *);
/* An edit that is asked for at due_ns, unless it leads back to what is in force. */
void iob_tuning_stage(
	struct iob_tuning *, const struct iob_snapshot *, const struct iob_live *, uint64_t due_ns);
/* Go to a parameter set, at once; the pause stays as it is. */
void iob_tuning_go(struct iob_tuning *, const struct iob_snapshot *, const struct iob_live *,
	enum iob_tuning_why, uint64_t now_ns);
/* Pause or resume, without delay. */
void iob_tuning_pause(struct iob_tuning *, const struct iob_snapshot *, uint64_t now_ns);
/* True if there was something to cancel. */
bool iob_tuning_cancel(struct iob_tuning *);
/* To be called with each new snapshot and often enough for due_ns.  True when a change has just
 * come into force: from `before` to `wanted`, for the reason `why`. */
bool iob_tuning_tick(struct iob_tuning *, const struct iob_source *, const struct iob_snapshot *,
	uint64_t now_ns, struct iob_toast *);

/* Does a kind of access read and write?  And the mixed kind with the order of this one. */
bool iob_rw_is_mixed(uint32_t rw);
uint32_t iob_rw_mixed(uint32_t rw);
const char *iob_rw_name(uint32_t rw);
/* Same parameters? */
bool iob_live_equal(const struct iob_live *, const struct iob_live *);
/* What differs, as on the screen: "qd 32>64 bs 4k>8k"; "" if nothing does. */
char *iob_live_diff(char *buf, size_t n, const struct iob_live *from, const struct iob_live *to,
	struct iob_cap_scope);
/* "4k", "4k-64k", "4k/8k" when writes differ from reads. */
char *iob_live_bs(char *buf, size_t n, const struct iob_live *);

#endif
