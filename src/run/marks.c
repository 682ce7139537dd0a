/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "run/marks.h"

#include "base/text.h"

bool iob_marks_add(struct iob_marks *m, uint64_t ms, const char *text)
{
	if (m->count == IOB_MARKS_MOST)
		return false;
	struct iob_mark *mark = &m->item[m->count++];
	mark->ms = ms;
	iob_text_clean(mark->text, sizeof(mark->text), text);
	return true;
}
