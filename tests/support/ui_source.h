/* SPDX-License-Identifier: MIT */
/*
 * A scripted run for the screens: no threads, no disk, no clock.  A mixed 70/30 job on a disk of
 * which twice the depth gives 1.2 times the I/Os; a stall in the 20th second; values at will.
 */
#ifndef IOB_TESTS_UI_SOURCE_H
#define IOB_TESTS_UI_SOURCE_H

#include "ui/source.h"

#define IOB_FAKE_SEGMENTS 128

struct iob_fake_segment {
	uint64_t from_ms;
	struct iob_segment_params params;
};

struct iob_fake {
	struct iob_marks marks; /* as noted */
	struct iob_plan *plan;  /* owned */
	uint64_t now_ms;        /* since the start; to be moved by the test */
	enum iob_phase phase;
	enum iob_outcome outcome;
	struct iob_live live;
	unsigned nsegments;
	struct iob_fake_segment segment[IOB_FAKE_SEGMENTS];
	uint64_t layout_done, layout_total;
	uint64_t capacity;
	unsigned workers;
	/* What the next tune answers: 0, or an error with this text. */
	bool tune_refused; /* for safety */
	int tune_code;
	const char *tune_text;
	bool hold;               /* a change is taken, but does not come into force */
	const char *late_error;  /* what a change that was held is answered in the end */
	struct iob_sweep sweep;  /* that was noted */
	const char *follow_text; /* what the next step of a sweep is answered, NULL = taken */
	unsigned follows;
	unsigned tunes, stops, saves, timeline_calls;
	char saved[256];
};

void iob_fake_open(struct iob_fake *);
void iob_fake_close(struct iob_fake *);
struct iob_source iob_fake_source(struct iob_fake *);
/* What a change that was held comes into force with. */
void iob_fake_adopt(struct iob_fake *, const struct iob_live *);
/* The I/Os per second of a segment, both directions. */
double iob_fake_iops(const struct iob_segment_params *);

#endif
