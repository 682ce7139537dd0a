/* SPDX-License-Identifier: MIT */
/* The panels of the dashboard as the keys see them: which has the focus, which are hidden, which
 * one has the whole screen. */
#ifndef IOB_UI_PANELS_H
#define IOB_UI_PANELS_H

#include <stdbool.h>

#include "ui/layout.h"

enum iob_panel {
	IOB_PANEL_STRIP,
	IOB_PANEL_GRAPH, /* from here on: hidden and shown by the digits 1 to 5 */
	IOB_PANEL_LATENCY,
	IOB_PANEL_DISK,
	IOB_PANEL_JOBS,
	IOB_PANEL_CHANGES,
	IOB_NPANELS,
};

/* Zeroed = all shown, the strip has the focus. */
struct iob_panels {
	enum iob_panel focus;
	unsigned hidden; /* bit 1 << panel */
	bool large;      /* the focused one has the screen */
	int rows, cols;  /* of the screen, as last drawn; 0 = not yet */
};

enum iob_block iob_panel_block(enum iob_panel);
struct iob_layout_wish iob_panels_wish(const struct iob_panels *);
/* The next (+1) or previous (-1) one that is on the screen. */
void iob_panels_move(struct iob_panels *, int by);
/* Show or hide; one that has no room on this screen is enlarged instead. */
void iob_panels_toggle(struct iob_panels *, enum iob_panel);
void iob_panels_enlarge(struct iob_panels *);

#endif
