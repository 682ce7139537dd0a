/* SPDX-License-Identifier: MIT */
/* The segments of the run as the screen speaks of them: a letter, what changed, what it did. */
#ifndef IOB_UI_CHANGES_H
#define IOB_UI_CHANGES_H

#include "ui/cap.h"
#include "ui/source.h"

struct iob_change {
	char letter; /* '0' the first load segment, then a..z A..Z, '+' beyond; ramp and
			pause have ' ' */
	struct iob_segment_figures figures;
	struct iob_segment_params params;
	char what[96]; /* "qd 32>64", "start", "ramp", "paused" */
	int before;    /* index of the load segment to compare with, -1 = none */
};

/* Zeroed = empty. */
struct iob_changes {
	struct iob_change *item; /* by segment id */
	size_t count;
	unsigned letters;
	struct iob_cap_scope scope; /* of the segments to come */
};

/* Fetch new segments and those that were open. */
void iob_changes_update(struct iob_changes *, const struct iob_source *, unsigned nsegments);
void iob_changes_free(struct iob_changes *);

/* "IOPS +19% MiB/s +19% p99 +31%"; "~" in front while it is younger than ten seconds, "measuring"
 * below two; "" if there is nothing to compare with. */
char *iob_change_effect(const struct iob_changes *, size_t i, char *buf, size_t n);

#endif
