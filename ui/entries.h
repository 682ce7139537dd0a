/* SPDX-License-Identifier: MIT */
/* What the Changes panel lists: segments, and the marks that the user put on the time axis. */
#ifndef IOB_UI_ENTRIES_H
#define IOB_UI_ENTRIES_H

#include "run/marks.h"
#include "ui/changes.h"

/* One line of the panel: one of the two is not NULL. */
struct iob_entry {
	const struct iob_change *change;
	const struct iob_mark *mark;
	uint64_t ms;
};

/* Entry i, the newest being 0; false beyond the last. */
bool iob_entry_at(
	const struct iob_changes *, const struct iob_marks *, size_t i, struct iob_entry *);
/* "a 01:18 qd 32>64: IOPS +19%", "! 01:20 fan off". */
char *iob_entry_text(const struct iob_changes *, const struct iob_entry *, char *buf, size_t n);

#endif
