/* SPDX-License-Identifier: MIT */
/* Descriptors of a worker's own.  The targets' are shared by all workers: so are their file
 * positions, and what a library keeps per descriptor. */
#ifndef IOB_ENGINES_OWN_FILES_H
#define IOB_ENGINES_OWN_FILES_H

#include "load/engine.h"

struct iob_own_file {
	int fd; /* -1 where the target has none */
	bool writable;
	bool not_ours;     /* a pipe or the like: it has no position, and is the target's own */
	uint64_t position; /* for the engine's use */
};

/* Opens each target anew, with the same flags.  The error names the engine. */
int iob_own_files_open(struct iob_own_file **, const struct iob_engine_env *, const char *engine,
	struct iob_error *);
void iob_own_files_close(struct iob_own_file *, unsigned n);

#endif
