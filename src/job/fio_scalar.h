/* SPDX-License-Identifier: MIT */
/* One number or time in fio's words, and what is said of a value.  For fio_value.c, fio_bssplit.c
 * and fio_scalar.c alone. */
#ifndef IOB_JOB_FIO_SCALAR_H
#define IOB_JOB_FIO_SCALAR_H

#include <stdint.h>
#include <stdio.h>

#include "job/fio_value.h"

#define IOB_FIO_LONGEST_NUMBER 64

/* What was warned of: each kind once in a run. */
enum iob_fio_said {
	IOB_SAID_FRACTION = 1,
	IOB_SAID_TIME_UNIT = 2,
	IOB_SAID_KIB = 4,
	IOB_SAID_BLANK = 8,
	IOB_SAID_NUMBER = 16,
	IOB_SAID_ARITHMETIC = 32,
	IOB_SAID_PERCENT = 64,
	IOB_SAID_SPLIT = 128,
	IOB_SAID_MEMORY_FILE = 256,
	IOB_SAID_SHARES = 512,
};

struct iob_fio_text {
	const struct iob_fio_value_context *c;
	const struct iob_param *p;
	const char *text; /* all of it, for messages */
	struct iob_error *err;
	FILE *out;
};

#define iob_fio_fail_value(v, format, ...)                                                         \
	iob_fail_place((v)->err, (v)->c->place, "%s=%.100s: " format, (v)->p->name, (v)->text,     \
		__VA_ARGS__)

void iob_fio_warn_value(const struct iob_fio_text *, enum iob_fio_said, const char *words);

/* text: a piece of v->text without blanks around it, at most IOB_FIO_LONGEST_NUMBER long unless it
 * is arithmetic in parentheses.  Sizes in bytes. */
int iob_fio_scalar_number(const struct iob_fio_text *, const char *text, uint64_t *out);
/* In ns. */
int iob_fio_scalar_time(const struct iob_fio_text *, const char *text, uint64_t *out);

#endif
