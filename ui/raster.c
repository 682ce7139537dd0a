/* SPDX-License-Identifier: MIT */
#include "ui/raster.h"

#include <math.h>

#define BRAILLE_BASE 0x2800u

int iob_raster_samples(enum iob_glyphs glyphs)
{
	return glyphs == IOB_GLYPHS_BRAILLE ? 2 : 1;
}

static int levels_per_row(enum iob_glyphs glyphs)
{
	return glyphs == IOB_GLYPHS_BLOCK || glyphs == IOB_GLYPHS_CONSOLE ? 2 : 4;
}

/* Steps from the bottom that a value fills; anything above zero shows at least one. */
static int level_of(double value, double top, int most)
{
	if (!(value > 0) || !(top > 0))
		return 0;
	double exact = value / top * most;
	if (exact >= most)
		return most;
	int level = (int)lround(exact);
	return level < 1 ? 1 : level;
}

static int clamp(int v, int most)
{
	return v < 0 ? 0 : v > most ? most : v;
}

static uint32_t glyph_of(enum iob_glyphs glyphs, int left, int right)
{
	static const uint8_t dots_left[5] = {0, 0x40, 0x44, 0x46, 0x47};
	static const uint8_t dots_right[5] = {0, 0x80, 0xa0, 0xb0, 0xb8};
	static const uint32_t ascii[5] = {' ', '_', '.', ':', '|'};
	static const uint32_t half[3] = {' ', 0x2584, 0x2588};

	switch (glyphs) {
	case IOB_GLYPHS_ASCII:
		return ascii[left];
	case IOB_GLYPHS_CONSOLE:
	case IOB_GLYPHS_BLOCK:
		return half[left];
	case IOB_GLYPHS_BRAILLE:
		break;
	}
	if (left + right == 0)
		return ' ';
	return BRAILLE_BASE + dots_left[left] + dots_right[right];
}

static int is_value(const struct iob_bar *bar)
{
	return bar->kind == IOB_BAR_VALUE && !isnan(bar->value);
}

static int is_gap(const struct iob_bar *bar)
{
	return bar->kind == IOB_BAR_GAP || (bar->kind == IOB_BAR_VALUE && isnan(bar->value));
}

static uint8_t role_at(const struct iob_raster *r, const struct iob_bar *bar, int row)
{
	/* A cell belongs to what reaches its middle; the lowest row always shows a reading part. */
	double middle = (r->rows - 1 - row + 0.5) / r->rows * r->top;

	if (middle <= bar->part || (row == r->rows - 1 && bar->part > bar->value / 2))
		return IOB_ROLE_READ;
	return IOB_ROLE_WRITE;
}

static void draw_column(const struct iob_raster *r, const struct iob_bar *bars, int col)
{
	int samples = iob_raster_samples(r->glyphs);
	int per_row = levels_per_row(r->glyphs);
	const struct iob_bar *a = &bars[col * samples];
	const struct iob_bar *b = &bars[col * samples + samples - 1];
	int left = is_value(a) ? level_of(a->value, r->top, r->rows * per_row) : 0;
	int right = is_value(b) ? level_of(b->value, r->top, r->rows * per_row) : 0;
	const struct iob_bar *taller = right > left ? b : a;

	for (int row = 0; row < r->rows; row++) {
		int base = (r->rows - 1 - row) * per_row;
		struct iob_cell *cell = &r->cell[row * r->cols + col];

		cell->ch = glyph_of(
			r->glyphs, clamp(left - base, per_row), clamp(right - base, per_row));
		cell->role = cell->ch == ' ' ? IOB_ROLE_NORMAL : role_at(r, taller, row);
	}
	struct iob_cell *bottom = &r->cell[(r->rows - 1) * r->cols + col];
	if (bottom->ch == ' ' && (is_gap(a) || is_gap(b)))
		*bottom = (struct iob_cell){'-', IOB_ROLE_LABEL};
	if ((is_value(a) && a->value > r->top) || (is_value(b) && b->value > r->top))
		r->cell[col] = (struct iob_cell){'^', IOB_ROLE_WARN};
}

void iob_raster_bars(const struct iob_raster *r, const struct iob_bar *bars)
{
	if (r->rows < 1)
		return;
	for (int col = 0; col < r->cols; col++)
		draw_column(r, bars, col);
}

void iob_raster_mark(const struct iob_raster *r, int col)
{
	if (col < 0 || col >= r->cols)
		return;
	for (int row = 0; row < r->rows; row++) {
		struct iob_cell *cell = &r->cell[row * r->cols + col];

		if (cell->ch == ' ') {
			cell->ch = r->glyphs == IOB_GLYPHS_ASCII ? '\'' : 0x2502;
			cell->role = IOB_ROLE_MARK;
		}
	}
}

void iob_raster_gauge(struct iob_cell *cell, int cols, double share, enum iob_glyphs glyphs)
{
	uint32_t full = glyphs == IOB_GLYPHS_ASCII ? '|' : 0x2588;
	uint32_t rest = glyphs == IOB_GLYPHS_ASCII ? '.' : 0x2591;
	int filled = cols > 0 ? level_of(share, 1, cols) : 0;

	for (int i = 0; i < cols; i++) {
		cell[i].ch = i < filled ? full : rest;
		cell[i].role = i < filled ? IOB_ROLE_VALUE : IOB_ROLE_LABEL;
	}
}
