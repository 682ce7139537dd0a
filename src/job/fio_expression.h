/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic in job files: + - * / % ^, unary minus, parentheses, numbers with fractions, hex, and
 * the units of sizes or times behind a number.  Evaluated here, never by a shell.
 */
#ifndef IOB_JOB_FIO_EXPRESSION_H
#define IOB_JOB_FIO_EXPRESSION_H

#include <stdint.h>

/* The value of a unit's letters (n of them; 0 = none), or 0 if there is no such unit. */
typedef uint64_t iob_fio_unit_value(const char *letters, unsigned n, void *self);

struct iob_fio_units {
	iob_fio_unit_value *value;
	void *self;
};

/* 0 with the value cut to a whole number; -EINVAL with the reason in *why (a constant string), or
 * -ERANGE.  The whole text must be used. */
int iob_fio_evaluate(
	const char *text, const struct iob_fio_units *, int64_t *out, const char **why);

#endif
