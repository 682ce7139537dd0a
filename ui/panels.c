/* SPDX-License-Identifier: MIT */
#include "ui/panels.h"

enum iob_block iob_panel_block(enum iob_panel panel)
{
	static const enum iob_block blocks[IOB_NPANELS] = {IOB_BLOCK_STRIP, IOB_BLOCK_GRAPH,
		IOB_BLOCK_LATENCY, IOB_BLOCK_DISK, IOB_BLOCK_JOBS, IOB_BLOCK_CHANGES};

	return blocks[panel];
}

struct iob_layout_wish iob_panels_wish(const struct iob_panels *p)
{
	struct iob_layout_wish wish = {.large = IOB_BLOCK_TITLE};

	for (int i = IOB_PANEL_GRAPH; i < IOB_NPANELS; i++)
		if (p->hidden & 1u << i)
			wish.hidden |= 1u << iob_panel_block((enum iob_panel)i);
	if (p->large && p->focus != IOB_PANEL_STRIP)
		wish.large = iob_panel_block(p->focus);
	return wish;
}

static bool is_on_screen(const struct iob_panels *p, enum iob_panel panel)
{
	struct iob_panels usual = *p;
	struct iob_layout l;

	usual.large = false;
	iob_layout_dashboard(
		&l, p->rows ? p->rows : 24, p->cols ? p->cols : 80, iob_panels_wish(&usual));
	return l.block[iob_panel_block(panel)].rows > 0;
}

void iob_panels_move(struct iob_panels *p, int by)
{
	p->large = false;
	do
		p->focus = (enum iob_panel)(((int)p->focus + by + IOB_NPANELS) % IOB_NPANELS);
	while (p->focus != IOB_PANEL_STRIP && !is_on_screen(p, p->focus));
}

void iob_panels_toggle(struct iob_panels *p, enum iob_panel panel)
{
	unsigned bit = 1u << panel;

	if (p->large && p->focus == panel) {
		p->large = false;
		p->focus = is_on_screen(p, panel) ? panel : IOB_PANEL_STRIP;
		return;
	}
	p->large = false;
	if (!(p->hidden & bit) && is_on_screen(p, panel)) {
		p->hidden |= bit;
		p->focus = p->focus == panel ? IOB_PANEL_STRIP : p->focus;
		return;
	}
	p->hidden &= ~bit;
	if (is_on_screen(p, panel))
		return;
	p->focus = panel;
	p->large = true;
}

void iob_panels_enlarge(struct iob_panels *p)
{
	if (p->focus == IOB_PANEL_STRIP)
		p->focus = IOB_PANEL_GRAPH;
	p->large = !p->large;
	if (!p->large && !is_on_screen(p, p->focus))
		p->focus = IOB_PANEL_STRIP;
}
