/* SPDX-License-Identifier: MIT */
/* Copying from and to mapped files, whose pages may turn out not to be there. */
#ifndef IOB_ENGINES_GUARDED_COPY_H
#define IOB_ENGINES_GUARDED_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Once by each thread that copies: puts the handler of SIGBUS in place and lets it through. */
int iob_guarded_copy_enable(struct iob_error *);
/* As memcpy.  False when a page of [map, map + size), on either side, gave a bus error; an unknown
 * part is copied then.  Bus errors elsewhere go where they went before. */
bool iob_guarded_copy(void *to, const void *from, size_t n, const void *map, size_t size);

#endif
