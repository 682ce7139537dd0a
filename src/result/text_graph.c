/* SPDX-License-Identifier: MIT */
#include "result/text_graph.h"

#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "measure/sample.h"

#define COLUMNS     66
#define ROWS        4
#define AXIS        10
#define LARGE_BLOCK (128 << 10)

struct graph {
	bool bytes; /* MiB/s instead of IOPS */
	unsigned columns;
	double rate[COLUMNS]; /* per second */
	double top;
};

static uint64_t done_in(const struct graph *g, const struct iob_interval *v)
{
	uint64_t done = 0;

	for (int d = 0; d < IOB_NDIR; d++)
		done += g->bytes ? v->dir[d].bytes : v->dir[d].ios;
	return done;
}

/* Of large requests the bytes are asked for, of small ones the number: as on the screen. */
static bool has_large_blocks(const struct iob_interval *v, size_t n)
{
	uint64_t ios = 0, bytes = 0;

	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < IOB_NDIR; d++) {
			ios += v[i].dir[d].ios;
			bytes += v[i].dir[d].bytes;
		}
	return ios && bytes / ios >= LARGE_BLOCK;
}

/* Column c covers the intervals [c n / columns, (c + 1) n / columns) after `first`. */
static void fill(struct graph *g, const struct iob_interval *v, size_t n)
{
	g->bytes = has_large_blocks(v, n);
	g->columns = n < COLUMNS ? (unsigned)n : COLUMNS;
	g->top = 0;
	for (unsigned c = 0; c < g->columns; c++) {
		size_t a = c * n / g->columns, b = (c + 1) * n / g->columns;
		uint64_t done = 0;

		for (size_t k = a; k < b; k++)
			done += done_in(g, &v[k]);
		g->rate[c] = (double)done / ((double)(b - a) * ((double)IOB_INTERVAL_NS / 1e9));
		if (g->bytes)
			g->rate[c] /= 1 << 20;
		if (g->rate[c] > g->top)
			g->top = g->rate[c];
	}
}

/* Two levels to a row; what is not zero is never drawn as nothing. */
static char cell(const struct graph *g, unsigned column, unsigned row)
{
	double level = g->rate[column] / g->top * 2 * ROWS;
	double above = level - 2 * row;

	if (above >= 1.5)
		return '#';
	if (above >= 0.5 || (row == 0 && level > 0))
		return '.';
	return ' ';
}

static void print_row(const struct graph *g, unsigned row, FILE *f)
{
	char label[16] = "", text[COLUMNS + 1] = "";
	size_t n = g->columns;

	if (row == ROWS - 1)
		iob_format_count(label, sizeof(label), g->top);
	for (unsigned c = 0; c < g->columns; c++)
		text[c] = cell(g, c, row);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	fprintf(f, "%*s |%.*s\n", AXIS - 2 + 1, label, (int)n, text);
}

void iob_text_graph(const struct iob_result *r, uint64_t from_ms, uint64_t to_ms, FILE *f)
{
	size_t first = (size_t)(from_ms / IOB_INTERVAL_MS);
	size_t last = (size_t)(to_ms / IOB_INTERVAL_MS);
	char from[24], to[24], axis[COLUMNS + 1];
	struct graph g;

	if (last > r->nintervals)
		last = r->nintervals;
	if (first + 2 > last)
		return;
	fill(&g, r->interval + first, last - first);
	if (g.top <= 0)
		return;
	fputc('\n', f);
	for (unsigned row = ROWS; row-- > 0;)
		print_row(&g, row, f);
	memset(axis, '-', g.columns);
	fprintf(f, "%*s +%.*s\n", AXIS - 2 + 1, g.bytes ? "MiB/s 0" : "IOPS 0", (int)g.columns,
		axis);
	iob_format_clock(from, sizeof(from), from_ms * IOB_NS_PER_MS);
	iob_format_clock(to, sizeof(to), to_ms * IOB_NS_PER_MS);
	int gap = (int)g.columns - (int)strlen(from) - (int)strlen(to);
	fprintf(f, "%*s%s%*s%s\n", AXIS + 1, "", from, gap > 1 ? gap : 1, "", to);
}
