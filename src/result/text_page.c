/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "result/text_page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

static void print_word(FILE *f, char *word)
{
	for (char *p = word; *p; p++)
		if (*p == '\t')
			*p = ' ';
	fputs(word, f);
}

void iob_page_field(FILE *f, const char *label, const char *format, ...)
{
	IOB_FREE char *text = NULL;
	char *rest = NULL;
	size_t column = IOB_PAGE_LABEL;
	va_list ap;
	bool first = true;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0) {
		text = NULL;
		return;
	}
	fprintf(f, "%-*s", IOB_PAGE_LABEL, label);
	/* A long code keeps its distance from the text. */
	if (strlen(label) >= IOB_PAGE_LABEL) {
		fputc(' ', f);
		column = strlen(label) + 1;
	}
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t cells = iob_text_width(word);

		if (!first && column + 1 + cells > IOB_PAGE_WIDTH) {
			fprintf(f, "\n%*s", IOB_PAGE_LABEL, "");
			column = IOB_PAGE_LABEL;
			first = true;
		}
		if (!first)
			fputc(' ', f);
		column += cells + !first;
		first = false;
		print_word(f, word);
	}
	fputc('\n', f);
}
