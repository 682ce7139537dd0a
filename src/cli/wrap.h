/* SPDX-License-Identifier: MIT */
/* Text for people in at most 80 columns. */
#ifndef IOB_CLI_WRAP_H
#define IOB_CLI_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Print text and a newline, broken between words; every line begins at column `indent`.  The
 * cursor is at `column` now: if no blank fits before the indent, the text begins on a new line.
 */
void iob_print_wrapped(FILE *, const char *text, size_t column, size_t indent);

#endif
