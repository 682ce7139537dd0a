/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/widget.h"

static bool is_preparing(const struct iob_model *m)
{
	return m->shown.phase < IOB_PHASE_RAMP || m->shown.view.t0_ns == 0;
}

void iob_draw_dashboard(struct iob_canvas *c, struct iob_model *m, int rows, int cols)
{
	struct iob_layout l;

	iob_layout_dashboard(&l, rows, cols);
	const struct iob_rect *b = l.block;
	iob_draw_title(c, b[IOB_BLOCK_TITLE], m);
	iob_draw_strip(c, b[IOB_BLOCK_STRIP], m);
	if (is_preparing(m))
		iob_draw_progress(c, b[IOB_BLOCK_GRAPH], m, l.boxes);
	else
		iob_draw_graph(c, b[IOB_BLOCK_GRAPH], m, 0, l.boxes);
	if (b[IOB_BLOCK_GRAPH2].rows)
		iob_draw_graph(c, b[IOB_BLOCK_GRAPH2], m, 1, l.boxes);
	if (b[IOB_BLOCK_LATENCY].rows)
		iob_draw_latency(c, b[IOB_BLOCK_LATENCY], m, l.boxes);
	if (b[IOB_BLOCK_DISK].rows)
		iob_draw_disk(c, b[IOB_BLOCK_DISK], m, l.boxes);
	iob_draw_numbers(c, b[IOB_BLOCK_NUMBERS], m);
	if (b[IOB_BLOCK_CHANGES].rows)
		iob_draw_changes(c, b[IOB_BLOCK_CHANGES], m);
	iob_draw_status(c, b[IOB_BLOCK_STATUS], m);
	iob_draw_hints(c, b[IOB_BLOCK_HINTS], IOB_SCREEN_RUN);
}
