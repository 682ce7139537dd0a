/* SPDX-License-Identifier: MIT */
/*
 * Building a JSON document with jansson: one failure (no memory) anywhere marks the whole document,
 * so that the caller asks once, at the end.
 */
#ifndef IOB_RESULT_JSON_OUT_H
#define IOB_RESULT_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/error.h"

/* An object or array under construction, by value. node may be NULL after a failure. */
struct iob_json {
	json_t *node;
	bool *failed;
};

/* In all of these: key names the member of an object; NULL appends to an array. */
struct iob_json iob_json_object(struct iob_json parent, const char *key);
struct iob_json iob_json_array(struct iob_json parent, const char *key);
/* Beyond 2^63 - 1, which JSON readers do not know, it stays there. */
void iob_json_u64(struct iob_json parent, const char *key, uint64_t value);
/* Six decimals, as fio prints; what is no number becomes 0. */
void iob_json_real(struct iob_json parent, const char *key, double value);
void iob_json_bool(struct iob_json parent, const char *key, bool value);
/* Text that is not UTF-8 is made so. */
void iob_json_text(struct iob_json parent, const char *key, const char *text);

/* The value as iob_json_real writes it, and its whole part: derived figures start from it, so that
 * a document that was read and written again is the same. */
double iob_json_rounded(double value);
uint64_t iob_json_whole(double value);

/*
 * Write a document, members indented.  Below the member `dense` of the root, elements of arrays
 * stand on one line each, so that a long timeline stays readable and small.
 */
int iob_json_print(const json_t *root, const char *dense, FILE *, struct iob_error *);

#endif
