/* SPDX-License-Identifier: MIT */
/* What separates words, in any locale. */
#ifndef IOB_BASE_BLANK_H
#define IOB_BASE_BLANK_H

#include <stdbool.h>

static inline bool iob_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
