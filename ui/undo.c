/* SPDX-License-Identifier: MIT */
#include "ui/undo.h"

#include <string.h>

static bool same(const struct iob_live *a, const struct iob_live *b)
{
	return a->rw == b->rw && a->iodepth == b->iodepth && a->rwmixread == b->rwmixread &&
	       memcmp(a->bs, b->bs, sizeof(a->bs)) == 0 &&
	       memcmp(a->rate_iops, b->rate_iops, sizeof(a->rate_iops)) == 0;
}

static void push(struct iob_undo *u, const struct iob_live *live)
{
	if (u->count == IOB_UNDO_MOST) {
		memmove(&u->state[0], &u->state[1], (IOB_UNDO_MOST - 1) * sizeof(u->state[0]));
		u->count--;
	}
	u->state[u->count++] = *live;
	u->at = u->count - 1;
}

void iob_undo_note(struct iob_undo *u, const struct iob_live *before, const struct iob_live *after)
{
	if (u->count)
		u->count = u->at + 1;
	if (u->count == 0 || !same(&u->state[u->at], before))
		push(u, before);
	push(u, after);
}

const struct iob_live *iob_undo_peek(const struct iob_undo *u, int by)
{
	if (by < 0)
		return u->at > 0 ? &u->state[u->at - 1] : NULL;
	return u->at + 1 < u->count ? &u->state[u->at + 1] : NULL;
}

void iob_undo_move(struct iob_undo *u, int by)
{
	if (iob_undo_peek(u, by))
		u->at = by < 0 ? u->at - 1 : u->at + 1;
}
