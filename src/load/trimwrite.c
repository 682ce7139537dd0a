/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "load/trimwrite.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int iob_trimwrite_init(struct iob_trimwrite *t, unsigned room)
{
	*t = (struct iob_trimwrite){.room = room};
	t->block = calloc(room, sizeof(*t->block));
	return t->block ? 0 : -ENOMEM;
}

void iob_trimwrite_free(struct iob_trimwrite *t)
{
	free(t->block);
	*t = (struct iob_trimwrite){0};
}

void iob_trimwrite_sent(struct iob_trimwrite *t)
{
	assert(t->count + t->out < t->room);
	t->out++;
}

void iob_trimwrite_back(struct iob_trimwrite *t, const struct iob_trimmed *block, bool write)
{
	/* One that was sent under other parameters. */
	if (t->out == 0)
		return;
	t->out--;
	if (!write)
		return;
	unsigned at = t->first + t->count++;
	t->block[at < t->room ? at : at - t->room] = *block;
}

bool iob_trimwrite_take(struct iob_trimwrite *t, struct iob_trimmed *block)
{
	if (t->count == 0)
		return false;
	*block = t->block[t->first];
	t->first = t->first + 1 < t->room ? t->first + 1 : 0;
	t->count--;
	return true;
}

void iob_trimwrite_drop(struct iob_trimwrite *t)
{
	t->count = 0;
}
