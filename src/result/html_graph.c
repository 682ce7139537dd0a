/* SPDX-License-Identifier: MIT */
#include "result/html_graph.h"

#include <math.h>

#define WIDTH  900
#define HEIGHT 200
#define LEFT   70
#define BOTTOM 24
#define TOP    8
#define LINES  4

void iob_html_text(const char *text, FILE *f)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			fputc(*text, f);
		}
	}
}

/* The next of 1, 2, 4, 8 times a power of ten, which all divide well by the lines. */
static double round_up(double value)
{
	static const double steps[] = {1, 2, 4, 8};
	double power = value > 0 ? pow(10, floor(log10(value))) : 1;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (value <= steps[i] * power)
			return steps[i] * power;
	return 10 * power;
}

static double top_of(const struct iob_html_graph *g)
{
	double top = 0;

	for (unsigned s = 0; s < g->nseries; s++)
		for (size_t i = 0; i < g->points; i++)
			top = fmax(top, g->series[s].value[i]);
	return round_up(top);
}

static void put_axes(const struct iob_html_graph *g, double top, FILE *f)
{
	for (int i = 0; i <= LINES; i++) {
		double y = TOP + (double)(HEIGHT - TOP - BOTTOM) * (LINES - i) / LINES;
		char text[32];

		fprintf(f, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH);
		fprintf(f, "<text x=\"%d\" y=\"%.1f\" class=\"end\">%s</text>\n", LEFT - 6, y + 4,
			g->label(text, sizeof(text), top * i / LINES));
	}
	for (int i = 0; i <= LINES; i++)
		fprintf(f, "<text x=\"%.1f\" y=\"%d\" class=\"%s\">%.3gs</text>\n",
			LEFT + (double)(WIDTH - LEFT) * i / LINES, HEIGHT - 6,
			i == 0       ? "start"
			: i == LINES ? "end"
				     : "mid",
			g->seconds * i / LINES);
}

static void put_line(const struct iob_html_graph *g, unsigned s, double top, FILE *f)
{
	double step = (double)(WIDTH - LEFT) / (double)g->points;

	fprintf(f, "<polyline class=\"s%u\" points=\"", s);
	for (size_t i = 0; i < g->points; i++)
		fprintf(f, "%s%.1f,%.1f", i ? " " : "", LEFT + step * ((double)i + 0.5),
			TOP + (HEIGHT - TOP - BOTTOM) * (1 - g->series[s].value[i] / top));
	fputs("\"/>\n", f);
}

void iob_html_graph(const struct iob_html_graph *g, FILE *f)
{
	double top = top_of(g);

	if (g->points == 0)
		return;
	fputs("<figure><figcaption>", f);
	iob_html_text(g->title, f);
	for (unsigned s = 0; s < g->nseries; s++) {
		fprintf(f, " <span class=\"k%u\">&#9644; ", s);
		iob_html_text(g->series[s].name, f);
		fputs("</span>", f);
	}
	fprintf(f, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, HEIGHT);
	put_axes(g, top, f);
	for (unsigned s = 0; s < g->nseries; s++)
		put_line(g, s, top, f);
	fputs("</svg></figure>\n", f);
}
