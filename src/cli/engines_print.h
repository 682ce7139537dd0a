/* SPDX-License-Identifier: MIT */
/* The list of engines as text and as JSON; each is probed. */
#ifndef IOB_CLI_ENGINES_PRINT_H
#define IOB_CLI_ENGINES_PRINT_H

#include <stdio.h>

#include "load/engine.h"

/* only NULL = all of them. */
void iob_engines_print_text(FILE *, const struct iob_engine *only);
/* {"engines": [...]} with a newline.  -ENOMEM or -EIO. */
int iob_engines_print_json(FILE *, const struct iob_engine *only);

#endif
