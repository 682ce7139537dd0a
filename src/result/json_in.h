/* SPDX-License-Identifier: MIT */
/*
 * Reading a JSON document strictly.  The first thing that is missing, of the wrong type or out of
 * range sets the error (file, path of the member, what was expected); after that all calls give
 * zeros, so that the caller asks once, at the end.
 */
#ifndef IOB_RESULT_JSON_IN_H
#define IOB_RESULT_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"

struct iob_json_source {
	const char *file;
	struct iob_error *err;
	bool failed;
};

/* A value and the way to it; parents must stay alive. */
struct iob_json_in {
	const json_t *node; /* NULL after a failure */
	struct iob_json_source *source;
	const struct iob_json_in *parent; /* NULL = the root */
	const char *key;                  /* NULL = an element of an array */
	size_t index;
};

/* Sets the error of the source unless it is set: "FILE: PATH.key TEXT". */
void iob_in_fail(const struct iob_json_in *, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is there such a member?  Asking fails nothing. */
bool iob_in_has(const struct iob_json_in *, const char *key);
/*
 * Members.  One that is missing or of another type fails the source; what is returned is then a
 * place without a node, 0, false or "", and so is all that is asked of that place: only at the end
 * is source->failed to be looked at.
 */
struct iob_json_in iob_in_object(const struct iob_json_in *parent, const char *key);
struct iob_json_in iob_in_array(const struct iob_json_in *parent, const char *key, size_t *count);
/* Element of an array that must be an object. */
struct iob_json_in iob_in_item(const struct iob_json_in *array, size_t index);

/* Its value: an integer in [0, max]. */
uint64_t iob_in_u64(const struct iob_json_in *, const char *key, uint64_t max);
/* A number of 0 or more. */
double iob_in_real(const struct iob_json_in *, const char *key);
bool iob_in_bool(const struct iob_json_in *, const char *key);
/* A string, cleaned of control characters, cut to the buffer. */
void iob_in_text(const struct iob_json_in *, const char *key, char *buf, size_t n);
/* The string itself, "" after a failure; as untrusted as the file. */
const char *iob_in_string(const struct iob_json_in *, const char *key);

#endif
