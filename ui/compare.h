/* SPDX-License-Identifier: MIT */
/* Two saved runs side by side, in lines of text.  Without curses. */
#ifndef IOB_UI_COMPARE_H
#define IOB_UI_COMPARE_H

#include "result/result.h"
#include "ui/lines.h"

/* Headline segment against headline segment: what B had, what A has, the change from B to A, and
 * what differs besides. */
void iob_compare_lines(
	struct iob_lines *, const struct iob_result *a, const struct iob_result *b, int cols);

#endif
