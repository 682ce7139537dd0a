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

static void print_words(FILE *f, char *text, int indent, size_t column)
{
	char *rest = NULL;
	bool first = true;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t cells = iob_text_width(word);

		if (!first && column + 1 + cells > IOB_PAGE_WIDTH) {
			fprintf(f, "\n%*s", indent, "");
			column = (size_t)indent;
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

static void print_field(FILE *f, int indent, const char *label, const char *format, va_list ap)
	__attribute__((format(printf, 4, 0)));

static void print_field(FILE *f, int indent, const char *label, const char *format, va_list ap)
{
	IOB_FREE char *text = NULL;
	size_t column = (size_t)indent;

	if (vasprintf(&text, format, ap) < 0) {
		text = NULL;
		return;
	}
	fprintf(f, "%-*s", indent, label);
	/* A long code keeps its distance from the text. */
	if (strlen(label) >= column) {
		fputc(' ', f);
		column = strlen(label) + 1;
	}
	print_words(f, text, indent, column);
}

void iob_page_field(FILE *f, const char *label, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print_field(f, IOB_PAGE_LABEL, label, format, ap);
	va_end(ap);
}

void iob_page_wide_field(FILE *f, int indent, const char *label, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print_field(f, indent, label, format, ap);
	va_end(ap);
}
