/* SPDX-License-Identifier: MIT */
/* The flags of a single read or write (RWF_*) that parameters ask for. */
#ifndef IOB_ENGINES_RWFLAGS_H
#define IOB_ENGINES_RWFLAGS_H

#include "load/engine.h"

/* Newer than the C library's headers. */
#define IOB_RWF_DONTCACHE 0x80

/*
 * RWF_* for uncached and nowait of the job, or a negative errno with the parameter's name: each is
 * tried on the first target, so that what its file system lacks is known before the start.
 */
int iob_rwflags_of(const struct iob_engine_env *, struct iob_error *);
/* What a request's errno has to do with these flags; NULL = nothing. */
const char *iob_rwflags_explain(int flags, const struct iob_req *);

#endif
