/* SPDX-License-Identifier: MIT */
/* Segments with their effects, and the user's marks, the newest on top. */
#include <config.h>

#include <stdio.h>

#include "base/text.h"
#include "ui/widget.h"

static int draw_entry(struct iob_canvas *c, struct iob_rect r, int y, int x,
	const struct iob_model *m, const struct iob_entry *e)
{
	char text[256];

	iob_entry_text(&m->changes, e, text, sizeof(text));
	char letter[2] = {text[0], '\0'};
	x = iob_canvas_text(c, r, y, x, IOB_ROLE_MARK, letter);
	return iob_canvas_text(c, r, y, x, IOB_ROLE_NORMAL, text + 1);
}

static void one_line(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	struct iob_entry e;
	char text[256];
	int x = 1;

	for (size_t i = c->focused ? m->selected : 0; iob_entry_at(&m->changes, &m->marks, i, &e);
		i++) {
		iob_entry_text(&m->changes, &e, text, sizeof(text));
		if (x > 1 && x + (int)iob_text_width(text) > r.cols)
			return;
		if (c->focused && x == 1)
			x = iob_canvas_text(c, r, 0, x, IOB_ROLE_SELECT, text) + 2;
		else
			x = draw_entry(c, r, 0, x, m, &e) + 2;
	}
}

void iob_draw_changes(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m)
{
	struct iob_rect inside = iob_rect_inside(r);
	size_t rows = (size_t)inside.rows, first = 0;
	struct iob_entry e;

	if (r.rows < 3) {
		one_line(c, r, m);
		return;
	}
	if (m->selected >= rows)
		first = m->selected - rows + 1;
	for (size_t y = 0; y < rows && iob_entry_at(&m->changes, &m->marks, first + y, &e); y++) {
		bool selected = c->focused && first + y == m->selected;

		iob_canvas_text(c, inside, (int)y, 0, IOB_ROLE_KEY, selected ? ">" : " ");
		draw_entry(c, inside, (int)y, 1, m, &e);
	}
	iob_canvas_box(c, r, "Changes",
		c->focused ? "Enter: show on the graph" : "effect against the segment before");
}
