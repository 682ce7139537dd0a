/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/entries.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

bool iob_entry_at(const struct iob_changes *changes, const struct iob_marks *marks, size_t i,
	struct iob_entry *e)
{
	size_t c = changes->count, k = marks->count;

	if (i >= c + k)
		return false;
	memset(e, 0, sizeof(*e));
	for (size_t left = i + 1; left > 0; left--) {
		bool mark = c == 0 || (k > 0 && marks->item[k - 1].ms >=
							changes->item[c - 1].figures.from_ms);

		e->mark = mark ? &marks->item[k - 1] : NULL;
		e->change = mark ? NULL : &changes->item[c - 1];
		e->ms = mark ? e->mark->ms : e->change->figures.from_ms;
		k -= mark ? 1 : 0;
		c -= mark ? 0 : 1;
	}
	return true;
}

char *iob_entry_text(
	const struct iob_changes *changes, const struct iob_entry *e, char *buf, size_t n)
{
	char at[24], effect[128];

	iob_format_clock(at, sizeof(at), e->ms * 1000000);
	if (e->mark) {
		snprintf(buf, n, "! %s %s", at, e->mark->text);
		return buf;
	}
	iob_change_effect(changes, (size_t)(e->change - changes->item), effect, sizeof(effect));
	snprintf(buf, n, "%c %s %s%s%s", e->change->letter, at, e->change->what,
		effect[0] ? ": " : "", effect);
	return buf;
}
