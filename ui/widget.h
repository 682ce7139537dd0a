/* SPDX-License-Identifier: MIT */
/* The blocks of the dashboard.  Each places text and cells of the model into its rectangle; none
 * computes figures. */
#ifndef IOB_UI_WIDGET_H
#define IOB_UI_WIDGET_H

#include "ui/keymap.h"
#include "ui/model.h"
#include "ui/widget_canvas.h"

void iob_draw_title(struct iob_canvas *, struct iob_rect, const struct iob_model *);
void iob_draw_strip(struct iob_canvas *, struct iob_rect, const struct iob_model *);
/* which 0: with marks and time axis; 1, 2: the other graphs, without. */
void iob_draw_graph(struct iob_canvas *, struct iob_rect, struct iob_model *, int which, bool box);
void iob_draw_progress(struct iob_canvas *, struct iob_rect, const struct iob_model *, bool box);
void iob_draw_latency(struct iob_canvas *, struct iob_rect, const struct iob_model *, bool box);
void iob_draw_disk(struct iob_canvas *, struct iob_rect, const struct iob_model *, bool box);
/* A line for each worker. */
void iob_draw_jobs(struct iob_canvas *, struct iob_rect, const struct iob_model *);
void iob_draw_changes(struct iob_canvas *, struct iob_rect, const struct iob_model *);
void iob_draw_numbers(struct iob_canvas *, struct iob_rect, const struct iob_model *);
void iob_draw_status(struct iob_canvas *, struct iob_rect, const struct iob_model *);
/* Returns the x after it, 1 if there is none. */
int iob_draw_toast(struct iob_canvas *, struct iob_rect, const struct iob_toast *);
void iob_draw_hints(struct iob_canvas *, struct iob_rect, enum iob_screen);
/* All of them where the layout says. */
void iob_draw_dashboard(struct iob_canvas *, struct iob_model *, int rows, int cols);

#endif
