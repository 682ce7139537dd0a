/* SPDX-License-Identifier: MIT */
/*
 * fio's job files as text: ordered sections of ordered options, nothing interpreted.  The grammar
 * and its corner cases are those of fio 3.33 (doc/fio-differences.md says where ours is stricter);
 * every error names file:line:column.
 */
#ifndef IOB_JOB_JOBFILE_H
#define IOB_JOB_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Where something stands: "file:line:column"; line 0: the command line, column = number of the
 * argument. */
struct iob_place {
	const char *file; /* owned by the job file */
	unsigned line, column;
};

struct iob_option {
	char *key;   /* as typed */
	char *value; /* after substitution; NULL = a bare key */
	struct iob_place place;
};

struct iob_section {
	char *name;
	bool global; /* [global]: for the sections that follow */
	size_t noptions;
	struct iob_option *option;
	struct iob_place place;
};

struct iob_jobfile {
	size_t nsections;
	struct iob_section *section;
	size_t nfiles;
	char **file; /* names that places point to */
	size_t nwarnings;
	char **warning; /* whole lines: what fio would have misread, and how it is read here */
};

/* path "-": standard input.  Adds to what is there (several job files on one command line: the
 * first section of each but the first waits for all before).  0 or a usage error. */
int iob_jobfile_read(struct iob_jobfile *, const char *path, struct iob_error *);
/* The same from memory; `name` for messages. text need not end in a 0 (fuzzing). */
int iob_jobfile_parse(
	struct iob_jobfile *, const char *name, const char *text, size_t n, struct iob_error *);
/* Legal on a zeroed object. */
void iob_jobfile_free(struct iob_jobfile *);

#endif
