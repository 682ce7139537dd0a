/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/widget.h"

static bool is_preparing(const struct iob_model *m)
{
	return m->shown.phase < IOB_PHASE_RAMP || m->shown.view.t0_ns == 0;
}

static void draw_panel(
	struct iob_canvas *c, struct iob_model *m, const struct iob_layout *l, enum iob_panel panel)
{
	struct iob_rect r = l->block[iob_panel_block(panel)];

	if (r.rows == 0)
		return;
	c->focused = m->panels.focus == panel;
	switch (panel) {
	case IOB_PANEL_STRIP:
	case IOB_NPANELS:
		iob_draw_strip(c, r, m);
		break;
	case IOB_PANEL_GRAPH:
		if (is_preparing(m))
			iob_draw_progress(c, r, m, l->boxes);
		else
			iob_draw_graph(c, r, m, 0, l->boxes);
		break;
	case IOB_PANEL_LATENCY:
		iob_draw_latency(c, r, m, l->boxes);
		break;
	case IOB_PANEL_DISK:
		iob_draw_disk(c, r, m, l->boxes);
		break;
	case IOB_PANEL_JOBS:
		iob_draw_jobs(c, r, m);
		break;
	case IOB_PANEL_CHANGES:
		iob_draw_changes(c, r, m);
		break;
	}
	c->focused = false;
}

void iob_draw_dashboard(struct iob_canvas *c, struct iob_model *m, int rows, int cols)
{
	struct iob_layout l;

	m->panels.rows = rows;
	m->panels.cols = cols;
	iob_layout_dashboard(&l, rows, cols, iob_panels_wish(&m->panels));
	const struct iob_rect *b = l.block;
	iob_draw_title(c, b[IOB_BLOCK_TITLE], m);
	for (int i = 0; i < IOB_NPANELS; i++)
		draw_panel(c, m, &l, (enum iob_panel)i);
	if (b[IOB_BLOCK_GRAPH2].rows)
		iob_draw_graph(c, b[IOB_BLOCK_GRAPH2], m, 1, l.boxes);
	if (b[IOB_BLOCK_GRAPH3].rows)
		iob_draw_graph(c, b[IOB_BLOCK_GRAPH3], m, 2, l.boxes);
	iob_draw_numbers(c, b[IOB_BLOCK_NUMBERS], m);
	iob_draw_status(c, b[IOB_BLOCK_STATUS], m);
	iob_draw_hints(c, b[IOB_BLOCK_HINTS], IOB_SCREEN_RUN);
}
