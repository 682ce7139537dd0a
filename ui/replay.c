/* SPDX-License-Identifier: MIT */
#include "ui/replay.h"

bool iob_replay_record(struct iob_replay *r, const struct iob_changes *c)
{
	bool first = true;

	r->count = r->next = 0;
	for (size_t i = 0; i < c->count && r->count < IOB_REPLAY_MOST; i++) {
		if (c->item[i].params.kind != IOB_SEGMENT_LOAD)
			continue;
		if (!first)
			r->step[r->count++] = (struct iob_replay_step){
				c->item[i].figures.from_ms, c->item[i].params.live};
		first = false;
	}
	return r->count > 0;
}

const struct iob_live *iob_replay_due(struct iob_replay *r, uint64_t now_ms)
{
	if (r->next >= r->count || now_ms < r->step[r->next].at_ms)
		return NULL;
	return &r->step[r->next++].live;
}
