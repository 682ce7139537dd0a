/* SPDX-License-Identifier: MIT */
#include "ui/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void iob_lines_add(struct iob_lines *l, enum iob_role role, const char *format, ...)
{
	va_list ap;
	struct iob_line *grown = iob_array_extend(l->item, l->count, sizeof(*grown));

	if (!grown)
		return;
	l->item = grown;
	struct iob_line *line = &l->item[l->count++];
	line->role = role;
	va_start(ap, format);
	vsnprintf(line->text, sizeof(line->text), format, ap);
	va_end(ap);
}

void iob_lines_wrap(
	struct iob_lines *l, enum iob_role role, size_t cols, const char *indent, const char *text)
{
	size_t room = cols > strlen(indent) + 8 ? cols - strlen(indent) : 8;

	while (*text == ' ')
		text++;
	while (*text) {
		size_t n = strlen(text);

		if (n > room) {
			for (n = room; n > 0 && text[n] != ' '; n--)
				;
			/* A word longer than the line: cut it, but not within a character. */
			if (n == 0)
				for (n = room; n > 1 && ((unsigned char)text[n] & 0xc0) == 0x80;
					n--)
					;
		}
		iob_lines_add(l, role, "%s%.*s", indent, (int)n, text);
		for (text += n; *text == ' '; text++)
			;
	}
}

void iob_lines_free(struct iob_lines *l)
{
	free(l->item);
	memset(l, 0, sizeof(*l));
}
