/* SPDX-License-Identifier: MIT */
/*
 * What blocks are filled with, as fio writes it: numbers in hexadecimal (0x..., byte by byte as
 * they stand) or decimal (the bytes that it takes, lowest first; four if it is negative), texts in
 * double quotes, files in single quotes, one after the other without anything between them.
 */
#ifndef IOB_JOB_BYTE_PATTERN_H
#define IOB_JOB_BYTE_PATTERN_H

#include <stddef.h>

#include "base/error.h"

#define IOB_BYTE_PATTERN_MAX 512

/*
 * name: of the parameter, for messages.  Returns the length, 1..IOB_BYTE_PATTERN_MAX, or a usage
 * error.  out NULL: only look at the syntax; no file is opened.
 */
int iob_byte_pattern_parse(
	unsigned char *out, const char *name, const char *text, struct iob_error *);

#endif
