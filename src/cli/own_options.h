/* SPDX-License-Identifier: MIT */
/* The program's own options, those that are no parameter of a job: a table.  For options.c and
 * options_help.c alone. */
#ifndef IOB_CLI_OWN_OPTIONS_H
#define IOB_CLI_OWN_OPTIONS_H

#include "cli/options.h"

struct iob_own_option {
	const char *name;  /* without dashes */
	char letter;       /* one-letter form, or 0 */
	const char *value; /* what the help calls the value; NULL = takes none */
	const char *help;
	/* value is NULL for an option that takes none; a usage error names the option. */
	int (*apply)(struct iob_options *, const char *value, struct iob_error *);
};

extern const struct iob_own_option iob_own_options[]; /* ends with name NULL */

/* By name ('-' and '_' are the same) or letter; NULL if there is none. */
const struct iob_own_option *iob_own_option_find(const char *name);

#endif
