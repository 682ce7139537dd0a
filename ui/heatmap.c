/* SPDX-License-Identifier: MIT */
#include "ui/heatmap.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 500 /* intervals per call, about 100 kB */

static void add(struct iob_heat_column *column, const struct iob_heat *heat)
{
	for (int i = 0; i < IOB_HEAT_LEVELS; i++)
		column->count[i] += heat->count[i];
}

void iob_heatmap_read(struct iob_heatmap *h, const struct iob_source *source, long first,
	size_t per_column, size_t end)
{
	struct iob_heat *chunk = malloc(CHUNK * sizeof(*chunk));
	size_t at = first < 0 ? 0 : (size_t)first;
	size_t last = (size_t)(first + (long)(per_column * (size_t)h->cols));

	memset(h->column, 0, (size_t)h->cols * sizeof(h->column[0]));
	if (!chunk || first + (long)(per_column * (size_t)h->cols) <= 0) {
		free(chunk);
		return;
	}
	last = last < end ? last : end;
	/* What is older is not kept. */
	if (end > IOB_HEAT_INTERVALS && at < end - IOB_HEAT_INTERVALS)
		at = end - IOB_HEAT_INTERVALS;
	while (at < last) {
		size_t n = last - at < CHUNK ? last - at : CHUNK;

		n = source->heat(source->self, at, chunk, n);
		if (n == 0)
			break;
		for (size_t i = 0; i < n; i++)
			add(&h->column[(size_t)((long)(at + i) - first) / per_column], &chunk[i]);
		at += n;
	}
	free(chunk);
}

void iob_heatmap_fit(struct iob_heatmap *h)
{
	unsigned low = IOB_HEAT_LEVELS, high = 0;

	for (int x = 0; x < h->cols; x++) {
		for (unsigned i = 0; i < IOB_HEAT_LEVELS; i++) {
			if (h->column[x].count[i] == 0)
				continue;
			low = i < low ? i : low;
			high = i > high ? i : high;
		}
	}
	if (low > high)
		low = high = 10;
	unsigned least = (unsigned)h->rows / 4 + 1;
	while (high - low + 1 < least && (low > 0 || high < IOB_HEAT_LEVELS - 1)) {
		low -= low > 0 ? 1 : 0;
		high += high < IOB_HEAT_LEVELS - 1 ? 1 : 0;
	}
	h->low = low;
	h->high = high;
}

/* First level of a row counted from the bottom. */
static unsigned level_at(const struct iob_heatmap *h, int from_bottom)
{
	return h->low + (unsigned)from_bottom * (h->high - h->low + 1) / (unsigned)h->rows;
}

uint64_t iob_heatmap_low(const struct iob_heatmap *h, int row)
{
	return iob_heat_low(level_at(h, h->rows - 1 - row));
}

static uint32_t glyph_of(enum iob_glyphs glyphs, double share)
{
	static const double steps[] = {0.5, 0.2, 0.05, 0.01};
	static const char ascii[] = "@#+:.";
	static const uint32_t shades[] = {0x2588, 0x2593, 0x2592, 0x2591, '.'};
	int i = 0;

	if (share <= 0)
		return ' ';
	while (i < 4 && share < steps[i])
		i++;
	return glyphs == IOB_GLYPHS_ASCII ? (uint32_t)ascii[i] : shades[i];
}

static double share_of(const struct iob_heatmap *h, int x, int row)
{
	int from_bottom = h->rows - 1 - row;
	unsigned level = level_at(h, from_bottom), end = level_at(h, from_bottom + 1);
	uint64_t total = 0, here = 0;

	for (unsigned i = 0; i < IOB_HEAT_LEVELS; i++)
		total += h->column[x].count[i];
	/* With more rows than levels several rows show the same one. */
	for (unsigned i = level; i < (end > level ? end : level + 1); i++)
		here += h->column[x].count[i];
	return total ? (double)here / (double)total : 0;
}

void iob_heatmap_draw(const struct iob_heatmap *h, struct iob_cell *cell)
{
	for (int row = 0; row < h->rows; row++) {
		for (int x = 0; x < h->cols; x++, cell++) {
			double share = share_of(h, x, row);

			cell->ch = glyph_of(h->glyphs, share);
			cell->role = share <= 0      ? IOB_ROLE_NORMAL
				     : share >= 0.05 ? IOB_ROLE_READ
						     : IOB_ROLE_WRITE;
		}
	}
}
