/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/widget_canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "ui/theme.h"

static void put(struct iob_canvas *c, int y, int x, wchar_t ch, attr_t attr)
{
	const wchar_t text[2] = {ch, L'\0'};

	wattrset(c->win, (int)attr);
	mvwaddnwstr(c->win, y, x, text, 1);
}

/* The next character and its width; a byte that is none counts as '?'. */
static wchar_t next_char(const char **text, int *width, mbstate_t *state)
{
	wchar_t ch = L'?';
	size_t n = mbrtowc(&ch, *text, strlen(*text), state);

	if (n == (size_t)-1 || n == (size_t)-2 || n == 0) {
		memset(state, 0, sizeof(*state));
		n = 1;
		ch = L'?';
	}
	*text += n;
	*width = wcwidth(ch);
	if (*width < 0) {
		*width = 1;
		ch = L'?';
	}
	return ch;
}

int iob_canvas_text(
	struct iob_canvas *c, struct iob_rect r, int y, int x, enum iob_role role, const char *text)
{
	attr_t attr = iob_theme_attr(role);
	mbstate_t state = {0};

	if (y < 0 || y >= r.rows)
		return x;
	while (*text) {
		int width = 0;
		wchar_t ch = next_char(&text, &width, &state);

		if (width == 0)
			continue;
		if (x + width > r.cols)
			break;
		if (x >= 0)
			put(c, r.y + y, r.x + x, ch, attr);
		x += width;
	}
	return x;
}

int iob_canvas_printf(struct iob_canvas *c, struct iob_rect r, int y, int x, enum iob_role role,
	const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return iob_canvas_text(c, r, y, x, role, text);
}

void iob_canvas_right(struct iob_canvas *c, struct iob_rect r, int y, int end, enum iob_role role,
	const char *text)
{
	iob_canvas_text(c, r, y, end - (int)iob_text_width(text), role, text);
}

void iob_canvas_cells(
	struct iob_canvas *c, struct iob_rect r, int y, int x, const struct iob_cell *cell, int n)
{
	if (y < 0 || y >= r.rows)
		return;
	for (int i = 0; i < n && x + i < r.cols; i++)
		if (x + i >= 0)
			put(c, r.y + y, r.x + x + i, (wchar_t)cell[i].ch,
				iob_theme_attr((enum iob_role)cell[i].role));
}

void iob_canvas_fill(struct iob_canvas *c, struct iob_rect r, enum iob_role role)
{
	for (int y = 0; y < r.rows; y++) {
		wattrset(c->win, (int)iob_theme_attr(role));
		mvwhline(c->win, r.y + y, r.x, ' ' | iob_theme_attr(role), r.cols);
	}
}

uint32_t iob_canvas_line(const struct iob_canvas *c, char which)
{
	if (c->glyphs == IOB_GLYPHS_ASCII)
		return (uint32_t)which;
	return which == '-' ? 0x2500 : which == '|' ? 0x2502 : 0x253c;
}

static void corners(struct iob_canvas *c, struct iob_rect r, attr_t attr)
{
	static const wchar_t lines[4] = {0x250c, 0x2510, 0x2514, 0x2518};
	bool ascii = c->glyphs == IOB_GLYPHS_ASCII;

	for (int i = 0; i < 4; i++)
		put(c, r.y + (i / 2) * (r.rows - 1), r.x + (i % 2) * (r.cols - 1),
			ascii ? L'+' : lines[i], attr);
}

void iob_canvas_box(struct iob_canvas *c, struct iob_rect r, const char *title, const char *right)
{
	attr_t attr = iob_theme_attr(IOB_ROLE_BOX);
	wchar_t across = (wchar_t)iob_canvas_line(c, '-'), down = (wchar_t)iob_canvas_line(c, '|');

	if (r.rows < 2 || r.cols < 2)
		return;
	for (int x = 1; x < r.cols - 1; x++) {
		put(c, r.y, r.x + x, across, attr);
		put(c, r.y + r.rows - 1, r.x + x, across, attr);
	}
	for (int y = 1; y < r.rows - 1; y++) {
		put(c, r.y + y, r.x, down, attr);
		put(c, r.y + y, r.x + r.cols - 1, down, attr);
	}
	corners(c, r, attr);
	struct iob_rect top = {r.y, r.x + 1, 1, r.cols - 2};
	int x = 1;
	if (title && title[0]) {
		x = iob_canvas_printf(
			c, top, 0, 1, c->focused ? IOB_ROLE_SELECT : IOB_ROLE_HEAD, " %s ", title);
	}
	if (right && right[0] && x + (int)iob_text_width(right) + 3 <= top.cols) {
		int at = top.cols - (int)iob_text_width(right) - 3;

		iob_canvas_printf(c, top, 0, at, IOB_ROLE_LABEL, " %s ", right);
	}
}
