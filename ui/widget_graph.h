/* SPDX-License-Identifier: MIT */
/* A graph while it is drawn: shared by the bars and the heat map.  Internal to the widgets. */
#ifndef IOB_UI_WIDGET_GRAPH_H
#define IOB_UI_WIDGET_GRAPH_H

#include "ui/widget.h"

#define IOB_LABEL_COLS 6 /* "250k" and the line after it */
#define IOB_GRAPH_COLS 1024

struct iob_graph {
	struct iob_canvas *canvas;
	struct iob_rect inside;
	const struct iob_model *model;
	enum iob_metric metric;
	int rows, cols; /* of the data */
	int lane;       /* rows below the data: axis and letters */
	double top, largest;
	long first; /* point of the first column */
	struct iob_columns columns;
	bool sweep;
};

/* Copy rows * cols cells to the screen, with the marks in what is empty; turned round when it
 * sweeps. */
void iob_graph_put(const struct iob_graph *, struct iob_cell *);
/* The axis of time and the letters below the data. */
void iob_graph_lanes(const struct iob_graph *);
/* The heat map's part: data and axis of latencies. */
void iob_graph_heat(struct iob_graph *);

#endif
