/* SPDX-License-Identifier: MIT */
/*
 * Names as people type them.  "Did you mean": offer all known names, get the one nearest to what
 *was typed. struct iob_nearest n = {.typed = "iodpeth"}; for each name: iob_nearest_offer(&n,
 *name); n.best is the name, or NULL when none is near.
 */
#ifndef IOB_BASE_NEAREST_H
#define IOB_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Is what was typed the name of these n bytes?  '-' and '_' are the same, case counts. */
bool iob_name_is(const char *name, size_t n, const char *typed);

struct iob_nearest {
	const char *typed;
	const char *best; /* points to what was offered */
	unsigned distance;
};

/* Near means: at most a third of the letters inserted, removed, replaced or swapped; case and '-'
 * for '_' do not count.  The first of several equally near ones stays. */
void iob_nearest_offer(struct iob_nearest *, const char *name);

#endif
