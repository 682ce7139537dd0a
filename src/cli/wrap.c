/* SPDX-License-Identifier: MIT */
#include "cli/wrap.h"

#include <string.h>

#define COLUMNS 80

static void blanks(FILE *out, size_t n)
{
	fprintf(out, "%*s", (int)n, "");
}

void iob_print_wrapped(FILE *out, const char *text, size_t column, size_t indent)
{
	if (column > 0 && column + 1 > indent) {
		fputc('\n', out);
		column = 0;
	}
	blanks(out, indent - column);
	column = indent;
	while (*text != '\0') {
		size_t n = strcspn(text, " ");

		if (column > indent && column + 1 + n >= COLUMNS) {
			fputc('\n', out);
			blanks(out, indent);
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, n, out);
		column += n;
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}
