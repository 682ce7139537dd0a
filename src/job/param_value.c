/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/param_value.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/units.h"

/* A value may be long; the message must keep room for what is wrong with it. */
#define SHOWN "%s=%.100s: "

static const char *example(const struct iob_param *p)
{
	switch (p->type) {
	case IOB_P_BYTES:
		return "a size such as 4k, 1m or 4096";
	case IOB_P_RANGE:
		return "a size such as 4k, 1m or 4096, or a range such as 4k-64k";
	case IOB_P_AMOUNT:
		return "a size such as 512m or 10g, or a share such as 50%";
	case IOB_P_TIME:
		return "a time such as 30, 500ms or 2m";
	case IOB_P_PERCENT:
		return "a whole number from 0 to 100";
	default:
		return "a whole number such as 32";
	}
}

/* The letters after a well-formed number, or NULL. */
static const char *unit_of(const char *text)
{
	static const char digits[] = "0123456789";

	assert(text); /* only a switch may stand without a value */
	size_t n = strspn(text, digits);
	const char *rest = text + n;

	if (n == 0)
		return NULL;
	if (*rest == '.' && strspn(rest + 1, digits) > 0)
		rest += 1 + strspn(rest + 1, digits);
	return *rest != '\0' && *rest != '.' ? rest : NULL;
}

/* part: the piece of the text that is wrong, NULL = all of it. */
static int fail_value(const struct iob_param *p, const char *text, const char *part,
	const char *why, struct iob_error *err)
{
	const char *unit = unit_of(part ? part : text);
	bool counted = p->type == IOB_P_UINT || p->type == IOB_P_PERCENT;

	if (unit && counted)
		return iob_fail_usage(err, SHOWN "\"%.40s\" does not belong there; write %s",
			p->name, text, unit, example(p));
	if (unit)
		return iob_fail_usage(err, SHOWN "\"%.40s\" is not a unit; write %s", p->name, text,
			unit, example(p));
	return iob_fail_usage(err, SHOWN "%s; write %s", p->name, text, why, example(p));
}

static char *format_bound(const struct iob_param *p, uint64_t value, char *buf, size_t n)
{
	switch (p->type) {
	case IOB_P_BYTES:
	case IOB_P_RANGE:
	case IOB_P_AMOUNT:
		return iob_format_size_exact(buf, n, value);
	case IOB_P_TIME:
		snprintf(buf, n, "%llus", (unsigned long long)(value / IOB_NS_PER_S));
		return buf;
	default:
		snprintf(buf, n, "%llu", (unsigned long long)value);
		return buf;
	}
}

static int fail_bounds(
	const struct iob_param *p, const char *text, bool above, struct iob_error *err)
{
	char bound[40];

	format_bound(p, above ? p->max : p->min, bound, sizeof(bound));
	if (!above && p->initial[0] == '\0')
		return iob_fail_usage(err, SHOWN "at least %s; leave %s out for the default",
			p->name, text, bound, p->name);
	return iob_fail_usage(
		err, SHOWN "at %s %s", p->name, text, above ? "most" : "least", bound);
}

/* One number of the row's type, within its bounds. */
static int parse_number(const struct iob_param *p, const char *text, const char *part,
	uint64_t *out, struct iob_error *err)
{
	const char *why = NULL;
	uint64_t value = 0;
	int rc = 0;

	switch (p->type) {
	case IOB_P_TIME:
		rc = iob_parse_time(part, IOB_NS_PER_S, &value, &why);
		break;
	case IOB_P_BYTES:
	case IOB_P_RANGE:
	case IOB_P_AMOUNT:
		rc = iob_parse_size(part, &value, &why);
		break;
	default:
		rc = iob_parse_uint(part, &value, &why);
		break;
	}
	if (rc == -ERANGE || (rc == 0 && value > p->max))
		return fail_bounds(p, text, true, err);
	if (rc < 0)
		return fail_value(p, text, part, why, err);
	if (value < p->min)
		return fail_bounds(p, text, false, err);
	*out = value;
	return 0;
}

static int parse_percent(
	const struct iob_param *p, const char *text, uint64_t *out, struct iob_error *err)
{
	const uint64_t one = 1000000;
	const char *why = NULL;
	uint64_t micro = 0;
	int rc = iob_parse_percent(text, &micro, &why);

	if (rc == -ERANGE)
		return fail_bounds(p, text, true, err);
	if (rc < 0)
		return fail_value(p, text, NULL, why, err);
	if (micro % one != 0)
		return fail_value(p, text, NULL, "it must be a whole number", err);
	*out = micro / one;
	if (p->flags & IOB_PF_COMPLEMENT)
		*out = 100 - *out;
	return 0;
}

static int parse_amount(
	const struct iob_param *p, const char *text, struct iob_amount *out, struct iob_error *err)
{
	size_t n = strlen(text);
	const char *why = NULL;
	struct iob_amount value = {0};

	if (n == 0 || text[n - 1] != '%') {
		int rc = parse_number(p, text, text, &value.bytes, err);
		if (rc == 0)
			*out = value;
		return rc;
	}
	int rc = iob_parse_percent(text, &value.percent_micro, &why);
	if (rc == -ERANGE)
		return iob_fail_usage(err, SHOWN "at most 100%%", p->name, text);
	if (rc < 0)
		return iob_fail_usage(err, SHOWN "%s; write %s", p->name, text, why, example(p));
	if (value.percent_micro == 0 && p->min > 0)
		return iob_fail_usage(err, SHOWN "more than 0%%; leave %s out for the default",
			p->name, text, p->name);
	*out = value;
	return 0;
}

/* "4k", "4k-64k" or "4k:64k": text[0..n) */
static int parse_range(const struct iob_param *p, const char *text, const char *piece, size_t n,
	struct iob_range *out, struct iob_error *err)
{
	char low[64];
	struct iob_range value = {0};

	if (n >= sizeof(low))
		return fail_value(p, text, "", "too long", err);
	memcpy(low, piece, n);
	low[n] = '\0';
	/* A sign is not a range: let the number's own parser say so. */
	bool spans = p->type == IOB_P_RANGE || (p->flags & IOB_PF_SPAN);
	char *dash = n > 0 && spans ? strpbrk(low + 1, "-:") : NULL;
	if (dash)
		*dash = '\0';
	int rc = parse_number(p, text, low, &value.min, err);
	if (rc == 0 && dash)
		rc = parse_number(p, text, dash + 1, &value.max, err);
	if (rc < 0)
		return rc;
	if (!dash)
		value.max = value.min;
	if (value.max < value.min)
		return iob_fail_usage(err, SHOWN "the smaller %s comes first", p->name, text,
			p->type == IOB_P_TIME ? "time" : "size");
	*out = value;
	return 0;
}

/* "5" or "1-5" */
static int parse_span(
	const struct iob_param *p, const char *text, uint64_t *field, struct iob_error *err)
{
	struct iob_range value = {0};
	int rc = parse_range(p, text, text, strlen(text), &value, err);

	if (rc == 0) {
		field[0] = value.min;
		field[1] = value.max;
	}
	return rc;
}

/*
 * fio's comma rule: one value is for all directions, with two the last is for trims too, an empty
 * one keeps what is set, and a comma at the end keeps the rest.
 */
static int parse_split(const struct iob_param *p, const char *text,
	struct iob_range value[IOB_NDIR], struct iob_error *err)
{
	const char *what = p->type == IOB_P_RANGE ? "size" : "number";
	const char *piece = text;
	const unsigned most = p->flags & IOB_PF_NO_TRIM ? IOB_TRIM : IOB_NDIR;
	unsigned count = 0, filled = 0;

	for (;;) {
		size_t n = strcspn(piece, ",");

		if (count == most && most < IOB_NDIR)
			return iob_fail_usage(err,
				SHOWN "at most two %ss: read,write; it has no effect on trims",
				p->name, text, what);
		if (count == IOB_NDIR)
			return iob_fail_usage(err, SHOWN "at most three %ss: read,write,trim",
				p->name, text, what);
		if (n > 0) {
			int rc = parse_range(p, text, piece, n, &value[count], err);
			if (rc < 0)
				return rc;
			filled++;
		}
		count++;
		if (piece[n] == '\0') {
			for (unsigned i = count; n > 0 && i < IOB_NDIR; i++)
				value[i] = value[count - 1];
			break;
		}
		piece += n + 1;
	}
	if (filled == 0)
		return fail_value(p, text, "",
			p->type == IOB_P_RANGE ? "there is no size in it"
					       : "there is no number in it",
			err);
	return 0;
}

static int parse_ranges(
	const struct iob_param *p, const char *text, struct iob_range *field, struct iob_error *err)
{
	struct iob_range value[IOB_NDIR];

	if (!(p->flags & IOB_PF_SPLIT))
		return parse_range(p, text, text, strlen(text), field, err);
	memcpy(value, field, sizeof(value));
	int rc = parse_split(p, text, value, err);
	if (rc == 0)
		memcpy(field, value, sizeof(value));
	return rc;
}

static int parse_numbers(
	const struct iob_param *p, const char *text, uint64_t *field, struct iob_error *err)
{
	struct iob_range value[IOB_NDIR];
	bool complement = p->flags & IOB_PF_COMPLEMENT;

	for (int i = 0; i < IOB_NDIR; i++) {
		uint64_t n = complement ? p->max - field[i] : field[i];

		value[i] = (struct iob_range){n, n};
	}
	int rc = parse_split(p, text, value, err);
	for (int i = 0; rc == 0 && i < IOB_NDIR; i++)
		field[i] = complement ? p->max - value[i].min : value[i].min;
	return rc;
}

static int parse_bool(const struct iob_param *p, const char *text, bool *out, struct iob_error *err)
{
	static const char *const words[2][4] = {
		{"0", "no", "off", "false"}, {"1", "yes", "on", "true"}};

	for (int value = 0; value < 2; value++) {
		for (int i = 0; i < 4; i++) {
			if (strcasecmp(text, words[value][i]) != 0)
				continue;
			*out = (value == 1) != ((p->flags & IOB_PF_COMPLEMENT) != 0);
			return 0;
		}
	}
	return iob_fail_usage(err, SHOWN "neither yes nor no; write 1 or 0", p->name, text);
}

static int parse_text(const struct iob_param *p, const char *text, char *out, struct iob_error *err)
{
	size_t n = strlen(text);
	const char *why = NULL;

	if (n == 0)
		return iob_fail_usage(err, SHOWN "the value is empty", p->name, text);
	if (n >= p->size)
		return iob_fail_usage(
			err, SHOWN "too long; at most %zu bytes", p->name, text, p->size - 1);
	for (const char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return iob_fail_usage(
				err, SHOWN "control characters are not allowed", p->name, text);
	}
	if (p->check && p->check(text, &why) < 0)
		return iob_fail_usage(err, SHOWN "%s", p->name, text, why);
	memcpy(out, text, n + 1);
	return 0;
}

int iob_param_parse(
	struct iob_job *job, const struct iob_param *p, const char *text, struct iob_error *err)
{
	void *field = iob_param_field_rw(job, p);

	switch (p->type) {
	case IOB_P_BOOL:
		return parse_bool(p, text, field, err);
	case IOB_P_UINT:
	case IOB_P_BYTES:
		if (p->flags & IOB_PF_SPLIT)
			return parse_numbers(p, text, field, err);
		return parse_number(p, text, text, field, err);
	case IOB_P_TIME:
		if (p->flags & IOB_PF_SPAN)
			return parse_span(p, text, field, err);
		return parse_number(p, text, text, field, err);
	case IOB_P_RANGE:
		return parse_ranges(p, text, field, err);
	case IOB_P_AMOUNT:
		return parse_amount(p, text, field, err);
	case IOB_P_PERCENT:
		return parse_percent(p, text, field, err);
	case IOB_P_CHOICE:
		return iob_param_parse_choice(job, p, text, err);
	case IOB_P_TEXT:
		return parse_text(p, text, field, err);
	}
	return iob_fail_usage(err, "%s: unknown type of parameter", p->name);
}

static char *choices_text(const struct iob_param *p, char *buf, size_t n)
{
	size_t used = 0;

	buf[0] = '\0';
	for (const struct iob_param_choice *c = p->choices; c->name && used < n; c++)
		used += (size_t)snprintf(
			buf + used, n - used, "%s%s", used > 0 ? ", " : "", c->name);
	return buf;
}

char *iob_param_legal(const struct iob_param *p, char *buf, size_t n)
{
	char low[40], high[40];

	switch (p->type) {
	case IOB_P_BOOL:
		snprintf(buf, n, "0 or 1");
		return buf;
	case IOB_P_CHOICE:
		return choices_text(p, buf, n);
	case IOB_P_TEXT:
		snprintf(buf, n, "text");
		return buf;
	default:
		break;
	}
	format_bound(p, p->min, low, sizeof(low));
	format_bound(p, p->max, high, sizeof(high));
	/* The largest that 63 or 64 bits hold is no bound that anybody meets. */
	if (p->type == IOB_P_AMOUNT)
		snprintf(buf, n, "size or N%%");
	else if (p->max >= (uint64_t)INT64_MAX)
		snprintf(buf, n, "%s or more", low);
	else
		snprintf(buf, n, "%s..%s", low, high);
	return buf;
}
