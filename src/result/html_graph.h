/* SPDX-License-Identifier: MIT */
/* Lines over time as inline SVG, with a table of colours that the page's style sheet knows: classes
 * s0, s1, ... for the series. */
#ifndef IOB_RESULT_HTML_GRAPH_H
#define IOB_RESULT_HTML_GRAPH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define IOB_HTML_POINTS 400
#define IOB_HTML_SERIES 3

struct iob_html_series {
	const char *name;
	double value[IOB_HTML_POINTS];
};

struct iob_html_graph {
	const char *title;
	/* Text of a value at the axis; writes at most n bytes and returns buf. */
	char *(*label)(char *buf, size_t n, double value);
	size_t points; /* at most IOB_HTML_POINTS */
	double seconds;
	unsigned nseries;
	struct iob_html_series series[IOB_HTML_SERIES];
};

void iob_html_graph(const struct iob_html_graph *, FILE *);
/* Text of a page: & < > and quotes written so that they stay text. */
void iob_html_text(const char *text, FILE *);

#endif
