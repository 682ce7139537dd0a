/* SPDX-License-Identifier: MIT */
/*
 * Text that came from elsewhere (device models, labels, paths, file contents): made harmless before
 * it reaches a terminal or a report, and measured in terminal cells (wcwidth).
 */
#ifndef IOB_BASE_TEXT_H
#define IOB_BASE_TEXT_H

#include <stddef.h>

/*
 * Copy text into buf (n >= 1), replacing C0/C1 control characters, DEL, invalid UTF-8 and Unicode
 * bidi/format controls by '?', and dropping leading and trailing blanks.  Cut at a character's
 * border.  Returns buf.
 */
char *iob_text_clean(char *buf, size_t n, const char *text);

/* Cells that the text takes on a terminal; a character of unknown width counts 1.  Needs setlocale.
 */
size_t iob_text_width(const char *text);

/* Copy text into buf, cut or padded with blanks to exactly `cells` cells (as far as n allows).  A
 * cut text ends in '~'.  Returns buf. */
char *iob_text_pad(char *buf, size_t n, const char *text, size_t cells);

#endif
