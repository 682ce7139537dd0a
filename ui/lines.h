/* SPDX-License-Identifier: MIT */
/* Text of several lines, each in a role: what the help and the summary scroll through. */
#ifndef IOB_UI_LINES_H
#define IOB_UI_LINES_H

#include <stddef.h>

#include "ui/role.h"

struct iob_line {
	enum iob_role role;
	char text[248];
};

/* Zeroed = empty. */
struct iob_lines {
	struct iob_line *item;
	size_t count;
};

/* Append a line; when memory is short it is left out. */
void iob_lines_add(struct iob_lines *, enum iob_role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Append text broken at blanks to lines of at most `cols` bytes, each after `indent`. */
void iob_lines_wrap(
	struct iob_lines *, enum iob_role, size_t cols, const char *indent, const char *text);
void iob_lines_free(struct iob_lines *);

#endif
