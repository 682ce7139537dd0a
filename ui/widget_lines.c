/* SPDX-License-Identifier: MIT */
/* A box of lines that scrolls. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>

#include "ui/app.h"

#define PAGE 10

bool iob_scroll_act(size_t *scroll, enum iob_action action)
{
	switch (action) {
	case IOB_ACT_UP:
		*scroll -= *scroll > 0 ? 1 : 0;
		return true;
	case IOB_ACT_DOWN:
		(*scroll)++;
		return true;
	case IOB_ACT_PAGE_UP:
		*scroll = *scroll > PAGE ? *scroll - PAGE : 0;
		return true;
	case IOB_ACT_PAGE_DOWN:
		*scroll += PAGE;
		return true;
	case IOB_ACT_FIRST:
		*scroll = 0;
		return true;
	case IOB_ACT_LAST:
		/* Cut to the last page when it is drawn, where the height is known. */
		*scroll = SIZE_MAX / 2;
		return true;
	default:
		return false;
	}
}

void iob_draw_lines(struct iob_canvas *c, struct iob_rect r, const char *title,
	const struct iob_lines *lines, size_t *scroll, int columns)
{
	struct iob_rect inside = iob_rect_inside(r);
	char right[64] = "";

	if (inside.rows < 1 || inside.cols < 1)
		return;
	size_t page = (size_t)inside.rows * (size_t)columns;
	size_t most = lines->count > page ? lines->count - page : 0;
	*scroll = *scroll > most ? most : *scroll;
	int cols = inside.cols / columns;
	for (size_t i = 0; i < page && *scroll + i < lines->count; i++) {
		const struct iob_line *line = &lines->item[*scroll + i];
		int column = (int)(i / (size_t)inside.rows);
		struct iob_rect part = {inside.y, inside.x + column * cols, inside.rows, cols};

		iob_canvas_text(c, part, (int)(i % (size_t)inside.rows), 1, line->role, line->text);
	}
	if (most)
		snprintf(right, sizeof(right), "lines %zu-%zu/%zu", *scroll + 1, *scroll + page,
			lines->count);
	iob_canvas_box(c, r, title, right);
}
