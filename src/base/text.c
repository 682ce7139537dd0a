/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "base/text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/blank.h"

/* One character of UTF-8, decoded without the locale: 0 if it is not valid. */
static size_t decode(const char *text, uint32_t *out)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)text[0];
	size_t length = c < 0x80   ? 1
			: c < 0xc2 ? 0
			: c < 0xe0 ? 2
			: c < 0xf0 ? 3
			: c < 0xf5 ? 4
				   : 0;

	if (length <= 1) {
		*out = c;
		return length;
	}
	uint32_t value = c & (0x7fU >> length);
	for (size_t i = 1; i < length; i++) {
		unsigned char next = (unsigned char)text[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (next & 0x3f);
	}
	bool surrogate = value >= 0xd800 && value <= 0xdfff;
	if (value < least[length] || value > 0x10ffff || surrogate)
		return 0;
	*out = value;
	return length;
}

/* Controls, and the invisible characters that reorder or hide what is beside them. */
static bool is_harmful(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x00, 0x1f},
		{0x7f, 0x9f},
		{0xad, 0xad},
		{0x61c, 0x61c},
		{0x180e, 0x180e},
		{0x200b, 0x200f},
		{0x2028, 0x202e},
		{0x2060, 0x206f},
		{0xfeff, 0xfeff},
		{0xfff9, 0xfffb},
		{0xe0000, 0xe007f},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return false;
}

char *iob_text_clean(char *buf, size_t n, const char *text)
{
	size_t used = 0;

	while (iob_is_blank(*text))
		text++;
	size_t left = strlen(text);
	while (left > 0 && iob_is_blank(text[left - 1]))
		left--;
	while (left > 0) {
		uint32_t c = 0;
		size_t length = decode(text, &c);
		bool keep = length > 0 && length <= left && !is_harmful(c);
		size_t step = length > 0 ? length : 1;
		size_t take = keep ? length : 1;

		if (used + take >= n)
			break;
		if (keep)
			memmove(buf + used, text, length);
		else
			buf[used] = '?';
		used += take;
		text += step;
		left -= step;
	}
	while (used > 0 && iob_is_blank(buf[used - 1]))
		used--;
	buf[used] = '\0';
	return buf;
}

/* Bytes of the next character by the locale; its width goes to *cells. */
static size_t next_character(const char *text, mbstate_t *state, size_t *cells)
{
	wchar_t wide = 0;
	size_t length = mbrtowc(&wide, text, MB_LEN_MAX, state);

	*cells = 1;
	if (length == (size_t)-1 || length == (size_t)-2) {
		*state = (mbstate_t){0};
		return 1;
	}
	int width = wcwidth(wide);
	if (width >= 0)
		*cells = (size_t)width;
	return length;
}

size_t iob_text_width(const char *text)
{
	mbstate_t state = {0};
	size_t width = 0;

	while (*text != '\0') {
		size_t cells = 0;

		text += next_character(text, &state, &cells);
		width += cells;
	}
	return width;
}

/* Copy as many characters as fit into `cells` and n - 1 bytes; the cells used go to *width. */
static size_t copy_cells(char *buf, size_t n, const char *text, size_t cells, size_t *width)
{
	mbstate_t state = {0};
	size_t used = 0;

	*width = 0;
	while (*text != '\0') {
		size_t w = 0;
		size_t length = next_character(text, &state, &w);

		if (*width + w > cells || used + length >= n)
			break;
		memcpy(buf + used, text, length);
		used += length;
		*width += w;
		text += length;
	}
	return used;
}

char *iob_text_pad(char *buf, size_t n, const char *text, size_t cells)
{
	size_t width = 0;
	bool cut = iob_text_width(text) > cells;
	size_t used = copy_cells(buf, n, text, cut ? cells - (cells > 0) : cells, &width);

	while (width < cells && used + 1 < n) {
		buf[used++] = cut ? '~' : ' ';
		width++;
		/* A wide character may have left a cell of its own before the mark. */
		cut = false;
	}
	buf[used] = '\0';
	return buf;
}
