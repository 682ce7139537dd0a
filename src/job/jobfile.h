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
#include "job/messages.h"

struct iob_option {
	char *key;   /* as typed */
	char *value; /* after substitution; NULL = a bare key */
	struct iob_place place;
};

struct iob_section {
	char *name;
	bool global; /* [global]: for the sections that follow */
	bool fresh;  /* the first of another job file: what [global] said before is over */
	bool waits;  /* the first job of another job file: waits for all before */
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
	size_t nread;   /* job files read so far, without those they include */
};

/* path "-": standard input.  Adds to what is there (several job files on one command line: the
 * first section of each but the first waits for all before).  0 or a usage error. */
int iob_jobfile_read(struct iob_jobfile *, const char *path, struct iob_error *);
/* The same from memory; `name` for messages. text need not end in a 0 (fuzzing). */
int iob_jobfile_parse(
	struct iob_jobfile *, const char *name, const char *text, size_t n, struct iob_error *);
/* Legal on a zeroed object. */
void iob_jobfile_free(struct iob_jobfile *);

/*
 * To build one by hand, as the command line does.  Text is given by pointer and length and copied;
 * pointers to sections hold until the next one is added.  They fail only without memory.
 */
const char *iob_jobfile_add_file(struct iob_jobfile *, const char *name, struct iob_error *);
struct iob_section *iob_jobfile_add_section(struct iob_jobfile *, const char *name, size_t n,
	const struct iob_place *, struct iob_error *);
/* value NULL = a bare key. */
int iob_section_add(struct iob_section *, const char *key, size_t n, const char *value,
	const struct iob_place *, struct iob_error *);
/* A deep copy appended to an array that iob_options_release frees. */
int iob_options_append(
	struct iob_option **, size_t *n, const struct iob_option *, struct iob_error *);
void iob_options_release(struct iob_option *, size_t n);

#endif
