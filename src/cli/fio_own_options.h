/* SPDX-License-Identifier: MIT */
/* fio's options that are no parameter of a job: a table.  For the fio_*.c files alone. */
#ifndef IOB_CLI_FIO_OWN_OPTIONS_H
#define IOB_CLI_FIO_OWN_OPTIONS_H

#include "cli/fio_args.h"

enum iob_fio_value_rule { IOB_FIO_VALUE_NONE, IOB_FIO_VALUE_OPTIONAL, IOB_FIO_VALUE_NEEDED };

struct iob_fio_own_option {
	const char *name;
	enum iob_fio_value_rule value;
	const char *shown; /* of the value, for --help; NULL = not listed there */
	const char *help;
	/* value is NULL when none was given. */
	int (*apply)(struct iob_fio_args *, const struct iob_fio_own_option *, const char *value,
		struct iob_error *);
	char letter; /* "-o" for "--output", as in fio; 0 = it has none */
};

extern const struct iob_fio_own_option iob_fio_own_options[]; /* ends with name NULL */

/* By its name as in the table; NULL if there is none. */
const struct iob_fio_own_option *iob_fio_own_option_find(const char *name);
/* By its letter; NULL if there is none. */
const struct iob_fio_own_option *iob_fio_own_option_by_letter(char letter);
/* The nearest of these, of the parameters and of fio's other options; NULL when none is near. */
const char *iob_fio_own_option_suggest(const char *name);

#endif
