/* SPDX-License-Identifier: MIT */
/* Paragraphs of the text report: 80 columns, a label at the left, words wrapped beside it. */
#ifndef IOB_RESULT_TEXT_PAGE_H
#define IOB_RESULT_TEXT_PAGE_H

#include <stdio.h>

#define IOB_PAGE_WIDTH 80
#define IOB_PAGE_LABEL 10

/* "label     text", wrapped between words; a word that is too long is left whole; a
 * label that leaves no blank has a line of its own.  A '\t' in the
 * text is a blank at which no line is broken. */
void iob_page_field(FILE *, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with the text beginning at column `indent`, for lists with longer names. */
void iob_page_wide_field(FILE *, int indent, const char *label, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
