/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_value.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "job/fio_counted.h"
#include "job/fio_expression.h"

#define LONGEST_NUMBER 64
#define BINARY         1024

enum said {
	SAID_FRACTION = 1,
	SAID_TIME_UNIT = 2,
	SAID_KIB = 4,
	SAID_BLANK = 8,
	SAID_NUMBER = 16,
	SAID_ARITHMETIC = 32,
	SAID_PERCENT = 64,
	SAID_SPLIT = 128,
};

struct value {
	const struct iob_fio_value_context *c;
	const struct iob_param *p;
	const char *text; /* all of it, for messages */
	struct iob_error *err;
	FILE *out;
};

#define fail(v, format, ...)                                                                       \
	iob_fail_place((v)->err, (v)->c->place, "%s=%.100s: " format, (v)->p->name, (v)->text,     \
		__VA_ARGS__)

static void warn(const struct value *v, enum said kind, const char *words)
{
	if (*v->c->said & kind)
		return;
	*v->c->said |= kind;
	iob_messages_add(v->c->warning, v->c->nwarnings, v->c->place, "%s=%.100s: %s", v->p->name,
		v->text, words);
}

static bool has_decimal_units(const struct value *v)
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
static int expression(const struct value *v, const char *text, bool is_time, uint64_t *out)
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
		return fail(v, "%s; write arithmetic as (2*4k)", why);
	*out = (uint64_t)result;
	if (!has_unit && __builtin_mul_overflow(*out, IOB_NS_PER_S, out))
		return fail(v, "%s", "the result is too large");
	return 0;
}

static int hexadecimal(const struct value *v, const char *text, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 16);
	if (errno != 0 || *end != '\0' || end == text + 2)
		return fail(v, "\"%.40s\" is no hexadecimal number; write 0x1f or 31", text);
	return 0;
}

static int fail_unit(const struct value *v, const char *letters)
{
	if (strcasecmp(letters, "z") == 0)
		return fail(
			v, "%s", "sizes in zones are not supported yet; write bytes or per cent");
	return fail(v,
		"\"%.40s\" is not a unit; write a whole number, or one with k, m, g or t behind it",
		letters);
}

static int decimal(const struct value *v, const char *text, uint64_t *out)
{
	char number[LONGEST_NUMBER + 8];
	size_t digits = strspn(text, "0123456789.");
	const char *letters = text + digits + strspn(text + digits, " \t");
	unsigned n = (unsigned)strlen(letters);
	const char *unit = size_unit(letters, n, v->c->kb_base);
	const char *why = "";

	if (digits == 0)
		return fail(v, "\"%.40s\" is no number; write one such as 32, 4k or 0x10", text);
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
		return fail(v, "%s; write a number such as 32, 4k or 0x10", why);
	if (memchr(text, '.', digits))
		warn(v, SAID_FRACTION,
			"fio cuts a number at its point and loses the unit; the whole number is read "
			"here");
	if (letters != text + digits)
		warn(v, SAID_BLANK, "fio loses a unit behind a blank; it is read here");
	if ((n == 3 && !has_decimal_units(v)) ||
		(n == 2 && tolower((unsigned char)letters[1]) == 'i' && has_decimal_units(v)))
		warn(v, SAID_KIB,
			"fio 3.33 takes this unit for a power of 1000; it is one of 1024 here");
	return 0;
}

static void warn_arithmetic(const struct value *v)
{
	warn(v, SAID_ARITHMETIC,
		"fio takes the first number of it alone; it is worked out here, as in parentheses");
}

static int number(const struct value *v, const char *text, uint64_t *out)
{
	if (text[0] == '(')
		return expression(v, text, false, out);
	if (strpbrk(text, "*/+^")) {
		warn_arithmetic(v);
		return expression(v, text, false, out);
	}
	if (strchr(text, '%'))
		return fail(v, "%s", "per cent makes no sense here; write a number");
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

static int time_value(const struct value *v, const char *text, uint64_t *out)
{
	const char *why = "";

	if (text[0] == '(')
		return expression(v, text, true, out);
	if (strpbrk(text, "*/+^")) {
		warn_arithmetic(v);
		return expression(v, text, true, out);
	}
	int rc = iob_parse_time(text, IOB_NS_PER_S, out, &why);
	if (rc < 0)
		return fail(v, "%s; write a time such as 30, 500ms or 2m", why);
	if (strchr(text, '.'))
		warn(v, SAID_FRACTION,
			"fio cuts a number at its point and loses the unit; the whole number is read "
			"here");
	else if (!fio_knows_unit(text + strspn(text, "0123456789")))
		warn(v, SAID_TIME_UNIT,
			"fio does not know this unit of time and takes microseconds; it is read here "
			"as written");
	return 0;
}

/* Without blanks at both ends; what fio would have tripped over is said. */
static char *trimmed(const struct value *v, const char *text, size_t n)
{
	size_t before = strspn(text, " \t");

	if (before > n)
		before = n;
	if (before > 0)
		warn(v, SAID_BLANK, "fio loses a unit behind a blank; it is read here");
	text += before;
	n -= before;
	while (n > 0 && isspace((unsigned char)text[n - 1]))
		n--;
	return strndup(text, n);
}

/* One number of the row's type, in the table's words. */
static int scalar(const struct value *v, const char *text, size_t n)
{
	IOB_FREE char *item = trimmed(v, text, n);
	bool is_time = v->p->type == IOB_P_TIME;
	uint64_t value = 0;

	if (!item)
		return iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
	if (strlen(item) > LONGEST_NUMBER && item[0] != '(')
		return fail(v, "%s", "too long for a number");
	size_t length = strlen(item);
	if (length > 2 && strcmp(item + length - 2, "%%") == 0) {
		warn(v, SAID_PERCENT, "the second % is left out, as in fio");
		item[--length] = '\0';
	}
	bool percent = length > 1 && item[length - 1] == '%' && item[0] != '(';
	if (percent && (v->p->type == IOB_P_AMOUNT || v->p->type == IOB_P_PERCENT)) {
		fputs(item, v->out);
		return 0;
	}
	int rc = is_time ? time_value(v, item, &value) : number(v, item, &value);
	if (rc < 0)
		return rc;
	fprintf(v->out, "%llu%s", (unsigned long long)value, is_time ? "ns" : "");
	return 0;
}

/* Up to the end or one of the separators, none of them within parentheses. */
static size_t item_length(const char *text, size_t n, const char *separators)
{
	int depth = 0;

	for (size_t i = 0; i < n; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		if (depth <= 0 && i > 0 && strchr(separators, text[i]))
			return i;
	}
	return n;
}

/* "4k" or "4k-64k"; fio takes the ends in either order. */
static int range(struct value *v, const char *text, size_t n)
{
	size_t first = item_length(text, n, "-:");
	FILE *out = v->out;
	char *item[2] = {NULL, NULL};
	size_t size[2] = {0, 0};
	int rc = 0;

	if (first == n)
		return scalar(v, text, n);
	for (int i = 0; i < 2 && rc == 0; i++) {
		v->out = open_memstream(&item[i], &size[i]);
		if (!v->out)
			rc = iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
		else if (i == 0)
			rc = scalar(v, text, first);
		else
			rc = scalar(v, text + first + 1, n - first - 1);
		if (v->out)
			fclose(v->out);
	}
	v->out = out;
	if (rc == 0) {
		bool swap = strtoull(item[0], NULL, 10) > strtoull(item[1], NULL, 10);

		fprintf(v->out, "%s-%s", item[swap], item[!swap]);
	}
	free(item[0]);
	free(item[1]);
	return rc;
}

static bool takes_range(const struct iob_param *p)
{
	return p->type == IOB_P_RANGE || (p->flags & IOB_PF_SPAN);
}

/* An empty item stays empty: the table knows fio's rule of commas. */
static int items(struct value *v)
{
	unsigned kind;
	const char *words;
	IOB_FREE char *counted = iob_fio_counted(v->p, v->text, &kind, &words);
	const char *text = counted;

	if (!counted)
		return iob_fail(v->err, -ENOMEM, "%s: %m", v->p->name);
	if (words)
		warn(v, (enum said)kind, words);
	if (v->p->type == IOB_P_TIME && strchr(text, ',') && !(v->p->flags & IOB_PF_SPLIT))
		return fail(v, "%s", "there is one time; write one such as 30, 500ms or 2m");
	for (;;) {
		size_t n = text[0] == ',' ? 0 : item_length(text, strlen(text), ",");
		int rc = 0;

		if (n > 0)
			rc = takes_range(v->p) ? range(v, text, n) : scalar(v, text, n);
		if (rc < 0 || text[n] == '\0')
			return rc;
		putc(',', v->out);
		text += n + 1;
	}
}

/* Any number but 0 switches on. */
static int boolean(const struct value *v)
{
	size_t n = strlen(v->text);
	bool digits = strspn(v->text, "0123456789") == n;

	if (digits && strspn(v->text, "0") != n) {
		if (strcmp(v->text, "1") != 0)
			warn(v, SAID_NUMBER, "any number but 0 means 1 here, as in fio");
		putc('1', v->out);
	} else {
		fputs(digits ? "0" : v->text, v->out);
	}
	return 0;
}

/* "36k-60k/29:64k/5.": fio takes the first size of a range, and such text is about. */
static void bssplit(const struct value *v)
{
	bool odd = false;

	for (const char *c = v->text; *c != '\0'; c++) {
		if (*c == '-' && c > v->text) {
			odd = true;
			while (c[1] != '\0' && !strchr("/:,", c[1]))
				c++;
		} else if (*c == '.' && (c[1] == '\0' || strchr(":,", c[1]))) {
			continue;
		} else {
			putc(*c, v->out);
		}
	}
	if (odd)
		warn(v, SAID_SPLIT,
			"there are no ranges in it: the first size of each is taken, as in fio");
}

static int convert(struct value *v)
{
	if (strcmp(v->p->name, "bssplit") == 0) {
		bssplit(v);
		return 0;
	}
	switch (v->p->type) {
	case IOB_P_BOOL:
		return boolean(v);
	case IOB_P_CHOICE:
	case IOB_P_TEXT:
		fputs(v->text, v->out);
		return 0;
	case IOB_P_UINT:
	case IOB_P_BYTES:
	case IOB_P_RANGE:
	case IOB_P_AMOUNT:
	case IOB_P_TIME:
	case IOB_P_PERCENT:
		break;
	}
	return items(v);
}

int iob_fio_value(const struct iob_fio_value_context *c, const struct iob_param *p,
	const char *text, char **out, struct iob_error *err)
{
	IOB_FREE char *done = NULL;
	size_t size = 0;
	struct value v = {.c = c, .p = p, .text = text, .err = err};

	*out = NULL;
	if (text[0] == '\0')
		return iob_fail_place(err, c->place,
			"%s=: the value is empty; give one or leave %s out", p->name, p->name);
	v.out = open_memstream(&done, &size);
	if (!v.out)
		return iob_fail(err, -ENOMEM, "%s: %m", p->name);
	int rc = convert(&v);
	if (fclose(v.out) != 0 && rc == 0)
		rc = iob_fail(err, -ENOMEM, "%s: no memory", p->name);
	if (rc == 0)
		*out = iob_steal(&done);
	return rc;
}
