/* SPDX-License-Identifier: MIT */
#include "result/json_out.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

/* Digits that survive text -> double -> text. */
#define REAL_FLAGS JSON_REAL_PRECISION(15)

static void add(struct iob_json parent, const char *key, json_t *value)
{
	int rc;

	if (!parent.node) {
		json_decref(value);
		return;
	}
	if (key)
		rc = json_object_set_new(parent.node, key, value);
	else
		rc = json_array_append_new(parent.node, value);
	if (rc)
		*parent.failed = true;
}

static struct iob_json add_container(struct iob_json parent, const char *key, json_t *value)
{
	struct iob_json child = {.node = value, .failed = parent.failed};

	add(parent, key, value);
	if (!parent.node || *parent.failed)
		child.node = NULL;
	return child;
}

struct iob_json iob_json_object(struct iob_json parent, const char *key)
{
	return add_container(parent, key, json_object());
}

struct iob_json iob_json_array(struct iob_json parent, const char *key)
{
	return add_container(parent, key, json_array());
}

void iob_json_u64(struct iob_json parent, const char *key, uint64_t value)
{
	add(parent, key, json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value));
}

double iob_json_rounded(double value)
{
	if (!isfinite(value))
		return 0;
	if (fabs(value) < 4e9)
		return nearbyint(value * 1e6) / 1e6;
	/* Beyond 2^52 / 10^6 there are no six decimals left to round to: what the digits keep. */
	char text[32];
	snprintf(text, sizeof(text), "%.15g", value);
	return strtod(text, NULL);
}

uint64_t iob_json_whole(double value)
{
	double v = iob_json_rounded(value);

	if (v <= 0)
		return 0;
	return v < 9.2e18 ? (uint64_t)v : INT64_MAX;
}

void iob_json_real(struct iob_json parent, const char *key, double value)
{
	add(parent, key, json_real(iob_json_rounded(value)));
}

void iob_json_bool(struct iob_json parent, const char *key, bool value)
{
	add(parent, key, json_boolean(value));
}

void iob_json_text(struct iob_json parent, const char *key, const char *text)
{
	json_t *value = json_string(text);

	if (!value) {
		size_t n = 4 * strlen(text) + 1;
		IOB_FREE char *clean = malloc(n);

		if (clean)
			value = json_string(iob_text_clean(clean, n, text));
	}
	add(parent, key, value);
}

static void indent(FILE *f, unsigned depth)
{
	fputc('\n', f);
	for (unsigned i = 0; i < depth; i++)
		fputs("  ", f);
}

static int print_flat(const json_t *value, FILE *f)
{
	return json_dumpf(value, f, JSON_ENCODE_ANY | REAL_FLAGS);
}

static int print_key(const char *key, FILE *f)
{
	json_t *text = json_string(key);
	int rc = text ? print_flat(text, f) : -1;

	json_decref(text);
	fputs(" : ", f);
	return rc;
}

/* Containers at depth `flat` and below stand on one line. */
static int print_value(const json_t *value, unsigned depth, unsigned flat, FILE *f);

static int print_array(const json_t *array, unsigned depth, unsigned flat, FILE *f)
{
	size_t n = json_array_size(array);
	int rc = 0;

	fputc('[', f);
	for (size_t i = 0; i < n && !rc; i++) {
		indent(f, depth + 1);
		rc = print_value(json_array_get(array, i), depth + 1, flat, f);
		if (i + 1 < n)
			fputc(',', f);
	}
	if (n > 0)
		indent(f, depth);
	fputc(']', f);
	return rc;
}

/* jansson's iterators want a value that is not const, and do not change it. */
static json_t *plain(const json_t *value)
{
	union {
		const json_t *in;
		json_t *out;
	} u = {.in = value};

	return u.out;
}

static int print_object(
	const json_t *object, const char *dense, unsigned depth, unsigned flat, FILE *f)
{
	void *it = json_object_iter(plain(object));
	int rc = 0;

	fputc('{', f);
	for (const char *comma = ""; it && !rc; comma = ",") {
		const char *key = json_object_iter_key(it);

		fputs(comma, f);
		indent(f, depth + 1);
		rc = print_key(key, f);
		if (!rc)
			rc = print_value(json_object_iter_value(it), depth + 1,
				dense && strcmp(key, dense) == 0 ? 3 : flat, f);
		it = json_object_iter_next(plain(object), it);
	}
	if (json_object_size(object) > 0)
		indent(f, depth);
	fputc('}', f);
	return rc;
}

static int print_value(const json_t *value, unsigned depth, unsigned flat, FILE *f)
{
	if (depth < flat && json_is_object(value))
		return print_object(value, NULL, depth, flat, f);
	if (depth < flat && json_is_array(value))
		return print_array(value, depth, flat, f);
	if (depth < flat && json_is_real(value))
		return fprintf(f, "%.6f", json_real_value(value)) < 0 ? -1 : 0;
	return print_flat(value, f);
}

int iob_json_print(const json_t *root, const char *dense, FILE *f, struct iob_error *err)
{
	if (print_object(root, dense, 0, UINT32_MAX, f))
		return iob_fail(err, errno ? -errno : -ENOMEM, "write the JSON report: %m");
	fputc('\n', f);
	return 0;
}
