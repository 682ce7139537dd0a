/* SPDX-License-Identifier: MIT */
/* What is told instead of running, for --output=FILE: what goes to standard output meanwhile is
 * kept, and goes into the file when it is whole. */
#ifndef IOB_CLI_TELLING_H
#define IOB_CLI_TELLING_H

#include "base/error.h"

struct iob_telling {
	const char *path;   /* NULL = nothing is redirected */
	int kept, standard; /* descriptors: what was told; the standard output */
};

/* path: NULL = standard output.  On failure nothing is left. */
int iob_telling_begin(struct iob_telling *, const char *path, struct iob_error *);
/* With another status than that of success the file is left as it was.  What cannot be written goes
 * to standard output.  Returns the exit status. */
int iob_telling_end(struct iob_telling *, int status);

#endif
