/* SPDX-License-Identifier: MIT */
/* Rows of type IOB_P_CHOICE: a word, and for some words a value behind a colon (rw=randread:8). */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "job/param_value.h"

#define SHOWN      "%s=%.100s: "
#define ONE_MICRO  INT64_C(1000000)
#define MOST_BYTES INT64_MAX

static bool is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && strncasecmp(text, word, n) == 0;
}

/* Is it among the words, separated by blanks? */
static bool is_among(const char *words, const char *text, size_t n)
{
	while (words && *words) {
		size_t length = strcspn(words, " ");

		if (length == n && strncasecmp(words, text, n) == 0)
			return true;
		words += length + (words[length] == ' ');
	}
	return false;
}

static int parse_signed_size(const char *text, int64_t *out, const char **why)
{
	bool negative = *text == '-';
	uint64_t value = 0;
	int rc = iob_parse_size(text + negative, &value, why);

	if (rc == 0 && value > (uint64_t)MOST_BYTES)
		rc = -1;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return rc;
}

static int parse_suffix(enum iob_suffix kind, const char *text, int64_t *out, const char **why)
{
	uint64_t value = 0;
	int rc;

	switch (kind) {
	case IOB_SUFFIX_BYTES:
		return parse_signed_size(text, out, why);
	case IOB_SUFFIX_REAL:
	case IOB_SUFFIX_REAL_CENTRE:
		rc = iob_parse_percent(text, &value, why);
		break;
	default:
		rc = iob_parse_uint(text, &value, why);
		break;
	}
	if (rc == 0 && (value == 0 || value > INT64_MAX)) {
		*why = "it must be more than 0";
		return -1;
	}
	*out = (int64_t)value;
	return rc;
}

static const char *example(enum iob_suffix kind)
{
	switch (kind) {
	case IOB_SUFFIX_BYTES:
		return "a size such as :8k or :-8k";
	case IOB_SUFFIX_REAL_CENTRE:
		return "a number such as :1.2, or two such as :1.2:0.5";
	case IOB_SUFFIX_REAL:
		return "a number such as :1.2";
	default:
		return "a number such as :8";
	}
}

/* Has the row a field for a centre, whatever word it is set to? */
static bool has_centre(const struct iob_param *p)
{
	bool found = false;

	for (const struct iob_param_choice *c = p->choices; c->name && p->suffix_of; c++)
		found |= p->suffix_of(c->value) == IOB_SUFFIX_REAL_CENTRE;
	return found;
}

/* Where the most wanted block lies: 0 to 1. */
static int parse_centre(const char *text, int64_t *out, const char **why)
{
	uint64_t micro = 0;

	if (iob_parse_percent(text, &micro, why) < 0)
		return -1;
	if (micro > (uint64_t)ONE_MICRO) {
		*why = "the centre lies between 0 and 1";
		return -1;
	}
	*out = (int64_t)micro + 1;
	return 0;
}

static int parse_suffixes(
	enum iob_suffix kind, const char *text, int64_t value[2], const char **why)
{
	const char *colon = kind == IOB_SUFFIX_REAL_CENTRE ? strchr(text, ':') : NULL;
	char first[40];

	if (!colon)
		return parse_suffix(kind, text, &value[0], why);
	snprintf(first, sizeof(first), "%.*s", (int)(colon - text), text);
	int rc = parse_suffix(kind, first, &value[0], why);
	return rc < 0 ? rc : parse_centre(colon + 1, &value[1], why);
}

static int set_suffix(struct iob_job *job, const struct iob_param *p, uint32_t choice,
	const char *text, struct iob_error *err)
{
	enum iob_suffix kind = p->suffix_of ? p->suffix_of(choice) : IOB_SUFFIX_NONE;
	const char *colon = strchr(text, ':');
	const char *why = "not a number";
	int64_t value[2] = {0, 0};

	if (!p->suffix_of)
		return 0;
	if (colon && kind == IOB_SUFFIX_NONE)
		return iob_fail_usage(err,
			SHOWN "nothing belongs behind a colon; leave \"%.40s\" out", p->name, text,
			colon);
	if (colon && parse_suffixes(kind, colon + 1, value, &why) < 0)
		return iob_fail_usage(err, SHOWN "\"%.40s\": %s; write %s", p->name, text,
			colon + 1, why ? why : "not a number", example(kind));
	int64_t *field = iob_param_suffix(job, p);
	field[0] = value[0];
	if (has_centre(p))
		field[1] = value[1];
	return 0;
}

int iob_param_parse_choice(
	struct iob_job *job, const struct iob_param *p, const char *text, struct iob_error *err)
{
	size_t n = p->suffix_of ? strcspn(text, ":") : strlen(text);
	char legal[200];

	for (const struct iob_param_choice *c = p->choices; c->name; c++) {
		if (!is_word(text, n, c->name))
			continue;
		int rc = set_suffix(job, p, c->value, text, err);
		if (rc == 0)
			*(uint32_t *)iob_param_field_rw(job, p) = c->value;
		return rc;
	}
	if (is_among(p->later, text, n))
		return iob_fail_usage(err, SHOWN "not supported yet; use one of %s", p->name, text,
			iob_param_legal(p, legal, sizeof(legal)));
	return iob_fail_usage(err, SHOWN "not one of %s", p->name, text,
		iob_param_legal(p, legal, sizeof(legal)));
}

static const char *choice_name(const struct iob_param *p, uint32_t value)
{
	for (const struct iob_param_choice *c = p->choices; c->name; c++) {
		if (c->value == value)
			return c->name;
	}
	return "?";
}

static void put_real(char *buf, size_t n, int64_t micro)
{
	int64_t part = micro % ONE_MICRO;
	int digits = 6;

	for (; part != 0 && part % 10 == 0; digits--)
		part /= 10;
	if (part == 0)
		snprintf(buf, n, ":%" PRId64, micro / ONE_MICRO);
	else
		snprintf(buf, n, ":%" PRId64 ".%0*" PRId64, micro / ONE_MICRO, digits, part);
}

static void put_reals(char *buf, size_t n, const int64_t field[2])
{
	put_real(buf, n, field[0]);
	size_t used = strlen(buf);
	if (field[1] && used < n)
		put_real(buf + used, n - used, field[1] - 1);
}

char *iob_param_get_choice(
	const struct iob_job *job, const struct iob_param *p, char *buf, size_t n)
{
	uint32_t value = *(const uint32_t *)iob_param_field(job, p);
	enum iob_suffix kind = p->suffix_of ? p->suffix_of(value) : IOB_SUFFIX_NONE;
	char size[40];

	int used = snprintf(buf, n, "%s", choice_name(p, value));
	if (kind == IOB_SUFFIX_NONE || used < 0 || (size_t)used >= n)
		return buf;
	const int64_t *field = (const int64_t *)(const void *)((const char *)job + p->suffix);
	int64_t suffix = field[0];
	if (suffix == 0)
		return buf;
	char *at = buf + used;
	n -= (size_t)used;
	if (kind == IOB_SUFFIX_REAL)
		put_real(at, n, suffix);
	else if (kind == IOB_SUFFIX_REAL_CENTRE)
		put_reals(at, n, field);
	else if (kind == IOB_SUFFIX_COUNT)
		snprintf(at, n, ":%" PRId64, suffix);
	else
		snprintf(at, n, ":%s%s", suffix < 0 ? "-" : "",
			iob_format_size_exact(
				size, sizeof(size), (uint64_t)(suffix < 0 ? -suffix : suffix)));
	return buf;
}
