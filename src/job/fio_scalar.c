/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_scalar.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/units.h"
#include "job/fio_expression.h"

#define BINARY 1024

void iob_fio_warn_value(const struct iob_fio_text *v, enum iob_fio_said kind, const char *words)
{
	if (*v->c->said & kind)
		return;
	*v->c->said |= kind;
	iob_messages_add(v->c->warning, v->c->nwarnings, v->c->place, "%s=%.100s: %s", v->p->name,
		v->text, words);
}

static bool has_decimal_units(const struct iob_fio_text *v)
{
	return v->c->kb_base != BINARY;
}

/* fio's name of a unit of size as base/units has it, or NULL.  In fio "kb" is as large as "k". */
static const char *size_unit(const char *letters, unsigned n, unsigned kb_base)
{
	static const char *const binary[] = {"ki", "mi", "gi", "ti", "pi"};
	static const char *const decimal[] = {"kb", "mb", "gb", "tb", "pb"};
	static const char letter[] = "kmgtp";

	if (n == 0 || (n == 1 && tolower((unsigned char)*letters) == 'b'))
		return "";
	const char *which = strchr(letter, tolower((unsigned char)letters[0]));
	bool alone = n == 1 || (n == 2 && tolower((unsigned char)letters[1]) == 'b');
	bool named = n >= 2 && tolower((unsigned char)letters[1]) == 'i' &&
		     (n == 2 || (n == 3 && tolower((unsigned char)letters[2]) == 'b'));

	if (!which || *which == '\0' || (!alone && !named))
		return NULL;
	return named || kb_base == BINARY ? binary[which - letter] : decimal[which - letter];
}

static uint64_t size_unit_value(const char *letters, unsigned n, void *self)
{
	const unsigned *kb_base = self;
	const char *name = size_unit(letters, n, *kb_base);
	char text[8];
	const char *why;
	uint64_t value = 0;

	if (!name)
		return 0;
	snprintf(text, sizeof(text), "1%s", name);
	return iob_parse_size(text, &value, &why) == 0 ? value : 0;
}

/* self: was there any unit? */
static uint64_t time_unit_value(const char *letters, unsigned n, void *self)
{
	char text[16];
	const char *why;
	uint64_t value = 0;

	if (n == 0)
		return 1;
	if (n + 2 > sizeof(text))
		return 0;
	*(bool *)self = true;
	snprintf(text, sizeof(text), "1%.*s", (int)n, letters);
	return iob_parse_time(text, IOB_NS_PER_S, &value, &why) == 0 ? value : 0;
}

/* "(2*4k)"; a time without any unit in it is in seconds. */
static int expression(const struct iob_fio_text *v, const char *text, bool is_time, uint64_t *out)
{
	unsigned kb_base = v->c->kb_base;
	bool has_unit = !is_time;
	const struct iob_fio_units units = {
		.value = is_time ? time_unit_value : size_unit_value,
		.self = is_time ? (void *)&has_unit : (void *)&kb_base,
	};
	const char *why = "";
	int64_t result = 0;
	int rc = iob_fio_evaluate(text, &units, &result, &why);

	if (rc == 0 && result < 0)
		why = "the result is negative";
	if (rc < 0 || result < 0)
		return iob_fio_fail_value(v, "%s; write arithmetic as (2*4k)", why);
	*out = (uint64_t)result;
	if (!has_unit && __builtin_mul_overflow(*out, IOB_NS_PER_S, out))
		return iob_fio_fail_value(v, "%s", "the result is too large");
	return 0;
}

static int hexadecimal(const struct iob_fio_text *v, const char *text, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 16);
	if (errno != 0 || *end != '\0' || end == text + 2)
		return iob_fio_fail_value(
			v, "\"%.40s\" is no hexadecimal number; write 0x1f or 31", text);
	return 0;
}

static int fail_unit(const struct iob_fio_text *v, const char *letters)
{
	if (strcasecmp(letters, "z") == 0)
		return iob_fio_fail_value(
			v, "%s", "sizes in zones are not supported yet; write bytes or per cent");
	return iob_fio_fail_value(v,
		"\"%.40s\" is not a unit; write a whole number, or one with k, m, g or t behind it",
		letters);
}

static int decimal(const struct iob_fio_text *v, const char *text, uint64_t *out)
{
	char number[IOB_FIO_LONGEST_NUMBER + 8];
	size_t digits = strspn(text, "0123456789.");
	const char *letters = text + digits + strspn(text + digits, " \t");
	unsigned n = (unsigned)strlen(letters);
	const char *unit = size_unit(letters, n, v->c->kb_base);
	const char *why = "";

	if (digits == 0)
		return iob_fio_fail_value(
			v, "\"%.40s\" is no number; write one such as 32, 4k or 0x10", text);
	if (!unit)
		return fail_unit(v, letters);
	snprintf(number, sizeof(number), "%.*s%s", (int)digits, text, unit);
	int rc = iob_parse_size(number, out, &why);
	/* What is no whole number of bytes is cut to one. */
	if (rc == -EINVAL && unit[0] == '\0' && strchr(number, '.')) {
		number[strcspn(number, ".")] = '\0';
		rc = iob_parse_size(number, out, &why);
	}
	if (rc < 0)
		return iob_fio_fail_value(v, "%s; write a number such as 32, 4k or 0x10", why);
	if (memchr(text, '.', digits))
		iob_fio_warn_value(v, IOB_SAID_FRACTION,
			"fio cuts a number at its point and loses the unit; the whole number is read "
			"here");
	if (letters != text + digits)
		iob_fio_warn_value(
			v, IOB_SAID_BLANK, "fio loses a unit behind a blank; it is read here");
	if ((n == 3 && !has_decimal_units(v)) ||
		(n == 2 && tolower((unsigned char)letters[1]) == 'i' && has_decimal_units(v)))
		iob_fio_warn_value(v, IOB_SAID_KIB,
			"fio 3.33 takes this unit for a power of 1000; it is one of 1024 here");
	return 0;
}

static int arithmetic(const struct iob_fio_text *v, const char *text, bool time, uint64_t *out)
{
	iob_fio_warn_value(v, IOB_SAID_ARITHMETIC,
		"fio takes the first number of it alone; it is worked out here, as in parentheses");
	return expression(v, text, time, out);
}

int iob_fio_scalar_number(const struct iob_fio_text *v, const char *text, uint64_t *out)
{
	if (text[0] == '(')
		return expression(v, text, false, out);
	if (strpbrk(text, "*/+^"))
		return arithmetic(v, text, false, out);
	if (strchr(text, '%'))
		return iob_fio_fail_value(v, "%s", "per cent makes no sense here; write a number");
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return hexadecimal(v, text, out);
	return decimal(v, text, out);
}

/* What fio does not know as a unit of time it takes for microseconds. */
static bool fio_knows_unit(const char *unit)
{
	static const char *const known[] = {"", "us", "usec", "ms", "msec", "s", "m", "h", "d"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcasecmp(known[i], unit) == 0)
			return true;
	}
	return false;
}

int iob_fio_scalar_time(const struct iob_fio_text *v, const char *text, uint64_t *out)
{
	const char *why = "";

	if (text[0] == '(')
		return expression(v, text, true, out);
	if (strpbrk(text, "*/+^"))
		return arithmetic(v, text, true, out);
	int rc = iob_parse_time(text, IOB_NS_PER_S, out, &why);
	if (rc < 0)
		return iob_fio_fail_value(v, "%s; write a time such as 30, 500ms or 2m", why);
	if (strchr(text, '.'))
		iob_fio_warn_value(v, IOB_SAID_FRACTION,
			"fio cuts a number at its point and loses the unit; the whole number is read "
			"here");
	else if (!fio_knows_unit(text + strspn(text, "0123456789")))
		iob_fio_warn_value(v, IOB_SAID_TIME_UNIT,
			"fio does not know this unit of time and takes microseconds; it is read here "
			"as written");
	return 0;
}
