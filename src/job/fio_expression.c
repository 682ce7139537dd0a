/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "job/fio_expression.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64 /* parentheses and signs within each other */
/* As many bits as a long double keeps of a whole number. */
#define LARGEST 9223372036854775807.0L

struct cursor {
	const char *at;
	const struct iob_fio_units *units;
	const char *why;
	unsigned depth;
};

static long double sum(struct cursor *);

static void skip_blanks(struct cursor *c)
{
	while (*c->at == ' ' || *c->at == '\t')
		c->at++;
}

static long double fail(struct cursor *c, const char *why)
{
	if (!c->why)
		c->why = why;
	return 0;
}

static long double hexadecimal(struct cursor *c)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(c->at, &end, 16);
	if (end == c->at || errno != 0)
		return fail(c, "the number is too large");
	c->at = end;
	return (long double)value;
}

static long double decimal(struct cursor *c)
{
	long double value = 0, place = 1;

	for (; isdigit((unsigned char)*c->at); c->at++)
		value = value * 10 + (*c->at - '0');
	if (*c->at != '.')
		return value;
	for (c->at++; isdigit((unsigned char)*c->at); c->at++) {
		place /= 10;
		value += place * (*c->at - '0');
	}
	return value;
}

static long double number(struct cursor *c)
{
	bool hex = c->at[0] == '0' && (c->at[1] == 'x' || c->at[1] == 'X') &&
		   isxdigit((unsigned char)c->at[2]);
	unsigned letters = 0;

	if (!isdigit((unsigned char)*c->at))
		return fail(c, "a number is missing");
	long double value = hex ? hexadecimal(c) : decimal(c);
	while (isalpha((unsigned char)c->at[letters]))
		letters++;
	uint64_t unit = c->units->value(c->at, letters, c->units->self);
	if (unit == 0)
		return fail(c, "there is no such unit");
	c->at += letters;
	return value * (long double)unit;
}

static long double factor(struct cursor *c)
{
	long double value;

	if (++c->depth > DEEPEST)
		return fail(c, "too many parentheses");
	skip_blanks(c);
	if (*c->at == '-') {
		c->at++;
		value = -factor(c);
	} else if (*c->at == '(') {
		c->at++;
		value = sum(c);
		skip_blanks(c);
		if (*c->at != ')')
			return fail(c, "a closing parenthesis is missing");
		c->at++;
	} else {
		value = number(c);
	}
	c->depth--;
	skip_blanks(c);
	return value;
}

/* Binds to the right: 2^3^2 is 2^9. */
static long double power(struct cursor *c)
{
	long double base = factor(c);

	if (*c->at != '^' || c->why)
		return base;
	if (++c->depth > DEEPEST)
		return fail(c, "too many operators");
	c->at++;
	long double value = powl(base, power(c));
	c->depth--;
	return isfinite(value) ? value : fail(c, "the result is too large");
}

static long double product(struct cursor *c)
{
	long double value = power(c);

	while (!c->why && *c->at != '\0' && strchr("*/%", *c->at)) {
		char sign = *c->at++;
		long double right = power(c);

		if (sign == '*') {
			value *= right;
		} else if (right == 0) {
			return fail(c, "it divides by zero");
		} else if (sign == '/') {
			value /= right;
		} else {
			value = fmodl(value, right);
		}
	}
	return value;
}

static long double sum(struct cursor *c)
{
	long double value = product(c);

	while (!c->why && (*c->at == '+' || *c->at == '-')) {
		bool plus = *c->at++ == '+';
		long double right = product(c);

		value = plus ? value + right : value - right;
	}
	return value;
}

int iob_fio_evaluate(
	const char *text, const struct iob_fio_units *units, int64_t *out, const char **why)
{
	struct cursor c = {.at = text, .units = units};
	long double value = sum(&c);

	if (!c.why && *c.at != '\0')
		fail(&c, "something is left over behind it");
	if (c.why) {
		*why = c.why;
		return -EINVAL;
	}
	if (!(fabsl(value) < LARGEST)) {
		*why = "the result is too large";
		return -ERANGE;
	}
	*out = (int64_t)value;
	return 0;
}
