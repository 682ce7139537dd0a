/* SPDX-License-Identifier: MIT */
/* Clipped drawing into a window: text by cells, boxes in the terminal's glyphs. */
#ifndef IOB_UI_WIDGET_CANVAS_H
#define IOB_UI_WIDGET_CANVAS_H

#include <curses.h>

#include "ui/caps.h"
#include "ui/layout.h"
#include "ui/raster.h"
#include "ui/role.h"

struct iob_canvas {
	WINDOW *win;
	enum iob_glyphs glyphs;
	bool focused; /* the next box has the focus: its title shows it */
};

/*
 * Text at (y, x) of the rectangle, cut at its right edge; nothing happens outside of it.  What is
 * not printable in this locale shows as '?'.  Returns the x after the text.
 */
int iob_canvas_text(
	struct iob_canvas *, struct iob_rect, int y, int x, enum iob_role, const char *text);
int iob_canvas_printf(struct iob_canvas *, struct iob_rect, int y, int x, enum iob_role,
	const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Ends at column `end` (exclusive). */
void iob_canvas_right(
	struct iob_canvas *, struct iob_rect, int y, int end, enum iob_role, const char *text);
void iob_canvas_cells(
	struct iob_canvas *, struct iob_rect, int y, int x, const struct iob_cell *, int n);
/* Blanks (in the role) over the rectangle. */
void iob_canvas_fill(struct iob_canvas *, struct iob_rect, enum iob_role);
/* A box with a title in its upper line, and one at the right end of it (either may be NULL). */
void iob_canvas_box(struct iob_canvas *, struct iob_rect, const char *title, const char *right);
/* The glyph of a line: '-', '|' or '+' as it looks here. */
uint32_t iob_canvas_line(const struct iob_canvas *, char which);

#endif
