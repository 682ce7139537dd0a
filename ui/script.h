/* SPDX-License-Identifier: MIT */
/* --script=FILE: lines of the command grammar, carried out one after the other. */
#ifndef IOB_UI_SCRIPT_H
#define IOB_UI_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct iob_script {
	char *text; /* owned; NULL = there is none */
	const char *at;
	const char *path;
	unsigned line;
	uint64_t not_before_ns; /* sleep */
};

/* A usage error if it is longer than a megabyte, has a line of more than 500 bytes, or is no text.
 */
int iob_script_read(struct iob_script *, const char *path, struct iob_error *);
/* The next line without its end; false when there is none. */
bool iob_script_next(struct iob_script *, char *line, unsigned n);
void iob_script_free(struct iob_script *);

#endif
