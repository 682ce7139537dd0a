/* SPDX-License-Identifier: MIT */
/* A scrolling list of labels (menuw) in a window of its own above the screen. */
#ifndef IOB_UI_PICKER_H
#define IOB_UI_PICKER_H

#include <menu.h>
#include <panel.h>
#include <stdbool.h>
#include <stddef.h>

#include "ui/action.h"
#include "ui/layout.h"

/* Zeroed = closed. */
struct iob_picker {
	WINDOW *win;
	PANEL *panel;
	MENU *menu;
	ITEM **item;
	char **label;
	size_t count;
};

/* Labels are copied, cut to the width.  False (and closed) when there is no room or no label. */
bool iob_picker_open(
	struct iob_picker *, struct iob_rect, const char *const *labels, size_t n, size_t current);
void iob_picker_close(struct iob_picker *);
/* Moves; true if the action was one of a list. */
bool iob_picker_act(struct iob_picker *, enum iob_action);
/* Choose the row at this line of its window. */
void iob_picker_click(struct iob_picker *, int line);
size_t iob_picker_current(const struct iob_picker *);

#endif
