/* SPDX-License-Identifier: MIT */
/* In the place of the graph, as long as there is nothing to draw. */
#include <config.h>

#include "base/units.h"
#include "ui/widget.h"

#define MOST_COLS 1024

static const char *waiting_for(enum iob_phase phase)
{
	if (phase == IOB_PHASE_DONE)
		return "nothing has been run";
	return phase == IOB_PHASE_STARTING ? "the load process comes up"
					   : "workers allocate and touch their memory";
}

void iob_draw_progress(struct iob_canvas *c, struct iob_rect r, const struct iob_model *m, bool box)
{
	const struct iob_snapshot *s = &m->shown;
	struct iob_rect inside = box ? iob_rect_inside(r) : r;
	int y = inside.rows / 2 - 1;
	char done[24], total[24];

	if (box)
		iob_canvas_box(c, r, iob_phase_name(s->phase), NULL);
	if (y < 0)
		y = 0;
	if (s->phase != IOB_PHASE_LAYOUT || s->layout_total == 0) {
		iob_canvas_text(c, inside, y, 2, IOB_ROLE_NORMAL, waiting_for(s->phase));
		return;
	}
	double share = (double)s->layout_done / (double)s->layout_total;
	struct iob_cell gauge[MOST_COLS];
	int cols = inside.cols - 10;
	iob_format_bytes(done, sizeof(done), s->layout_done);
	iob_format_bytes(total, sizeof(total), s->layout_total);
	iob_canvas_printf(c, inside, y, 2, IOB_ROLE_NORMAL,
		"laying out the file with incompressible data: %s of %s", done, total);
	if (cols < 1)
		return;
	cols = cols > MOST_COLS ? MOST_COLS : cols;
	iob_raster_gauge(gauge, cols, share, c->glyphs);
	iob_canvas_cells(c, inside, y + 1, 2, gauge, cols);
	iob_canvas_printf(c, inside, y + 1, cols + 3, IOB_ROLE_VALUE, "%3.0f%%", share * 100);
}
