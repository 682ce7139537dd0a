/* SPDX-License-Identifier: MIT */
/* The command line of the subcommands that list something: [NAME] [--format=text|json] [--help]. */
#ifndef IOB_CLI_LISTING_H
#define IOB_CLI_LISTING_H

#include <stdbool.h>

#include "base/error.h"

enum iob_listing_names { IOB_LISTING_NO_NAME, IOB_LISTING_ONE_NAME };

struct iob_listing {
	const char *name; /* NULL = all; points into argv */
	bool json, help;
};

/* argv[0] is the subcommand's name.  Usage errors name it, the word that is wrong and the remedy.
 */
int iob_listing_parse(
	struct iob_listing *, int argc, char **argv, enum iob_listing_names, struct iob_error *);

#endif
