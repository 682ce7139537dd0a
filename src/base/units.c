/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"

#define MAX_DECIMALS 18
#define MICRO        UINT64_C(1000000)

typedef unsigned __int128 u128;

struct unit {
	const char *name;
	uint64_t factor;
};

/* whole + part / scale */
struct decimal {
	uint64_t whole;
	uint64_t part;
	uint64_t scale;
	const char *rest;
};

#define KI UINT64_C(1024)
#define K  UINT64_C(1000)

static const struct unit size_units[] = {
	{"", 1},
	{"b", 1},
	{"k", KI},
	{"ki", KI},
	{"kib", KI},
	{"kb", K},
	{"m", KI *KI},
	{"mi", KI *KI},
	{"mib", KI *KI},
	{"mb", K *K},
	{"g", KI *KI *KI},
	{"gi", KI *KI *KI},
	{"gib", KI *KI *KI},
	{"gb", K *K *K},
	{"t", KI *KI *KI *KI},
	{"ti", KI *KI *KI *KI},
	{"tib", KI *KI *KI *KI},
	{"tb", K *K *K *K},
	{"p", KI *KI *KI *KI *KI},
	{"pi", KI *KI *KI *KI *KI},
	{"pib", KI *KI *KI *KI *KI},
	{"pb", K *K *K *K *K},
	{NULL, 0},
};

#define MINUTE (60 * IOB_NS_PER_S)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static const struct unit time_units[] = {
	{"ns", 1},
	{"nsec", 1},
	{"us", IOB_NS_PER_US},
	{"usec", IOB_NS_PER_US},
	{"ms", IOB_NS_PER_MS},
	{"msec", IOB_NS_PER_MS},
	{"s", IOB_NS_PER_S},
	{"sec", IOB_NS_PER_S},
	{"secs", IOB_NS_PER_S},
	{"second", IOB_NS_PER_S},
	{"seconds", IOB_NS_PER_S},
	{"m", MINUTE},
	{"min", MINUTE},
	{"mins", MINUTE},
	{"minute", MINUTE},
	{"minutes", MINUTE},
	{"h", HOUR},
	{"hr", HOUR},
	{"hour", HOUR},
	{"hours", HOUR},
	{"d", DAY},
	{"day", DAY},
	{"days", DAY},
	{NULL, 0},
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int invalid(const char **why, const char *text)
{
	*why = text;
	return -EINVAL;
}

static int too_large(const char **why)
{
	*why = "too large";
	return -ERANGE;
}

static int parse_digits(const char **text, uint64_t *out, const char **why)
{
	uint64_t value = 0;
	const char *p = *text;

	for (; is_digit(*p); p++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
			return too_large(why);
	}
	*text = p;
	*out = value;
	return 0;
}

/* Zeros at the end of a fraction say nothing and must not use up the digits. */
static int parse_fraction(const char **text, struct decimal *d, const char **why)
{
	const char *p = *text;
	const char *end = p;
	const char *last = p;

	for (; is_digit(*end); end++) {
		if (*end != '0')
			last = end + 1;
	}
	if (end == p)
		return invalid(why, "there is no digit after the point");
	if (last - p > MAX_DECIMALS)
		return invalid(why, "too many decimals");
	for (; p < last; p++) {
		d->part = d->part * 10 + (uint64_t)(*p - '0');
		d->scale *= 10;
	}
	*text = end;
	return 0;
}

static int parse_decimal(const char *text, struct decimal *d, const char **why)
{
	const char *p = text;

	*d = (struct decimal){.scale = 1};
	if (*p == '\0')
		return invalid(why, "the value is empty");
	if (*p == '-')
		return invalid(why, "it cannot be negative");
	if (!is_digit(*p))
		return invalid(why, "it does not start with a digit");
	int rc = parse_digits(&p, &d->whole, why);
	if (rc == 0 && *p == '.') {
		p++;
		rc = parse_fraction(&p, d, why);
	}
	d->rest = p;
	return rc;
}

/* (whole + part / scale) * factor, exactly: below 2^114 + 2^114, so 128 bits hold it. */
static int scale_exactly(const struct decimal *d, uint64_t factor, uint64_t *out, const char **why)
{
	u128 part = (u128)d->part * factor;

	if (part % d->scale != 0)
		return invalid(why, "the fraction is finer than the smallest unit");
	u128 value = (u128)d->whole * factor + part / d->scale;
	if (value > UINT64_MAX)
		return too_large(why);
	*out = (uint64_t)value;
	return 0;
}

static const struct unit *find_unit(const struct unit *units, const char *name)
{
	for (; units->name; units++) {
		if (strcasecmp(units->name, name) == 0)
			return units;
	}
	return NULL;
}

int iob_parse_uint(const char *text, uint64_t *out, const char **why)
{
	struct decimal d;
	int rc = parse_decimal(text, &d, why);

	if (rc < 0)
		return rc;
	if (*d.rest != '\0')
		return invalid(why, "something follows the number");
	if (d.scale != 1)
		return invalid(why, "it must be a whole number");
	*out = d.whole;
	return 0;
}

int iob_parse_count(const char *text, uint64_t *out, const char **why)
{
	static const struct unit units[] = {
		{"", 1}, {"k", 1000}, {"m", 1000000}, {"g", 1000000000}, {NULL, 0}};
	struct decimal d;
	int rc = parse_decimal(text, &d, why);

	if (rc < 0)
		return rc;
	const struct unit *unit = find_unit(units, d.rest);
	if (!unit)
		return invalid(why, "something else than k, m or g follows the number");
	if (unit->factor % d.scale != 0)
		return invalid(why, "it must be a whole number");
	return scale_exactly(&d, unit->factor, out, why);
}

int iob_parse_size(const char *text, uint64_t *out, const char **why)
{
	struct decimal d;
	int rc = parse_decimal(text, &d, why);

	if (rc < 0)
		return rc;
	const struct unit *unit = find_unit(size_units, d.rest);
	if (!unit)
		return invalid(why, "the unit is not known");
	return scale_exactly(&d, unit->factor, out, why);
}

int iob_parse_time(const char *text, uint64_t default_unit_ns, uint64_t *out_ns, const char **why)
{
	struct decimal d;
	int rc = parse_decimal(text, &d, why);

	if (rc < 0)
		return rc;
	if (*d.rest == '\0')
		return scale_exactly(&d, default_unit_ns, out_ns, why);
	const struct unit *unit = find_unit(time_units, d.rest);
	if (!unit)
		return invalid(why, "the unit is not known");
	return scale_exactly(&d, unit->factor, out_ns, why);
}

int iob_parse_percent(const char *text, uint64_t *out_micro, const char **why)
{
	struct decimal d;
	uint64_t micro = 0;
	int rc = parse_decimal(text, &d, why);

	if (rc < 0)
		return rc;
	if (*d.rest != '\0' && strcmp(d.rest, "%") != 0)
		return invalid(why, "something else than \"%\" follows the number");
	rc = scale_exactly(&d, MICRO, &micro, why);
	if (rc < 0)
		return rc;
	if (micro > 100 * MICRO)
		return too_large(why);
	*out_micro = micro;
	return 0;
}
