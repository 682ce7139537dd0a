/* SPDX-License-Identifier: MIT */
#include "result/json_in.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* "iotop_bench.segments[3].read" into buf; returns its length. */
static size_t path_of(const struct iob_json_in *in, char *buf, size_t n)
{
	size_t at;
	int added;

	if (!in || !in->parent) {
		buf[0] = '\0';
		return 0;
	}
	at = path_of(in->parent, buf, n);
	if (in->key)
		added = snprintf(buf + at, n - at, "%s%s", at ? "." : "", in->key);
	else
		added = snprintf(buf + at, n - at, "[%zu]", in->index);
	return added > 0 && at + (size_t)added < n ? at + (size_t)added : at;
}

void iob_in_fail(const struct iob_json_in *in, const char *key, const char *format, ...)
{
	char path[160];
	char text[160];
	va_list ap;

	if (in->source->failed)
		return;
	in->source->failed = true;
	size_t at = path_of(in, path, sizeof(path));
	if (key)
		snprintf(path + at, sizeof(path) - at, "%s%s", at ? "." : "", key);
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	iob_fail_usage(in->source->err, "%s: %s %s; the file is damaged or not a saved run",
		in->source->file, path[0] ? path : "the document", text);
}

static const json_t *get(const struct iob_json_in *in, const char *key)
{
	const json_t *value;

	if (!in->node || in->source->failed)
		return NULL;
	value = json_object_get(in->node, key);
	if (!value)
		iob_in_fail(in, key, "is missing");
	return value;
}

bool iob_in_has(const struct iob_json_in *in, const char *key)
{
	return in->node && !in->source->failed && json_object_get(in->node, key);
}

static struct iob_json_in child(
	const struct iob_json_in *parent, const char *key, const json_t *node)
{
	return (struct iob_json_in){
		.node = node, .source = parent->source, .parent = parent, .key = key};
}

struct iob_json_in iob_in_object(const struct iob_json_in *parent, const char *key)
{
	const json_t *value = get(parent, key);

	if (value && !json_is_object(value)) {
		iob_in_fail(parent, key, "must be an object");
		value = NULL;
	}
	return child(parent, key, value);
}

struct iob_json_in iob_in_array(const struct iob_json_in *parent, const char *key, size_t *count)
{
	const json_t *value = get(parent, key);

	if (value && !json_is_array(value)) {
		iob_in_fail(parent, key, "must be an array");
		value = NULL;
	}
	*count = value ? json_array_size(value) : 0;
	return child(parent, key, value);
}

struct iob_json_in iob_in_item(const struct iob_json_in *array, size_t index)
{
	struct iob_json_in in = child(array, NULL, NULL);

	in.index = index;
	if (!array->node || array->source->failed)
		return in;
	in.node = json_array_get(array->node, index);
	if (!json_is_object(in.node)) {
		iob_in_fail(&in, NULL, "must be an object");
		in.node = NULL;
	}
	return in;
}

uint64_t iob_in_u64(const struct iob_json_in *in, const char *key, uint64_t max)
{
	const json_t *value = get(in, key);

	if (!value)
		return 0;
	if (!json_is_integer(value) || json_integer_value(value) < 0) {
		iob_in_fail(in, key, "must be a whole number of 0 or more");
		return 0;
	}
	uint64_t v = (uint64_t)json_integer_value(value);
	if (v > max) {
		iob_in_fail(in, key, "is beyond %llu", (unsigned long long)max);
		return 0;
	}
	return v;
}

double iob_in_real(const struct iob_json_in *in, const char *key)
{
	const json_t *value = get(in, key);

	if (!value)
		return 0;
	if (!json_is_number(value) || !(json_number_value(value) >= 0)) {
		iob_in_fail(in, key, "must be a number of 0 or more");
		return 0;
	}
	return json_number_value(value);
}

bool iob_in_bool(const struct iob_json_in *in, const char *key)
{
	const json_t *value = get(in, key);

	if (value && !json_is_boolean(value))
		iob_in_fail(in, key, "must be true or false");
	return json_is_true(value);
}

const char *iob_in_string(const struct iob_json_in *in, const char *key)
{
	const json_t *value = get(in, key);

	if (value && !json_is_string(value))
		iob_in_fail(in, key, "must be a string");
	return json_is_string(value) ? json_string_value(value) : "";
}

void iob_in_text(const struct iob_json_in *in, const char *key, char *buf, size_t n)
{
	iob_text_clean(buf, n, iob_in_string(in, key));
}
